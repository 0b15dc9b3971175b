import { sql } from 'kysely';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { endpointList } from '../../../contract/index.ts';
import { isObject, type Json } from './samples.ts';
import { get, type Target } from './shop.ts';

/** Knows the records of the shop, which it finds by the contract's own lists. */
export type Catalogue = {
  /** A path with the ids of existing records, others for each `turn`; where there are none, a path that is not found. */
  pathOf(endpoint: Endpoint, turn: number): Promise<string>;
  /** A function that returns values which are valid in the shop, by the name of the field. */
  known(path: string): Promise<(name: string) => Json | undefined>;
  /** Forgets what was read, so that records made since are found. */
  refresh(): void;
};

/** The list that contains the records below a path, where that path itself is not a list. */
const listOf: Record<string, string> = { '/variants': '/products/{id}/variants' };

/** Records that must stay: the admin and the token that send the requests. */
const spared: Record<string, number> = { '/admins': 1, '/me/tokens': 1 };

/** Values for path parameters that are words. */
const words: Record<string, string> = { event_type: 'order_placed', locker_network: 'foxpost' };

const recordFields: Record<string, string> = {
  product_id: '/products',
  customer_id: '/customers',
  group_id: '/access-groups',
  page_ids: '/pages',
  file_ids: '/files',
  media_ids: '/media',
  og_image_media_id: '/media',
  internal_status_id: '/order-statuses',
  discount_group_id: '/discount-groups',
  tax_rate_id: '/tax-rates',
  method_id: '/shipping-methods',
  reassign_to: '/order-statuses',
};

let made = 0;
/** Fields that must be unique: the number in `u1u` is replaced by another one in each request. */
const unique: Record<string, string> = {
  slug: 'slug-u1u',
  code: 'CODE-u1u',
  sku: 'SKU-u1u',
  name: 'Name u1u',
  email: 'person-u1u@example.com',
  external_subscription_id: 'sub_u1u',
};

export function withUniqueValues(body: string): string {
  made += 1;
  return body.replaceAll(/u\d+u/g, `u${made}u`);
}

const usual: Record<string, Json> = {
  country: 'AT',
  cron: '0 4 1 1 *',
  countries: 'AT',
  locale: 'de',
  locales: 'hu',
  color: '#336699',
  currency: 'EUR',
  timezone: 'UTC',
  permissions: 'admin_api.orders.read',
  host: '127.0.0.1',
  port: 9,
  from: 'shop@example.com',
  events: { kind: 'log', line: 'x' },
  executor: 'external',
  month: '2026-05',
  quantity: 1,
  wait_ms: 0,
  courier_id: 'standard',
  courier_name: 'Standard',
  // This host name never resolves, so nothing is sent to anybody.
  url: 'https://bad-input.invalid/hook',
};

export function catalogueOf(target: Target): Catalogue {
  let shared: Map<string, Json | undefined> | null = null;
  const lists = new Map(testedEndpoints.filter((e) => e.method === 'GET').map((e) => [shapeOf(e.path), e]));
  const rows = async (list: string): Promise<{ [name: string]: Json }[]> => {
    const endpoint = lists.get(shapeOf(list.replaceAll(/\/\d+(?=\/|$)/g, '/{id}')));
    if (!endpoint) return [];
    const size = ['per_page', 'limit'].filter((name) => name in (endpoint.query?.shape ?? {})).map((name) => `${name}=100`);
    const { status, text } = await target.send(get(`${list}?${size.join('&')}`));
    if (status !== 200) return [];
    const body: Json = JSON.parse(text);
    const found = Array.isArray(body) ? body : isObject(body) ? (Object.values(body).find(Array.isArray) ?? []) : [];
    return found.filter(isObject);
  };
  const seen = new Map<string, number[]>();
  const idsIn = async (list: string): Promise<number[]> => {
    const ids = seen.get(list) ?? (await rows(list)).flatMap(({ id }) => (typeof id === 'number' && id !== spared[list] ? [id] : []));
    seen.set(list, ids);
    return ids;
  };

  /** Fills the segments of a path with ids of existing records, depth first, so that a record without children is skipped. */
  async function* beginnings(segments: readonly string[], done: string, turn: number): AsyncGenerator<string> {
    const at = segments.findIndex((segment) => segment.startsWith('{'));
    if (at < 0) {
      yield [done, ...segments].join('/');
      return;
    }
    const before = [done, ...segments.slice(0, at)].join('/');
    const name = segments[at]?.slice(1, -1) ?? '';
    const rest = segments.slice(at + 1);
    if (!name.endsWith('id')) {
      yield* beginnings(rest, `${before}/${words[name] ?? 'x'}`, turn);
      return;
    }
    const ids = listOf[before] === undefined ? await idsIn(before) : await idsBelow(listOf[before], turn);
    const TRIED = 200;
    for (let n = 0; n < Math.min(ids.length, TRIED); n++) yield* beginnings(rest, `${before}/${ids[(n + turn) % ids.length]}`, turn);
  }

  async function idsBelow(list: string, turn: number): Promise<number[]> {
    for await (const path of beginnings(list.split('/').slice(1), '', turn)) {
      const ids = await idsIn(path);
      if (ids.length > 0) return ids;
    }
    return [];
  }

  return {
    pathOf: async ({ path }, turn) => {
      for await (const found of beginnings(path.split('/').slice(1), '', turn)) return `/admin/api${found}`;
      return `/admin/api${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name.endsWith('id') ? '1' : (words[name] ?? 'x')))}`;
    },
    known: async (path) => {
      shared ??= await valuesOfShop();
      const values = new Map(shared);
      // The id of a payment must be one of the order in the path.
      const owner = /^\/admin\/api(\/orders\/\d+)\/payments/.exec(path)?.[1];
      if (owner !== undefined) values.set('id', (await rows(`${owner}/payments`))[0]?.['id']);
      return (name) => values.get(name);
    },
    refresh: () => {
      shared = null;
      seen.clear();
    },
  };

  async function valuesOfShop(): Promise<Map<string, Json | undefined>> {
    const values = new Map<string, Json | undefined>(Object.entries({ ...usual, ...unique }));
    for (const [name, list] of Object.entries(recordFields)) values.set(name, (await rows(list))[0]?.['id']);
    const [variant] = await idsBelow('/products/{id}/variants', 0);
    if (variant !== undefined)
      values.set('variant_id', variant).set('product_id', (await oneRow(target, `/variants/${variant}`))['product_id']);
    const [invitation] = await rows('/admin-invitations');
    if (invitation) {
      const path = `/admin/api/admin-invitations/${String(invitation['id'])}/resend`;
      const sent: Json = JSON.parse((await target.send({ method: 'POST', path, body: '{}' })).text);
      values.set('invitation_code', isObject(sent) ? sent['code'] : undefined);
    }
    return values;
  }
}

/** Adds so much stock that no order is refused for lack of it, and a paid order of a subscription that nobody has activated. */
export async function prepareShop(target: Target): Promise<void> {
  await target.store.write((db) => sql`UPDATE variants SET stock = stock + 1000000`.execute(db));
  const make = async (path: string, body: Json): Promise<Json> => {
    const made: Json = JSON.parse((await target.send({ method: 'POST', path: `/admin/api${path}`, body: JSON.stringify(body) })).text);
    return isObject(made) ? (made['id'] ?? 0) : 0;
  };
  const product = await make('/products', {
    slug: 'bad-input-plan',
    name: 'Plan',
    status: 'active',
    kind: 'digital',
    is_subscription: true,
  });
  const variant = await make(`/products/${product}/variants`, { sku: 'BAD-INPUT-PLAN', price_cents: 900 });
  await make('/admin-invitations', { email: 'bad-input-invited@example.com' });
  await make('/orders', {
    customer: { name: 'Ann', email: 'plan@example.com', phone: '' },
    items: [{ variant_id: variant, quantity: 1 }],
    shipping: { kind: 'none' },
    payment_status: 'paid',
    register_customer: false,
    send_confirmation_email: false,
  });
}

async function oneRow(target: Target, path: string): Promise<{ [name: string]: Json }> {
  const body: Json = JSON.parse((await target.send(get(path))).text);
  return isObject(body) ? body : {};
}

/** A path with `{}` for each parameter, so that paths with other parameter names are equal. */
export function shapeOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}

/** Undo effects of accepted requests that would disturb the later ones, by the id of the endpoint. */
export const remedies: Record<string, (target: Target) => Promise<unknown>> = {
  'settings.update': ({ send }) => send({ method: 'PATCH', path: '/admin/api/settings', body: JSON.stringify(SETTINGS) }),
  // Deliveries would write to the store at any time, and refused requests are watched for writes.
  'webhooks.create': silenceWebhooks,
  'webhooks.update': silenceWebhooks,
};

const SETTINGS: Json = {
  smtp: null,
  courier: { provider: 'manual', easypost_api_key: null },
  locale: 'en',
  timezone: 'UTC',
  prices_include_tax: false,
  approval_policy: 'author',
  file_max_bytes: 100_000_000,
  storage_total_bytes: 1_000_000_000,
};

function silenceWebhooks({ store }: Target): Promise<unknown> {
  return store.write((db) => sql`UPDATE webhook_endpoints SET active = 0`.execute(db));
}

/** Valid bodies that cannot be made from the schema alone, by the id of the endpoint. */
export const examples: Record<string, (known: (name: string) => Json | undefined) => Json> = {
  'orders.create': phoneOrder,
  'orders.preview': phoneOrder,
  'orders.edit': edit,
  'orders.preview_edit': edit,
  'products.change_stock': () => ({ delta: 1, reason: 'count' }),
  'admin_invitations.preview': (known) => ({ code: known('invitation_code') ?? '' }),
  'admin_invitations.accept': (known) => ({ code: known('invitation_code') ?? '', name: 'Nina' }),
  'me.create_download_link': (known) => ({ path: `/files/${known('file_ids')}/content` }),
  'task_secrets.create': () => ({ name: 'u1u', value: 'a', hosts: ['api.example.com'] }),
  'task_variables.create': () => ({ name: 'u1u', value: 1 }),
  'themes.preview': () => ({ path: 'parts/sample', content: 'x' }),
  'vouchers.create': (known) => ({ code: known('code') ?? '', kind: 'fixed', amount_cents: 100 }),
};

function phoneOrder(known: (name: string) => Json | undefined): Json {
  return {
    customer: { name: 'Ann', email: known('email') ?? '', phone: '' },
    items: [{ variant_id: known('variant_id') ?? 1, quantity: 1 }],
    shipping: { kind: 'none' },
    payment_status: 'none',
    discount: { kind: 'fixed', amount_cents: 1 },
    register_customer: false,
    send_confirmation_email: true,
  };
}

function edit(known: (name: string) => Json | undefined): Json {
  return {
    items: [{ variant_id: known('variant_id') ?? 1, quantity: 1 }],
    stock_override: true,
    warn_acknowledged: true,
    notify_customer: true,
  };
}

/** All endpoints except streams, which never end. */
export const testedEndpoints: readonly Endpoint[] = endpointList.filter((e) => !e.stream);

import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { fold } from '../../../contract/values.ts';
import { type WebhookDelivery, WebhookEndpoint } from '../../../contract/webhook-endpoints.ts';
import { rowVersion } from '../../db/queries/row-version.ts';
import { isPrivateHost } from '../../providers/webhooks/addresses.ts';
import { sortKey } from '../../values/texts.ts';
import { changesBetween } from '../../verbs/changes.ts';
import type { Ctx } from '../../verbs/context.ts';
import { BY_CREATION, listPage } from '../../verbs/list-pages.ts';
import { notFound, refuseValue } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import type { Retention } from '../../verbs/retention.ts';
import { newSecret } from './signing.ts';
import * as store from './store.ts';

export const recordVersions = {
  webhook_endpoint: rowVersion('webhook_endpoints'),
  // A delivery has no row version.
  webhook_delivery: async (db, { id, delivery_id }) => ((await store.hasDelivery(db, Number(id), Number(delivery_id))) ? 1 : null),
} satisfies RecordVersions;

/** Deliveries that succeeded or were given up are kept this long. */
export const retention: Retention = { days: () => 30, deleteBatch: store.deleteEnded };

const OLD_SECRET_MS = 86_400_000;

export function listEndpoints(ctx: Ctx, query: InputOf<Endpoints['webhooks.list']>['query']) {
  const list = store.endpoints(ctx, fold(query.search ?? ''));
  return listPage(query, BY_CREATION, { ...list, rows: async (ids) => (await list.rows(ids)).map(toEndpoint) });
}

export async function createEndpoint(ctx: Ctx, { url, events, active, ...rest }: InputOf<Endpoints['webhooks.create']>['body']) {
  rest satisfies Record<string, never>;
  refusePrivate(ctx, url);
  const secret = newSecret();
  const at = { created_at: ctx.now, updated_at: ctx.now };
  const id = await store.insertEndpoint(ctx.db, { url, url_folded: sortKey(url), active: active ? 1 : 0, secret, ...at });
  await store.replaceEvents(ctx.db, id, events);
  ctx.audit({
    resource: { type: 'webhook_endpoint', id },
    changes: { url: [null, url], events: [null, events], active: [null, active] },
    summary: `Webhook endpoint ${id} added: ${url}`,
  });
  return { ...(await getEndpoint(ctx, id)), secret };
}

export async function updateEndpoint(ctx: Ctx, id: number, body: InputOf<Endpoints['webhooks.update']>['body']): Promise<WebhookEndpoint> {
  const row = await store.lockEndpoint(ctx, id);
  if (!row) throw notFound('webhook endpoint', id);
  const before = toEndpoint(row);
  const { url = before.url, events = before.events, active: isActive = before.active, ...rest } = body;
  rest satisfies Record<string, never>;
  if (body.url !== undefined) refusePrivate(ctx, body.url);
  const wanted = { url, events, active: isActive };
  const changes = changesBetween(before, { ...wanted, events: [...wanted.events].sort() });
  if (Object.keys(changes).length > 0) {
    const active = wanted.active ? 1 : 0;
    await store.updateEndpoint(ctx.db, id, {
      url: wanted.url,
      url_folded: sortKey(wanted.url),
      active,
      disabled_reason: wanted.active === before.active ? before.disabled_reason : null,
      updated_at: ctx.now,
    });
    if (changes['events']) await store.replaceEvents(ctx.db, id, wanted.events);
    if (changes['active']) await (wanted.active ? store.resumeDeliveries : store.suspendDeliveries)(ctx.db, id);
  }
  ctx.audit({
    resource: { type: 'webhook_endpoint', id },
    changes,
    summary: `Webhook endpoint ${id}: ${Object.keys(changes).join(', ') || 'no change'}`,
  });
  return getEndpoint(ctx, id);
}

export async function deleteEndpoint(ctx: Ctx, id: number): Promise<undefined> {
  const row = await store.lockEndpoint(ctx, id);
  if (!row) throw notFound('webhook endpoint', id);
  await store.deleteEndpoint(ctx.db, id);
  ctx.audit({
    resource: { type: 'webhook_endpoint', id },
    changes: { url: [row.url, null] },
    summary: `Webhook endpoint ${id} removed`,
  });
}

export async function rotateSecret(ctx: Ctx, id: number) {
  const row = await store.lockEndpoint(ctx, id);
  if (!row) throw notFound('webhook endpoint', id);
  const secret = newSecret();
  const previous_until = new Date(Date.parse(ctx.now) + OLD_SECRET_MS).toISOString();
  await store.updateEndpoint(ctx.db, id, { secret, previous_secret: row.secret, previous_until, updated_at: ctx.now });
  ctx.audit({
    resource: { type: 'webhook_endpoint', id },
    changes: { secret: ['(old)', '(new)'] },
    summary: `Webhook endpoint ${id}: new signing secret, the old one holds until ${previous_until}`,
  });
  return { ...(await getEndpoint(ctx, id)), secret };
}

export { selectDeliveries as listDeliveries } from './store.ts';

export async function retryDelivery(ctx: Ctx, endpointId: number, id: number): Promise<WebhookDelivery> {
  await store.requeueDelivery(ctx.db, id);
  const [delivery] = await store.selectDeliveries(ctx, endpointId, { id, limit: 1 });
  if (!delivery) throw notFound('webhook delivery', id);
  ctx.audit({
    resource: { type: 'webhook_delivery', id },
    changes: {},
    summary: `Webhook delivery ${id} (${delivery.type}): to be sent again`,
  });
  return delivery;
}

export async function getEndpoint(ctx: Ctx, id: number): Promise<WebhookEndpoint> {
  const [row] = await store.selectEndpoints(ctx.db, [id]);
  if (!row) throw notFound('webhook endpoint', id);
  return toEndpoint(row);
}

/** Refuses a URL whose host is a private address by its text. Names that resolve to one are refused when a delivery is sent. */
function refusePrivate({ services }: Ctx, url: string): void {
  if (services.config.allowPrivateWebhooks || !isPrivateHost(url)) return;
  throw refuseValue('invalid_value', '/url', 'must not be a private address or localhost, because the server calls public hosts only');
}

function toEndpoint({ id, url, events, active, disabled_reason, created_at, updated_at }: store.EndpointRow): WebhookEndpoint {
  return WebhookEndpoint.parse({ id, url, events, active: active === 1, disabled_reason, created_at, updated_at });
}

/**
 * Queues an event for each endpoint that subscribes to it, in the event's own transaction. `eventId` is the id of the stored
 * domain event.
 */
export async function queueWebhooks(
  db: Ctx['db'],
  event: { eventId: number; type: string; data: unknown; at: string; requestId: string | null },
): Promise<void> {
  const payload = JSON.stringify({ type: event.type, timestamp: event.at, data: event.data });
  await store.insertDeliveries(db, {
    type: event.type,
    message_id: `msg_${event.eventId}`,
    payload,
    created_at: event.at,
    request_id: event.requestId,
  });
}

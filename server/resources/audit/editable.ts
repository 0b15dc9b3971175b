import type { ChangeType } from '../../../contract/changes.ts';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { type EndpointId, endpointList, endpoints } from '../../../contract/index.ts';
import type { Row } from '../../db/tables.ts';

/** Which edits set which fields of the records that the audit log names, and where those are read (spec UN11). */

export type Entry = Row<'audit_log'>;

type Values = Record<string, unknown>;

/** One field that is set by an edit. */
export type Setter = {
  endpoint: Endpoint;
  path: string;
  /** The part of the edit's body that sets the field. */
  body(value: unknown): Values;
  /** What an edit that sets several fields at once takes as it is. */
  whole: readonly string[];
  /** The value that the record has; undefined: the part that has it is gone. */
  now(record: Values): unknown;
  /** Where the value is read, if the record does not show it. */
  reads?: { path: string; pick(found: unknown): unknown };
};

type Kind = {
  edits: readonly EndpointId[];
  /** Where the record is read; `listed`: among others. */
  read: EndpointId;
  listed?: true;
};

const one = (read: EndpointId, ...edits: EndpointId[]): Kind => ({ read, edits });

const kinds: { readonly [T in ChangeType]?: Kind } = {
  access_group: one('access_groups.get', 'access_groups.update', 'access_groups.replace_files', 'access_groups.replace_pages'),
  customer: one('customers.get', 'customers.update', 'customers.update_b2b'),
  customer_address: { ...one('customers.list_addresses', 'customers.update_address'), listed: true },
  customer_note: one('customers.get_note', 'customers.update_note'),
  discount_group: one('discount_groups.get', 'discount_groups.update'),
  file: one('files.get', 'files.update'),
  inquiry: one('inquiries.get', 'inquiries.update'),
  media: one('media.get', 'media.update'),
  order: one(
    'orders.get',
    ...(['orders.update_status', 'orders.update_payment_status', 'orders.update_delivery_date', 'orders.update_test_flag'] as const),
    ...(['orders.update_internal_status', 'orders.update_shipping'] as const),
  ),
  order_status: one('order_statuses.get', 'order_statuses.update'),
  page: one('pages.get', 'pages.update'),
  payment: { ...one('orders.list_payments', 'orders.update_payment'), listed: true },
  pickup_location: one('pickup_locations.get', 'pickup_locations.update'),
  product: one('products.get', 'products.update'),
  shipping_method: one('shipping_methods.get', 'shipping_methods.update'),
  tax_rate: one('tax_rates.get', 'tax_rates.update'),
  theme: one('themes.get', 'themes.update'),
  variant: one('products.get_variant', 'products.update_variant'),
  voucher: one('vouchers.get', 'vouchers.update'),
};

const widened: Readonly<Record<string, Kind | undefined>> = kinds;
const byId = new Map<string, Endpoint>(endpointList.map((endpoint) => [endpoint.id, endpoint]));

/** The endpoint by which an entry was made; undefined: none of the API, or one of an older version. */
export const endpointOf = (action: string): Endpoint | undefined => byId.get(action);

/** Fields of which the audit log keeps a mark instead of the text. */
const MARKED: Readonly<Record<string, readonly string[]>> = { page: ['content'] };
export const isMarked = (type: string, field: string): boolean => MARKED[type]?.includes(field) === true;

/** Where the record of an entry is read, and whether it is one of a list; null: no edit changes such records. */
export function readerOf(entry: Entry): { path: string; listed: boolean } | null {
  const kind = widened[entry.resource_type];
  if (!kind || entry.resource_id === null) return null;
  const { path } = endpoints[kind.read];
  const listed = kind.listed === true;
  return { path: listed ? path.replace(/\{\w+\}/, String(ownerOf(entry))) : pathOf({ path }, entry), listed };
}

/** What sets the field of an entry's record; null: no edit does. */
export function setterOf(entry: Entry, field: string): Setter | null {
  const special = ofComment(entry, field) ?? ofOrderEdit(entry, field) ?? ofTranslations(entry, field);
  if (special) return special;
  const edits = widened[entry.resource_type]?.edits ?? [];
  // The edit that set several fields sets them again together, which is one entry.
  for (const id of [...edits.filter((one) => one === entry.action), ...edits]) {
    const endpoint: Endpoint = endpoints[id];
    const shape = shapeOf(endpoint);
    if (!(field in shape)) continue;
    const body = (value: unknown) => ({ [field]: value });
    return { endpoint, path: pathOf(endpoint, entry), body, whole: WHOLE[id] ?? [], now: valueIn(field) };
  }
  return null;
}

function shapeOf({ body }: Endpoint): object {
  return body && 'shape' in body && typeof body.shape === 'object' && body.shape !== null ? body.shape : {};
}

const WHOLE: Readonly<Record<string, readonly string[]>> = {
  'access_groups.update': ['slug', 'name', 'description'],
  'customers.update_b2b': ['is_b2b', 'discount_group_id'],
  'orders.update_shipping': ['tracking_number'],
};

const LISTS: Readonly<Record<string, string>> = { file_ids: 'files', page_ids: 'pages' };

function valueIn(field: string): Setter['now'] {
  return (record) => {
    const list = LISTS[field];
    if (list === undefined || field in record) return record[field];
    return rowsOf(record[list]).map(({ id }) => id);
  };
}

/** The last name of a path is the record, the first one what it belongs to. */
function pathOf({ path }: Pick<Endpoint, 'path'>, entry: Entry): string {
  const names = [...path.matchAll(/\{\w+\}/g)].map(([name]) => name);
  return path.replaceAll(/\{\w+\}/g, (name) => String(name === names.at(-1) ? entry.resource_id : ownerOf(entry)));
}

const ownerOf = ({ order_id, customer_id }: Entry): number | null => order_id ?? customer_id;

function ofComment(entry: Entry, field: string): Setter | null {
  const id = /^comment (\d+)$/.exec(field)?.[1];
  if (id === undefined || entry.action !== 'orders.update_comment') return null;
  const path = `/orders/${entry.resource_id}/comments/${id}`;
  return {
    endpoint: endpoints['orders.update_comment'],
    path,
    body: (value) => ({ body: value }),
    whole: [],
    now: (record) => record[field],
    reads: { path, pick: (comment) => (isValues(comment) ? comment['body'] : undefined) },
  };
}

function ofTranslations(entry: Entry, field: string): Setter | null {
  if (entry.resource_type !== 'page' || field !== 'translations') return null;
  const endpoint = endpoints['pages.replace_translations'];
  const path = `/pages/${entry.resource_id}/translations`;
  const body = (value: unknown) => ({ entries: value });
  return { endpoint, path, body, whole: [], now: (record) => record[field], reads: { path, pick: (found) => found } };
}

/** The fields of an order as its edit takes them. */
const ORDER_FIELDS: Readonly<Record<string, readonly [string, string?]>> = {
  customer_name: ['customer', 'name'],
  customer_email: ['customer', 'email'],
  customer_phone: ['customer', 'phone'],
  shipping_line1: ['shipping_address', 'line1'],
  shipping_line2: ['shipping_address', 'line2'],
  shipping_city: ['shipping_address', 'city'],
  shipping_state: ['shipping_address', 'state'],
  shipping_postal_code: ['shipping_address', 'postal_code'],
  shipping_country: ['shipping_address', 'country'],
  shipping_method: ['shipping', 'method'],
  shipping_cost: ['shipping', 'cost_cents'],
  voucher_code: ['voucher_code'],
  discount_amount: ['discount_amount_cents'],
  discount_reason: ['discount_reason'],
  delivery_date: ['delivery_date'],
  internal_notes: ['internal_notes'],
};
const LINE_FIELDS: Readonly<Record<string, readonly [sent: string, shown: string]>> = {
  quantity: ['quantity', 'quantity'],
  price: ['unit_price_override_cents', 'unit_price'],
  'custom fields': ['custom_field_values', 'custom_fields'],
};

function ofOrderEdit(entry: Entry, field: string): Setter | null {
  if (entry.action !== 'orders.edit') return null;
  const endpoint: Endpoint = endpoints['orders.edit'];
  const path = `/orders/${entry.resource_id}/edit`;
  const [, line, part = ''] = /^item (\d+) (.+)$/.exec(field) ?? [];
  const ofLine = LINE_FIELDS[part];
  if (line !== undefined && ofLine) {
    const [sent, shown] = ofLine;
    const item = (record: Values) => rowsOf(record['items']).find(({ id }) => id === Number(line));
    const body = (value: unknown) => ({ items: [{ id: Number(line), [sent]: value }] });
    return { endpoint, path, body, whole: [], now: (record) => item(record)?.[shown] };
  }
  const place = ORDER_FIELDS[field];
  if (!place) return null;
  const [outer, inner] = place;
  const body = (value: unknown) => ({ [outer]: inner === undefined ? value : { [inner]: value } });
  return { endpoint, path, body, whole: [], now: (record) => record[field] };
}

/** A voucher of the order changes these sums, so an edit does not set them to what they were. */
export function followsVoucher(entry: Entry, field: string, changes: Values, record: Values): boolean {
  if (entry.action !== 'orders.edit' || (field !== 'discount_amount' && field !== 'shipping_cost')) return false;
  return 'voucher_code' in changes || record['voucher_code'] !== null;
}

/** Joins the bodies of edits by one endpoint: members of objects, lines of the same item. */
export function joinBodies(bodies: readonly Values[]): Values {
  const joined: Values = {};
  for (const body of bodies) {
    for (const [name, value] of Object.entries(body)) {
      const known = joined[name];
      if (Array.isArray(known) && name === 'items') joined[name] = joinLines(rowsOf([...known, ...rowsOf(value)]));
      else joined[name] = isValues(known) && isValues(value) ? { ...known, ...value } : value;
    }
  }
  return joined;
}

function joinLines(lines: readonly Values[]): Values[] {
  const byLine = new Map<unknown, Values>();
  for (const line of lines) byLine.set(line['id'], { ...byLine.get(line['id']), ...line });
  return [...byLine.values()];
}

export function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function rowsOf(value: unknown): Values[] {
  return Array.isArray(value) ? value.filter(isValues) : [];
}

import { counted } from '../language/formats.ts';
import { translated, type Words } from '../language/translated.ts';

/** The kinds of records that runs change: of one, and of several. */
const english = {
  access_grant: { one: 'access grant', many: 'access grants' },
  access_group: { one: 'access group', many: 'access groups' },
  credit_bucket: { one: 'credit', many: 'credits' },
  customer: { one: 'customer', many: 'customers' },
  customer_address: { one: 'customer address', many: 'customer addresses' },
  customer_file: { one: 'customer file', many: 'customer files' },
  customer_note: { one: 'customer note', many: 'customer notes' },
  discount_group: { one: 'discount group', many: 'discount groups' },
  file: { one: 'file', many: 'files' },
  http_request: { one: 'request to another system', many: 'requests to other systems' },
  llm_completion: { one: 'completion', many: 'completions' },
  inquiry: { one: 'inquiry', many: 'inquiries' },
  mail: { one: 'mail', many: 'mails' },
  media: { one: 'image', many: 'images' },
  notification: { one: 'notification', many: 'notifications' },
  order: { one: 'order', many: 'orders' },
  order_status: { one: 'internal status', many: 'internal statuses' },
  page: { one: 'page', many: 'pages' },
  payment: { one: 'payment', many: 'payments' },
  pickup_location: { one: 'pickup location', many: 'pickup locations' },
  product: { one: 'product', many: 'products' },
  run: { one: 'run', many: 'runs' },
  shipment: { one: 'shipment', many: 'shipments' },
  shipping_method: { one: 'shipping method', many: 'shipping methods' },
  subscription: { one: 'subscription', many: 'subscriptions' },
  tax_rate: { one: 'tax rate', many: 'tax rates' },
  theme: { one: 'theme', many: 'themes' },
  variant: { one: 'variant', many: 'variants' },
  voucher: { one: 'voucher', many: 'vouchers' },
  /** Of a kind that has no word here. */
  other: { one: 'record', many: 'records' },
} as const;

export type KindsText = Words<typeof english>;
const kinds: Readonly<Record<string, KindsText['other']>> & KindsText = translated('kinds', english);

const words = (kind: string): KindsText['other'] => (Object.hasOwn(kinds, kind) ? kinds[kind] : undefined) ?? kinds.other;

/** `customer_note` of one is "customer note"; kinds without words here are told as the API calls them. */
export const kindText = (kind: string): string => (Object.hasOwn(kinds, kind) ? words(kind).one : kind.replaceAll('_', ' '));

/** How many of a kind: `3 orders`. */
export const countedKind = (kind: string, count: number): string => counted(count, words(kind).one, words(kind).many);

/** How many of each kind: `3 orders, 1 customer`. */
export const countedKinds = (kinds: Readonly<Record<string, number>>): string =>
  Object.entries(kinds)
    .map(([kind, count]) => countedKind(kind, count))
    .join(', ');

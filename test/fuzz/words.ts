import fc from 'fast-check';
import { Seen, type Sketch } from './sketch.ts';

/** What the schemas alone do not tell: values that fields of these names take, and where ids come from. */

/** Fields with the id of a record, by the path of such records; `{}` stands for an id. */
export const idFields: Readonly<Record<string, string>> = {
  admin_id: '/admins/{}',
  actor_id: '/admins/{}',
  address_id: '/customers/{}/addresses/{}',
  customer_id: '/customers/{}',
  discount_group_id: '/discount-groups/{}',
  file_ids: '/files/{}',
  group_id: '/access-groups/{}',
  internal_status_id: '/order-statuses/{}',
  media_ids: '/media/{}',
  og_image_media_id: '/media/{}',
  page_ids: '/pages/{}',
  product_id: '/products/{}',
  reassign_to: '/order-statuses/{}',
  task_id: '/ai-tasks/{}',
  tax_rate_id: '/tax-rates/{}',
  theme_id: '/themes/{}',
  variant_id: '/variants/{}',
};

/** Fields whose value an answer shows under another name. */
const shownAs: Readonly<Record<string, string>> = {
  after: 'changes_cursor',
  base_version_id: 'version_id',
  cursor: 'next_cursor',
  expected_stock: 'stock',
  may_start: 'task_id',
  number: 'public_id',
  resume_run_id: 'run_id',
  voucher_code: 'code',
  task_ids: 'task_id',
  prompt_ids: 'id',
  run_ids: 'run_id',
};

const either = (...values: string[]): fc.Arbitrary<string> => fc.constantFrom(...values);

/** Few values for fields that must be unique, so that some are taken. */
const known: Readonly<Record<string, fc.Arbitrary<Sketch>>> = {
  base_url: either('http://127.0.0.1:9/v1'),
  code: either('SPRING', 'spring', 'SUMMER-10', 'ß', 'SS', 'x'),
  color: either('#336699', '#FFFFFF', 'red'),
  country: either('AT', 'DE', 'HU', 'at'),
  countries: either('AT', 'DE', 'HU'),
  cron: either('0 4 1 1 *', '*/5 * * * *', '@daily', '61 * * * *'),
  currency: either('EUR', 'USD', 'HUF', 'XXX'),
  email: either('ann@example.com', 'Ann@Example.com', 'bo@example.com', 'cy@example.org', 'ä@example.com', ' ann@example.com'),
  // Nothing leaves the machine: a port of the loopback interface at which nobody listens.
  host: either('127.0.0.1'),
  hosts: either('127.0.0.1', 'api.example.com'),
  easypost_api_key: fc.constant(null),
  from: either('shop@example.com', 'Shop <shop@example.com>'),
  locale: either('de', 'en', 'hu', 'en-GB', 'x_y'),
  locales: either('de', 'en', 'hu'),
  locker_networks: either('foxpost', 'gls'),
  month: either('2026-05', '2026-13'),
  permissions: either('admin_api.orders.read', 'admin_api.customers.write', 'admin_api.products.read', 'file_download', 'llm'),
  port: fc.constant(9),
  provider: either('manual'),
  public_url: fc.constantFrom<Sketch>(null, 'https://shop.example.com', 'http://127.0.0.1'),
  screen: either('orders', 'customers'),
  slug: either('alpha', 'beta', 'gamma-1', 'z', 'Not a slug', `a${'b'.repeat(99)}`),
  sku: either('SKU-1', 'sku-1', 'SKU-2', 'SKU-3', 'Ä'),
  source_code: either(
    'log(1)',
    'export default () => parameters',
    'const = ',
    "import { admin } from 'backroom'; await admin.orders.list({})",
  ),
  timezone: either('UTC', 'Europe/Vienna', 'America/New_York', 'Mars/Base'),
  total_min: either('0', '19.99', '1e3'),
  total_max: either('0', '100.00', '-1'),
  url: either('http://127.0.0.1:9/hook', 'https://fuzz.invalid/hook', 'ftp://127.0.0.1'),
  wait_ms: fc.constant(0),
};

/** Words for parameters of paths that are not ids. */
export const pathWords: Readonly<Record<string, readonly string[]>> = {
  event_type: ['order_placed', 'low_stock', 'nothing'],
  key: ['cursor', 'a.b', '%C3%A4', 'x'.repeat(200)],
  locker_network: ['foxpost', 'gls'],
  name: ['first', 'second', '%C3%A4.csv'],
  path: ['pages/alpha', 'parts/sample', 'layout', 'a//b'],
};

/** Values for a field by its name; null where the name says nothing. `plain` makes values that fit its schema. */
export function valuesByName(name: string, plain: fc.Arbitrary<Sketch>): fc.Arbitrary<Sketch> | null {
  const words = Object.hasOwn(known, name) ? known[name] : undefined;
  if (words) return FIXED.has(name) ? words : fc.oneof({ weight: 8, arbitrary: words }, { weight: 1, arbitrary: plain });
  const source = Object.hasOwn(shownAs, name) ? shownAs[name] : undefined;
  if (source !== undefined) return seenAs(source, plain, 4);
  if (/(^|_)ids?$/.test(name)) return seenAs(name, fc.constantFrom(1, 424_242), 8);
  return null;
}

/** Fields that get nothing else, because with another value the server would ask other machines, or wait. */
const FIXED = new Set(['base_url', 'easypost_api_key', 'host', 'port', 'provider', 'wait_ms']);

/** A value that earlier answers showed under this name, `weight` times as often as another one. */
export function seenAs(name: string, plain: fc.Arbitrary<Sketch>, weight: number): fc.Arbitrary<Sketch> {
  const otherwise = plain.filter((value) => !(value instanceof Seen) && (typeof value !== 'object' || value === null));
  const seen = fc.tuple(fc.nat({ max: 7 }), otherwise).map(([n, value]) => new Seen(name, n, leafOf(value)));
  return fc.oneof({ weight, arbitrary: seen }, { weight: 1, arbitrary: plain });
}

function leafOf(value: Sketch): null | boolean | number | string {
  return typeof value === 'object' ? null : value;
}

/**
 * Exports the orders that are new or changed since the last run as CSV to S3-compatible storage. Write the address of your bucket here and
 * in `http_allow`, and store its access key as the secrets `exports_key_id` and `exports_secret_key`, for the host of the bucket: the server
 * signs each request with them. Give the task a schedule such as `0 2 * * *`. A run that fails exports the same orders the next time. A run
 * stores at most 190 files, of some thousand orders each, and the next one goes on where it ended.
 */
import { log, progress, shop, state } from 'backroom';
import type { Script } from './export-orders.permissions.ts';

declare const admin: Script['admin'];
declare const http: Script['http'];

const BUCKET = 'https://exports.s3.example.com';
const REGION = 'us-east-1';
/** A request may send 1 MiB. */
const FILE_MAX_BYTES = 900_000;
/** A dry run may make 200 writes. */
const FILES_MAX = 190;
/** Where the list of changes is read on: at the cursor of a page, or after all that had changed. */
type Place = { after: string; cursor?: string } | string;

export default async function main() {
  let place = (await state.get<Place>('after')) ?? 'start';
  const time = new Date().toISOString().replaceAll(':', '-');
  let [orders, files, bytes] = [0, 0, 0];
  let rows: string[] = [];
  const storeRows = async (): Promise<void> => {
    files += 1;
    await store(`orders/${time}-${files}.csv`, rows);
    [rows, bytes] = [[], 0];
  };
  do {
    const from = typeof place === 'string' ? { after: place } : place;
    const page = await admin.orders.list({ ...from, per_page: 100 });
    for (const row of page.data.map(rowOf)) {
      // Each file is stored as soon as it is full, so that a large shop does not fill the memory.
      if (bytes + row.length * 3 > FILE_MAX_BYTES) await storeRows();
      rows.push(row);
      bytes += row.length * 3;
    }
    orders += page.data.length;
    progress(orders, page.total, 'orders read');
    place = page.next_cursor === null ? (page.changes_cursor ?? from.after) : { after: from.after, cursor: page.next_cursor };
  } while (typeof place !== 'string' && files < FILES_MAX - 1);
  if (rows.length > 0) await storeRows();
  if (orders > 0) await state.set('after', place);
  if (typeof place !== 'string') log('More orders are left for the next run');
  return { orders, files };
}

type Order = Awaited<ReturnType<Script['admin']['orders']['list']>>['data'][number];

function rowOf({ id, public_id, created_at, status, payment_status, customer_email, currency, total }: Order): string {
  const values = [id, public_id, created_at, status, payment_status, customer_email, currency, shop.decimal(total, currency)];
  return values.map(cell).join(',');
}

async function store(key: string, rows: readonly string[]): Promise<void> {
  const { status } = await http.request({
    method: 'PUT',
    url: `${BUCKET}/${key}`,
    headers: { 'content-type': 'text/csv' },
    body: ['id,order,created_at,status,payment_status,email,currency,total', ...rows, ''].join('\n'),
    sign: {
      scheme: 'aws-sigv4',
      access_key_id: 'exports_key_id',
      secret_access_key: 'exports_secret_key',
      region: REGION,
      service: 's3',
    },
    // To store the same file twice does no harm, so it is sent again where the answer was lost.
    repeat: true,
    sample: { status: 200 },
  });
  if (status !== 200) throw new Error(`the storage answered ${status}`);
}

/** A spreadsheet would take a text that begins with one of these characters for a formula. */
function cell(value: string | number): string {
  const text = String(value).replace(/^[=+\-@\t\r]/, "'$&");
  return `"${text.replaceAll('"', '""')}"`;
}

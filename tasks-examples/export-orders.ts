/**
 * Exports the orders that are new or changed since the last run as CSV to S3-compatible storage. A small service of yours holds the
 * storage's keys: asked for a key such as `orders/….csv`, it answers `{"url": "https://…"}`, the signed URL to PUT this file. The secret
 * `signer_token` is for its host. Give the task a schedule such as `0 2 * * *`. A run that fails exports the same orders the next time.
 */
import { progress, secret, shop, state } from 'backroom';
import type { Admin, Http } from './export-orders.permissions.ts';

declare const admin: Admin;
declare const http: Http;

/** A request may send 1 MiB. */
const FILE_MAX_BYTES = 900_000;

export default async function main() {
  const changed = admin.orders.each({ after: (await state.get<string>('after')) ?? 'start' });
  const time = new Date().toISOString().replaceAll(':', '-');
  let [orders, files, bytes] = [0, 0, 0];
  let rows: string[] = [];
  const storeRows = async (): Promise<void> => {
    files += 1;
    await store(`orders/${time}-${files}.csv`, rows);
    [rows, bytes] = [[], 0];
  };
  for await (const { id, public_id, created_at, status, payment_status, customer_email, currency, total } of changed) {
    const values = [id, public_id, created_at, status, payment_status, customer_email, currency, shop.decimal(total, currency)];
    const row = values.map(cell).join(',');
    // Each file is stored as soon as it is full, so that a large shop does not fill the memory.
    if (bytes + row.length * 3 > FILE_MAX_BYTES) await storeRows();
    rows.push(row);
    bytes += row.length * 3;
    orders += 1;
    progress(orders, orders, 'orders read');
  }
  if (rows.length > 0) await storeRows();
  if (orders > 0) await state.set('after', changed.changes_cursor);
  return { orders, files };
}

async function store(key: string, rows: readonly string[]): Promise<void> {
  const signed = await http.request({
    method: 'POST',
    url: 'https://signer.example.com/uploads',
    headers: { authorization: `Bearer ${secret('signer_token')}` },
    body: { key },
    // To sign, or to store the same file, twice does no harm, so both are sent again where the answer was lost.
    repeat: true,
    sample: { status: 200, body: { url: `https://exports.s3.example.com/${key}` } },
  });
  if (signed.status !== 200) throw new Error(`the signing service answered ${signed.status}`);
  const { status } = await http.request({
    method: 'PUT',
    url: String(JSON.parse(signed.body).url),
    headers: { 'content-type': 'text/csv' },
    body: ['id,order,created_at,status,payment_status,email,currency,total', ...rows, ''].join('\n'),
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

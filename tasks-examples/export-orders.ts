/**
 * Exports the orders that are new or changed since the last run as CSV to S3-compatible storage. A small service of yours holds the
 * storage's keys: asked for a key such as `orders/….csv`, it answers `{"url": "https://…"}`, the signed URL to PUT this file. The secret
 * `signer_token` is for its host. Give the task a schedule such as `0 2 * * *`. A run that fails exports the same orders the next time.
 */
import { progress, secret, shop, state } from 'backroom';
import type { Admin, Http } from './export-orders.permissions.ts';

declare const admin: Admin;
declare const http: Http;

/** So many rows stay below the 1 MiB that a request may send. */
const ROWS_MAX = 2000;

export default async function main() {
  const changed = admin.orders.each({ after: (await state.get<string>('after')) ?? 'start' });
  const rows: string[] = [];
  for await (const { id, public_id, created_at, status, payment_status, customer_email, currency, total } of changed)
    rows.push(
      [id, public_id, created_at, status, payment_status, customer_email, currency, shop.decimal(total, currency)].map(cell).join(','),
    );
  if (rows.length === 0) return { orders: 0, files: 0 };

  const time = new Date().toISOString().replaceAll(':', '-');
  let files = 0;
  for (let from = 0; from < rows.length; from += ROWS_MAX) {
    files += 1;
    await store(`orders/${time}-${files}.csv`, rows.slice(from, from + ROWS_MAX));
    progress(Math.min(from + ROWS_MAX, rows.length), rows.length, 'orders exported');
  }
  await state.set('after', changed.changes_cursor);
  return { orders: rows.length, files };
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

/**
 * Sends orders to a sheet of Google: each run posts the orders that are new or changed since the last one, at most 100 at once. The secret
 * `sheet_script` for the host script.google.com is what stands between `/s/` and `/exec` in the address of the sheet's web app (Extensions →
 * Apps Script → Deploy). Its `doPost(e)` gets `{rows: [[number, day, name, total, currency, status, payment], …]}` as
 * `e.postData.contents`; it should overwrite the row with the same number, because an order comes again when it has changed. For another
 * system that takes rows by POST, change the address here and in `http_allow`.
 */
import { checkpoint, last_checkpoint, log, once, parameters, progress, result, secret, shop, state } from 'backroom';
import type { Script } from './orders-to-sheet.permissions.ts';

declare const admin: Script['admin'];
declare const http: Script['http'];

const ROWS_MAX = 100;
/** Where the list of changes is read on: at the cursor of a page, or after all that had changed. */
type Place = { after: string; cursor?: string } | string;
type Row = [number: string, day: string, name: string, total: string, currency: string, status: string, payment: string];
type Work = { rows: Row[]; place: Place };

export default async function main() {
  const { rows, place } = await once('orders', findChanged);
  let done = Number(last_checkpoint?.done ?? 0);
  while (done < rows.length) {
    const batch = rows.slice(done, done + ROWS_MAX);
    await post(batch);
    for (const [number, day] of batch) result('sent', number, { day });
    done += batch.length;
    progress(done, rows.length, 'orders');
    await checkpoint({ done });
  }
  if (rows.length > 0) await state.set('after', place);
  if (typeof place !== 'string') log('More orders are left for the next run');
  return { sent: rows.length };
}

async function post(rows: readonly Row[]): Promise<void> {
  const { status, body } = await http.request({
    method: 'POST',
    url: `https://script.google.com/macros/s/${secret('sheet_script')}/exec`,
    body: { rows },
    // The sheet overwrites the row with the same number, so a lost answer is asked for again.
    repeat: true,
    sample: { status: 200, body: 'ok' },
  });
  if (status !== 200) throw new Error(`the sheet answered ${status}: ${body.slice(0, 200)}`);
}

async function findChanged(): Promise<Work> {
  let place = (await state.get<Place>('after')) ?? 'start';
  const max = Math.max(1, Number(parameters.max));
  const rows: Row[] = [];
  do {
    const from = typeof place === 'string' ? { after: place } : place;
    const page = await admin.orders.list({ ...from, per_page: Math.min(100, max - rows.length) });
    rows.push(...page.data.map(rowOf));
    place = page.next_cursor === null ? (page.changes_cursor ?? from.after) : { after: from.after, cursor: page.next_cursor };
  } while (typeof place !== 'string' && rows.length < max);
  return { rows, place };
}

type Order = Awaited<ReturnType<typeof admin.orders.list>>['data'][number];

function rowOf({ public_id, created_at, customer_name, total, currency, status, payment_status }: Order): Row {
  const amount = shop.decimal(total, currency);
  return [public_id, shop.day(created_at), unformula(customer_name), amount, currency, status, payment_status];
}

/** A customer's name must be no formula in the sheet. */
const unformula = (text: string): string => (/^\s*[=+\-@]/.test(text) ? `'${text.trimStart()}` : text);

import { EXPORT_MAX } from '../../../contract/customers.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { At } from '../../db/open.ts';
import type { Services } from '../../services.ts';
import { type Cell, CSV_MARK, csvLine, decimal } from '../../values/csv.ts';
import { dayIn } from '../../values/dates.ts';
import type { Settings } from '../../values/settings.ts';
import { type FileAnswer, madeFile } from '../../verbs/file-answer.ts';
import { matchingIds } from './domain.ts';
import { type ExportedRow, selectExported } from './export-store.ts';

const HEAD = [
  ...['id', 'name', 'email', 'phone', 'registered', 'is_b2b', 'discount_group', 'marketing_opt_out', 'created_at', 'anonymised_at'],
  ...['order_count', 'total_spent', 'last_order_at', 'credits'],
];
/** So many customers are read at once; the next ones when the client has taken these. */
const CHUNK = 500;

/**
 * A table of the customers that match, or of those with these ids, each as it is when its line is written; who is deleted meanwhile is
 * left out. Only the ids are held in memory.
 */
export async function exportCustomers(
  { store, settings }: Services,
  { ids: chosen, ...query }: InputOf<Endpoints['customers.export']>['query'],
): Promise<FileAnswer> {
  const shop = await settings.get(store.reader);
  const now = new Date().toISOString();
  const { dialect } = store;
  const ids = chosen ? idsIn(chosen) : await store.heavySnapshot((db) => matchingIds({ db, dialect, settings: shop }, query, EXPORT_MAX));
  const read = (some: readonly number[]) => store.heavySnapshot((db) => linesOf({ db, dialect }, some, shop, now));
  return madeFile(`customers-${dayIn(now, shop.timezone)}.csv`, 'text/csv; charset=utf-8', async function* () {
    yield `${CSV_MARK}${csvLine(HEAD)}`;
    for (let at = 0; at < ids.length; at += CHUNK) yield await read(ids.slice(at, at + CHUNK));
  });
}

const idsIn = (text: string): number[] => [...new Set(text.split(',').map(Number))];

async function linesOf(at: At, ids: readonly number[], shop: Settings, now: string): Promise<string> {
  const rows = new Map((await selectExported(at, ids, now)).map((row) => [row.id, row]));
  return ids
    .flatMap((id) => rows.get(id) ?? [])
    .map((row) => csvLine(cellsOf(row, shop.currency_exponent)))
    .join('');
}

function cellsOf(row: ExportedRow, exponent: number): Cell[] {
  const { id, name, email, phone, registered, is_b2b, discount_group, marketing_opt_out, created_at, anonymised_at } = row;
  return [
    ...[id, name, email, phone, registered === 1, is_b2b === 1, discount_group, marketing_opt_out === 1, created_at, anonymised_at],
    ...[row.order_count ?? 0, decimal(row.total_spent ?? 0, exponent), row.last_order_at, row.credits ?? 0],
  ];
}

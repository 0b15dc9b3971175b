import type { At } from '../open.ts';
import { lastIds } from './counters.ts';
import { keyOf, keyText, openPages, type Pages, type Row, type Value } from './rows.ts';
import { CHANGED_IN, type Table } from './tables.ts';

/** How many differences of one table are named; the others are counted. */
const NAMED = 20;

/** `rows`: how many rows the source and the target have. `faults`: the first of the `count` differences. */
export type Compared = { table: string; rows: { source: number; target: number }; count: number; faults: string[] };

/** Compares every row of a table, in the order of its key; of each store only a page is in memory. `onRows` is told how many were compared. */
export async function compareTable(source: At, target: At, table: Table, onRows: (rows: number) => void): Promise<Compared> {
  const [one, other] = [await openCursor(source, table), await openCursor(target, table)];
  const compared: Compared = { table: table.name, rows: { source: 0, target: 0 }, count: 0, faults: [] };
  const differs = (row: Row, how: string): void => {
    compared.count += 1;
    if (compared.faults.length < NAMED) compared.faults.push(`${keyText(table, keyOf(table, row))}: ${how}`);
  };
  const columns = table.columns.map(({ name }) => name).filter((name) => name !== CHANGED_IN && !table.key.includes(name));
  while (!(one.isEnded && other.isEnded)) {
    await Promise.all([fill(one), fill(other)]);
    const before = one.next;
    for (;;) {
      const [left, right] = [one.rows[one.next], other.rows[other.next]];
      // A side without a row must be read on, unless it has no more.
      if ((!left && !one.isEnded) || (!right && !other.isEnded) || !(left || right)) break;
      const order = !left ? 1 : !right ? -1 : compareKeys(table, left, right);
      if (left && order < 0) differs(left, 'is not in the target');
      if (right && order > 0) differs(right, 'is not in the source');
      if (left && right && order === 0) {
        const different = columns.filter((name) => !isSame(left[name], right[name]));
        if (different.length > 0) differs(left, `${different.join(', ')} ${different.length === 1 ? 'differs' : 'differ'}`);
      }
      if (order <= 0) one.next += 1;
      if (order >= 0) other.next += 1;
    }
    onRows(one.next - before);
  }
  compared.rows = { source: one.count, target: other.count };
  return compared;
}

/** A place among the rows of a table: a page, and which row of it is next. */
type Cursor = { pages: Pages; table: Table; rows: readonly Row[]; next: number; count: number; isEnded: boolean };

async function openCursor(at: At, table: Table): Promise<Cursor> {
  return { pages: await openPages(at, table), table, rows: [], next: 0, count: 0, isEnded: false };
}

/** Reads the next page when the present one is used up. */
async function fill(cursor: Cursor): Promise<void> {
  if (cursor.isEnded || cursor.next < cursor.rows.length) return;
  const last = cursor.rows.at(-1);
  cursor.rows = await cursor.pages(last ? keyOf(cursor.table, last) : null);
  cursor.next = 0;
  cursor.count += cursor.rows.length;
  cursor.isEnded = cursor.rows.length === 0;
}

/** Below 0 if the first key comes before the second in both engines: numbers by value, texts by the bytes of their UTF-8. */
function compareKeys({ key }: Table, left: Row, right: Row): number {
  for (const name of key) {
    const [one, other] = [left[name], right[name]];
    if (one === other) continue;
    if (typeof one === 'number' && typeof other === 'number') return one - other;
    return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
  }
  return 0;
}

function isSame(one: Value | undefined, other: Value | undefined): boolean {
  return one === other || (one instanceof Uint8Array && other instanceof Uint8Array && Buffer.compare(one, other) === 0);
}

/** Whether the target gives ids behind those that the source has given; it may have given more since. */
export async function compareCounters(source: At, target: At, tables: readonly Table[]): Promise<Compared> {
  const counted = tables.filter(({ hasCounter }) => hasCounter);
  const [given, goesOn] = [await lastIds(source, tables), await lastIds(target, tables)];
  const faults = counted.flatMap(({ name }) => {
    const [last, present] = [given.get(name) ?? 0, goesOn.get(name) ?? 0];
    return present < last ? [`${name}: the source has given ids up to ${last}, the target goes on behind ${present}`] : [];
  });
  return {
    table: 'the ids of new records',
    rows: { source: counted.length, target: counted.length },
    count: faults.length,
    faults: faults.slice(0, NAMED),
  };
}

import { sql } from 'kysely';
import type { Db } from '../open.ts';
import type { VersionedTable } from '../tables.ts';
import { statement } from './statement.ts';

type Versioned = { row_version: number };

/** Makes a function that finds the row version of the row named by the path parameter `id`; null if there is none. */
export function rowVersion(table: VersionedTable): (db: Db, params: { readonly id?: string | number }) => Promise<number | null> {
  const select = statement<{ id: number }, Versioned>(
    (value) => sql`SELECT row_version FROM ${sql.table(table)} WHERE id = ${value('id')}`,
  );
  return async (db, { id }) => {
    const [row] = await select(db, { id: Number(id) });
    return row?.row_version ?? null;
  };
}

/** Makes the same for records that only have the version of their order; null also if the record belongs to another order. */
export function orderVersionOf(part: 'payments' | 'shipments'): (db: Db, place: { id: number; orderId: number }) => Promise<number | null> {
  const select = statement<{ id: number; orderId: number }, Versioned>(
    (value) => sql`
      SELECT o.row_version FROM ${sql.table(part)} p JOIN orders o ON o.id = p.order_id
      WHERE p.id = ${value('id')} AND p.order_id = ${value('orderId')}`,
  );
  return async (db, place) => {
    const [row] = await select(db, place);
    return row?.row_version ?? null;
  };
}

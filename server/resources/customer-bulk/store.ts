import { sql } from 'kysely';
import type { At } from '../../db/open.ts';
import { idRows } from '../../db/queries/about.ts';

export type Chosen = { id: number; is_b2b: boolean; discount_group_id: number | null; anonymised_at: string | null; credits: number };

/** Those of the customers who exist, with their credits that have not expired. */
export async function selectChosen({ db, dialect }: At, ids: readonly number[], now: string): Promise<Map<number, Chosen>> {
  const chosen = idRows(dialect, ids);
  const { rows } = await sql<Omit<Chosen, 'is_b2b'> & { is_b2b: number }>`
    SELECT c.id, c.is_b2b, c.discount_group_id, c.anonymised_at, coalesce(b.credits, 0) AS credits
    FROM customers c LEFT JOIN (
      SELECT customer_id, CAST(sum(remaining_credits) AS bigint) AS credits FROM credit_buckets
      WHERE customer_id IN ${chosen} AND (expires_at IS NULL OR expires_at > ${now}) GROUP BY customer_id) AS b ON b.customer_id = c.id
    WHERE c.id IN ${chosen}`.execute(db);
  return new Map(rows.map((row) => [row.id, { ...row, is_b2b: row.is_b2b === 1 }]));
}

/** Locks customers, in the order of their ids. */
export async function lockChosen({ db, dialect }: At, ids: readonly number[]): Promise<void> {
  await db
    .selectFrom('customers')
    .select('id')
    .where('id', 'in', idRows(dialect, ids))
    .orderBy('id')
    .modifyEnd(dialect.forUpdate)
    .execute();
}

import { sql } from 'kysely';
import type { At } from '../../db/open.ts';
import { idRows } from '../../db/queries/about.ts';
import { counted, spent } from './store.ts';

export type ExportedRow = {
  id: number;
  name: string;
  email: string;
  phone: string | null;
  registered: number;
  is_b2b: number;
  discount_group: string | null;
  marketing_opt_out: number;
  created_at: string;
  anonymised_at: string | null;
  order_count: number | null;
  total_spent: number | null;
  last_order_at: string | null;
  credits: number | null;
};

/** Customers with their figures, as `selectFigures` counts them; those who exist, in any order. */
export async function selectExported({ db, dialect }: At, ids: readonly number[], now: string): Promise<ExportedRow[]> {
  const chosen = idRows(dialect, ids);
  const { rows } = await sql<ExportedRow>`
    SELECT c.id, c.name, c.email, c.phone, c.registered, c.is_b2b, g.name AS discount_group, c.marketing_opt_out, c.created_at,
      c.anonymised_at, o.order_count, o.total_spent, o.last_order_at, b.credits
    FROM customers c
    LEFT JOIN discount_groups g ON g.id = c.discount_group_id
    LEFT JOIN (
      SELECT customer_id, CAST(count(CASE WHEN ${counted} THEN 1 END) AS bigint) AS order_count,
        CAST(coalesce(sum(CASE WHEN ${spent} THEN total END), 0) AS bigint) AS total_spent,
        max(CASE WHEN ${counted} THEN created_at END) AS last_order_at
      FROM orders WHERE customer_id IN ${chosen} GROUP BY customer_id) AS o ON o.customer_id = c.id
    LEFT JOIN (
      SELECT customer_id, CAST(sum(remaining_credits) AS bigint) AS credits FROM credit_buckets
      WHERE customer_id IN ${chosen} AND (expires_at IS NULL OR expires_at > ${now}) GROUP BY customer_id) AS b ON b.customer_id = c.id
    WHERE c.id IN ${chosen}`.execute(db);
  return rows;
}

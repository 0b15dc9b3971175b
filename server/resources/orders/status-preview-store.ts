import { sql } from 'kysely';
import type { OrderStatus, OrderStatusPreview } from '../../../contract/orders.ts';
import type { At, Db } from '../../db/open.ts';
import { idRows } from '../../db/queries/about.ts';

/** The orders that exist, in the order of their ids. */
export async function selectStatuses({ db, dialect }: At, ids: readonly number[]): Promise<{ id: number; status: OrderStatus }[]> {
  const { rows } = await sql<{ id: number; status: OrderStatus }>`
    SELECT id, status FROM orders WHERE id IN ${idRows(dialect, ids)} ORDER BY id`.execute(db);
  return rows;
}

type Losses = Omit<OrderStatusPreview, 'from' | 'new_downloads' | 'started_tasks'>;

/** What ends, comes back or stays when these orders are cancelled. `since`: the reason of the movements that give stock back for good. */
export async function selectLosses({ db, dialect }: At, ids: readonly number[], now: string, since: string): Promise<Losses> {
  const chosen = idRows(dialect, ids);
  const { rows } = await sql<Losses>`
    SELECT
      (SELECT CAST(coalesce(sum(held), 0) AS bigint) FROM (
        SELECT -sum(m.delta) AS held FROM orders o JOIN stock_movements m ON m.order_id = o.id
        JOIN variants v ON v.id = m.variant_id AND v.track_stock = 1
        WHERE o.id IN ${chosen} AND o.status IN ('pending', 'processing') AND m.id > coalesce((
          SELECT max(e.id) FROM stock_movements e WHERE e.order_id = m.order_id AND e.reason = ${since}), 0)
        GROUP BY m.order_id, m.variant_id) AS variants_held WHERE held > 0) AS returned_pieces,
      (SELECT count(*) FROM orders WHERE id IN ${chosen} AND status IN ('shipped', 'delivered')) AS sent_orders,
      (SELECT count(*) FROM orders WHERE id IN ${chosen} AND voucher_code IS NOT NULL) AS returned_vouchers,
      (SELECT count(*) FROM orders
        WHERE id IN ${chosen} AND coalesce(paid_amount, CASE WHEN payment_status = 'paid' THEN total ELSE 0 END) > 0) AS paid_orders,
      (SELECT count(*) FROM shipments WHERE order_id IN ${chosen} AND label_url IS NOT NULL) AS bought_labels,
      (SELECT count(*) FROM downloads WHERE order_id IN ${chosen} AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > ${now}) AND (remaining IS NULL OR remaining > 0)) AS ended_downloads,
      (SELECT count(*) FROM entitlements WHERE order_id IN ${chosen} AND withheld IS NULL
        AND (expires_at IS NULL OR expires_at > ${now})) AS ended_accesses`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a query without FROM gave no row');
  return row;
}

/** The files of digital lines that get a link, or get theirs again (spec O15). */
export async function countNewDownloads({ db, dialect }: At, ids: readonly number[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM order_items i JOIN products p ON p.id = i.product_id AND p.kind = 'digital'
    JOIN product_files f ON f.product_id = p.id
    LEFT JOIN downloads d ON d.order_item_id = i.id AND d.file_id = f.file_id
    WHERE i.order_id IN ${idRows(dialect, ids)} AND (d.id IS NULL OR d.revoked_at IS NOT NULL)`.execute(db);
  return rows[0]?.n ?? 0;
}

/** The tasks with a trigger for one of these events that is on. */
export async function countListeningTasks(db: Db, events: readonly string[]): Promise<number> {
  const { n } = await db
    .selectFrom('triggers')
    .select((eb) => eb.fn.count<number>('task_id').distinct().as('n'))
    .where('enabled', '=', 1)
    .where('event', 'in', events)
    .executeTakeFirstOrThrow();
  return n;
}

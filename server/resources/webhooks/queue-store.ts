import { sql } from 'kysely';
import type { At } from '../../db/open.ts';

export type DueDelivery = {
  id: number;
  endpoint_id: number;
  message_id: string;
  type: string;
  payload: string;
  attempts: number;
  request_id: string | null;
  url: string;
  secret: string;
  previous_secret: string | null;
  previous_until: string | null;
};

export async function isAnyDue({ db, dialect: { nowMs } }: At): Promise<boolean> {
  const { rows } = await sql`SELECT id FROM webhook_deliveries WHERE status = 'pending' AND due_ms <= ${nowMs} LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** Claims the deliveries that have been due the longest; no other server claims them before the lease ends. */
export async function claimDue(
  { db, dialect: { nowMs, skipLocked } }: At,
  claim: { lease: string; leaseMs: number; limit: number },
): Promise<DueDelivery[]> {
  const due = await sql<{ id: number }>`
    SELECT id FROM webhook_deliveries WHERE status = 'pending' AND due_ms <= ${nowMs} ORDER BY due_ms, id LIMIT ${claim.limit} ${skipLocked}`.execute(
    db,
  );
  if (due.rows.length === 0) return [];
  const ids = sql.join(due.rows.map(({ id }) => id));
  await sql`UPDATE webhook_deliveries SET lease = ${claim.lease}, attempts = attempts + 1, due_ms = ${nowMs} + ${sql.lit(claim.leaseMs)}
    WHERE id IN (${ids})`.execute(db);
  const { rows } = await sql<DueDelivery>`
    SELECT d.id, d.endpoint_id, d.message_id, d.type, d.payload, d.attempts, d.request_id, e.url, e.secret, e.previous_secret, e.previous_until
    FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id WHERE d.id IN (${ids}) ORDER BY d.id`.execute(db);
  return rows;
}

export type Settled = { status: 'pending' | 'delivered' | 'failed'; responseStatus: number | null; error: string | null; at: string };

/**
 * Stores the outcome of an attempt. Returns false if the lease has ended and another server has claimed the delivery.
 * `dueInMs` counts from now, for a delivery that is tried again.
 */
export async function settleDelivery(
  { db, dialect: { nowMs } }: At,
  { id, lease }: { id: number; lease: string },
  settled: Settled & { dueInMs: number },
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE webhook_deliveries SET status = ${settled.status}, response_status = ${settled.responseStatus}, last_error = ${settled.error},
      due_ms = ${nowMs} + ${sql.lit(settled.dueInMs)}, ended_at = ${settled.status === 'pending' ? null : settled.at}, lease = NULL
    WHERE id = ${id} AND lease = ${lease} RETURNING id`.execute(db);
  return rows.length > 0;
}

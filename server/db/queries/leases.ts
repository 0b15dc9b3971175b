import { sql } from 'kysely';
import type { At, Db } from '../open.ts';

/** Takes a lease on the name unless another holder has one in force. A lease ends `ms` after it was last renewed. */
export async function takeLease({ db, dialect }: At, name: string, holder: string, ms: number): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO leases (name, holder, lease_until) VALUES (${name}, ${holder}, ${dialect.nowMs} + ${ms})
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, lease_until = excluded.lease_until
      WHERE leases.lease_until <= ${dialect.nowMs} OR leases.holder = excluded.holder
    RETURNING name`.execute(db);
  return rows.length > 0;
}

/** The lease on the name, and for how long it is in force. */
export async function findLease({ db, dialect }: At, name: string): Promise<{ holder: string; leftMs: number } | undefined> {
  const { rows } = await sql<{ holder: string; leftMs: number }>`
    SELECT holder, lease_until - ${dialect.nowMs} AS "leftMs" FROM leases WHERE name = ${name}`.execute(db);
  return rows[0];
}

export async function renewLeases({ db, dialect }: At, holder: string, ms: number): Promise<void> {
  await sql`UPDATE leases SET lease_until = ${dialect.nowMs} + ${ms} WHERE holder = ${holder}`.execute(db);
}

/** Whether the holder still has the lease on the name; also locks the lease until the transaction ends. */
export async function keepsLease({ db, dialect }: At, name: string, holder: string): Promise<boolean> {
  const { rows } = await sql`SELECT name FROM leases WHERE name = ${name} AND holder = ${holder} ${dialect.forUpdate}`.execute(db);
  return rows.length > 0;
}

/** Ends leases without deleting them. */
export async function endLeases(db: Db, holder: string): Promise<void> {
  await sql`UPDATE leases SET lease_until = 0 WHERE holder = ${holder}`.execute(db);
}

export async function dropLeases(db: Db, holder: string): Promise<void> {
  await sql`DELETE FROM leases WHERE holder = ${holder}`.execute(db);
}

/** Deletes leases of holders that died; `before` is an instant, ISO 8601. Returns how many were deleted. */
export async function deleteLapsed({ db }: Pick<At, 'db'>, before: string, limit: number): Promise<number> {
  const { rows } = await sql`DELETE FROM leases WHERE name IN (
    SELECT name FROM leases WHERE lease_until < ${Date.parse(before)} LIMIT ${limit}) RETURNING name`.execute(db);
  return rows.length;
}

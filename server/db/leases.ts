import { sql } from 'kysely';
import type { At, Db } from './open.ts';

/** Takes the name unless another holder has it; a holder that shows no sign of life for `ms` has lost it. */
export async function takeLease({ db, dialect }: At, name: string, holder: string, ms: number): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO leases (name, holder, lease_until) VALUES (${name}, ${holder}, ${dialect.nowMs} + ${ms})
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, lease_until = excluded.lease_until
      WHERE leases.lease_until <= ${dialect.nowMs} OR leases.holder = excluded.holder
    RETURNING name`.execute(db);
  return rows.length > 0;
}

export async function renewLeases({ db, dialect }: At, holder: string, ms: number): Promise<void> {
  await sql`UPDATE leases SET lease_until = ${dialect.nowMs} + ${ms} WHERE holder = ${holder}`.execute(db);
}

/** Whether the name is still this holder's, locked until the transaction ends. */
export async function keepsLease({ db, dialect }: At, name: string, holder: string): Promise<boolean> {
  const { rows } = await sql`SELECT name FROM leases WHERE name = ${name} AND holder = ${holder} ${dialect.forUpdate}`.execute(db);
  return rows.length > 0;
}

export async function dropLeases(db: Db, holder: string): Promise<void> {
  await sql`DELETE FROM leases WHERE holder = ${holder}`.execute(db);
}

/** Left by holders that died; `before`: an instant, ISO 8601. Returns how many. */
export async function deleteLapsed({ db }: Pick<At, 'db'>, before: string, limit: number): Promise<number> {
  const { rows } = await sql`DELETE FROM leases WHERE name IN (
    SELECT name FROM leases WHERE lease_until < ${Date.parse(before)} LIMIT ${limit}) RETURNING name`.execute(db);
  return rows.length;
}

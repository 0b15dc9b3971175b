import { sql } from 'kysely';
import type { Used } from '../../../../contract/run-events.ts';
import type { At, Db } from '../../../db/open.ts';
import { statement } from '../../../db/queries/statement.ts';
import type { Row } from '../../../db/tables.ts';

/** Whether this claim began in the current epoch, so that it has ended no epoch yet. */
export async function beganInEpoch(db: Db, claimId: number, epoch: number): Promise<boolean> {
  const [claim] = await epochOfClaim(db, { claimId });
  return claim?.epoch === epoch;
}

const epochOfClaim = statement<{ claimId: number }, { epoch: number | null }>(
  (value) => sql`SELECT epoch FROM run_claims WHERE id = ${value('claimId')}`,
);

export async function endClaim(db: Db, claimId: number, at: string): Promise<boolean> {
  return (await endOpenClaim(db, { claimId, at })).length > 0;
}

const endOpenClaim = statement<{ claimId: number; at: string }>(
  (value) => sql`UPDATE run_claims SET ended_at = ${value('at')} WHERE id = ${value('claimId')} AND ended_at IS NULL RETURNING id`,
);

/** Of a recorded run, what was said after a checkpoint is said again (runner/claiming-store.ts). */
export async function noteSaid(db: Db, { claim_id, record }: Pick<Row<'runs'>, 'claim_id' | 'record'>, said: string): Promise<void> {
  await sql`UPDATE run_claims SET said = ${said}
    WHERE id = ${claim_id} AND (${record} = 0 OR epoch = (SELECT epoch FROM lineages WHERE id = run_claims.lineage_id))`.execute(db);
}

export async function selectClaimId(db: Db, runId: number): Promise<number | null> {
  const row = await db.selectFrom('runs').select('claim_id').where('id', '=', runId).executeTakeFirst();
  return row?.claim_id ?? null;
}

/** Locks the claim's row: no transaction under the claim's token can commit until this one ends. */
export async function holdClaimRow({ db, dialect }: At, claimId: number): Promise<void> {
  await sql`SELECT id FROM run_claims WHERE id = ${claimId} ${dialect.forUpdate}`.execute(db);
}

/** Renews the lease by the database's clock and stores the usage that the runner reports. The stored figures never become smaller. */
export async function renewClaim(db: Db, claimId: number, leaseMs: number, used: Used): Promise<void> {
  await renewClaimRow(db, { claimId, leaseMs, ...used });
}

const renewClaimRow = statement<{ claimId: number; leaseMs: number } & Used>((value, dialect) => {
  const most = (name: 'cpu_ms' | 'wall_ms' | 'host_calls') => {
    const [column, told] = [sql.ref(name), sql`CAST(${value(name)} AS bigint)`];
    return sql`${column} = CASE WHEN ${told} > ${column} THEN ${told} ELSE ${column} END`;
  };
  return sql`UPDATE run_claims SET confirmed = 1, lease_until = ${dialect.nowMs} + ${value('leaseMs')},
    ${most('cpu_ms')}, ${most('wall_ms')}, ${most('host_calls')} WHERE id = ${value('claimId')}`;
});

/** Whether the claim has made as many host calls as it was given, by the runner's count or by the server's own. */
export async function hasSpentCalls(db: Db, claimId: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 AS spent FROM run_claims c JOIN lineages l ON l.id = c.lineage_id
    WHERE c.id = ${claimId} AND (c.host_calls >= c.max_host_calls OR l.host_calls >= c.max_host_calls)`.execute(db);
  return rows.length > 0;
}

/** Lets the run's next claim begin with nothing of this used. */
export async function forgetUsage(db: Db, claimId: number, what: keyof Used): Promise<void> {
  await db
    .updateTable('run_claims')
    .set({ [what]: 0 })
    .where('id', '=', claimId)
    .execute();
}

/**
 * Whether any claim's lease is in force. A runner without a free slot does not ask for work, so its last request may be long
 * ago although it is there.
 */
export async function hasClaimInForce({ db, dialect }: At): Promise<boolean> {
  const { rows } = await sql`SELECT 1 AS held FROM run_claims WHERE ended_at IS NULL AND lease_until > ${dialect.nowMs} LIMIT 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** Claims whose lease has lapsed, earliest first. */
export async function selectLapsed({ db, dialect: { nowMs } }: At, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM run_claims WHERE ended_at IS NULL AND lease_until < ${nowMs} ORDER BY lease_until LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

export type LapsedClaim = { id: number; run_id: number; confirmed: number };

/** Ends a lapsed claim, unless it was ended or renewed in the meantime. */
export async function endLapsed({ db, dialect: { nowMs } }: At, claimId: number, now: string): Promise<LapsedClaim | undefined> {
  const { rows } = await sql<LapsedClaim>`
    UPDATE run_claims SET ended_at = ${now} WHERE id = ${claimId} AND ended_at IS NULL AND lease_until < ${nowMs}
    RETURNING id, run_id, confirmed`.execute(db);
  return rows[0];
}

/** Extends all leases that would lapse within `ms`, so that they last that long. */
export async function extendLeases({ db, dialect: { nowMs } }: At, ms: number): Promise<void> {
  await sql`UPDATE run_claims SET lease_until = ${nowMs} + ${ms} WHERE ended_at IS NULL AND lease_until < ${nowMs} + ${ms}`.execute(db);
}

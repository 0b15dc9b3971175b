import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../../db/dialect.ts';
import type { Db } from '../../db/open.ts';
import { statement } from '../../db/queries/statement.ts';
import type { TaskActor } from '../../verbs/context.ts';

/** Numbers of host calls and writes to add to the lineage's counts. */
export type Calls = { hostCalls: number; writes: number };

/** Adds to the lineage's counts and returns the new sums. */
export const addCalls = statement<Calls & { lineageId: string }, { host_calls: number; writes: number }>(
  (value, { nowMs }) => sql`
    UPDATE lineages SET host_calls = host_calls + ${value('hostCalls')}, writes = writes + ${value('writes')}, called_ms = ${nowMs}
    WHERE id = ${value('lineageId')} RETURNING host_calls, writes`,
);

export async function insertUsed(db: Db, runId: number, permission: string): Promise<void> {
  await sql`INSERT INTO run_permissions (run_id, permission) VALUES (${runId}, ${permission}) ON CONFLICT DO NOTHING`.execute(db);
}

export async function markReported(db: Db, runId: number): Promise<void> {
  await sql`UPDATE runs SET reported = 1 WHERE id = ${runId} AND reported = 0`.execute(db);
}

/** The start of the epoch if it holds answers of earlier claims that this claim has not asked for; else null. */
export async function selectEarlierClock(db: Db, { lineageId, claimId }: TaskActor, epoch: number): Promise<string | null> {
  const { rows } = await sql<{ epoch_started_at: string }>`
    SELECT epoch_started_at FROM lineages
    WHERE id = ${lineageId} AND EXISTS (
      SELECT 1 FROM journal WHERE lineage_id = ${lineageId} AND epoch = ${epoch} AND abs(asked_by_claim_id) <> ${claimId} AND passing = 0
    )`.execute(db);
  return rows[0]?.epoch_started_at ?? null;
}

export const CRASHED = 'crash';

/** What ended the claim `c`: the time of its end, or a crash of the database in which reads of it may have been lost; null: it is in force. */
export const endOfClaim = ({ oneWriter }: Dialect): RawBuilder<unknown> =>
  oneWriter
    ? sql`c.ended_at`
    : sql`CASE WHEN c.crash_sign <> coalesce((SELECT sign FROM crash_signs), '') THEN coalesce(c.ended_at, ${sql.lit(CRASHED)}) ELSE c.ended_at END`;

/** `lockClaim` locks the claim's row against any change; `shareClaim` lets others read-lock it at the same time. */
export const lockClaim = statement<{ claimId: number }, { ended: string | null }>(
  (value, dialect) => sql`SELECT ${endOfClaim(dialect)} AS ended FROM run_claims c WHERE c.id = ${value('claimId')} ${dialect.forUpdate}`,
);
export const shareClaim = statement<{ claimId: number }, { ended: string | null }>(
  (value, dialect) => sql`SELECT ${endOfClaim(dialect)} AS ended FROM run_claims c WHERE c.id = ${value('claimId')} ${dialect.forShare}`,
);

/**
 * PostgreSQL only: whether the claim is in force and has the present sign. A statement that has waited for the claim's row sees the row as it
 * is now, but the table of signs as it was before the wait, in which the first sign may have been made.
 */
export async function hasPresentSign(db: Db, claimId: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM run_claims c JOIN crash_signs s ON s.sign = c.crash_sign WHERE c.id = ${claimId} AND c.ended_at IS NULL`.execute(db);
  return rows.length > 0;
}

/** PostgreSQL only: this transaction's commit does not wait for the disk. */
export async function commitLoosely(db: Db): Promise<void> {
  await sql`SET LOCAL synchronous_commit = off`.execute(db);
}

/** PostgreSQL only: gives the claim the present sign, which no claim has any more after a crash. */
export async function signClaim(db: Db, claimId: number): Promise<void> {
  await sql`INSERT INTO crash_signs (id, sign) VALUES (1, CAST(gen_random_uuid() AS text)) ON CONFLICT DO NOTHING`.execute(db);
  await sql`
    UPDATE run_claims SET crash_sign = (SELECT sign FROM crash_signs) WHERE id = ${claimId} AND crash_sign IS NULL`.execute(db);
}

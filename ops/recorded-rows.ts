import type { Recording } from '../contract/recordings.ts';
import { JsonObject } from '../contract/run-events.ts';
import { beginLineage, insertRun } from '../server/automation/runs/rows/domain.ts';
import type { Db } from '../server/db/open.ts';
import type { NewRow, Row } from '../server/db/tables.ts';
import type { Ctx } from '../server/verbs/context.ts';

/** A recording as a run of the shop of a test, which then replays it as the server does. */

/** Rows of one statement; SQLite has a most of values in one. */
const ROWS_AT_ONCE = 500;

/** Stores the recording as an ended run of this version; returns the run's id. The shop is new, so that no claim has these numbers. */
export async function insertRecorded(ctx: Ctx, at: { taskId: number; versionId: number }, recording: Recording): Promise<number> {
  const { beginning, run, epochs } = recording;
  const { db } = ctx;
  const lineageId = await beginLineage(db, {
    ...beginning,
    epoch: epochs.at(-1)?.epoch ?? run.first_epoch,
    startedAt: epochs.at(-1)?.started_at ?? run.started_at,
    permissions: '[]',
  });
  const { id: adminId } = await db.selectFrom('admins').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow();
  const runId = await insertRun(ctx, {
    ...run,
    ...{
      lineage_id: lineageId,
      task_id: at.taskId,
      version_id: at.versionId,
      parameters: JSON.stringify(JsonObject.parse(run.parameters)),
    },
    ...{ record: 1, executor: 'runner', started_by: `admin:${adminId}`, started_by_admin_id: adminId },
  });
  const place = { lineage_id: lineageId };
  await insertAll(db, 'run_claims', claimsOf(recording, runId, lineageId));
  const epochRows = epochs.map(({ ended_by, ...epoch }) => ({ ...place, ...epoch, ended_by_claim_id: ended_by }));
  await insertAll(db, 'recorded_epochs', epochRows);
  const answers = recording.attempts.flatMap(({ attempt, answers: told }) =>
    told.map(({ again, ...answer }, index) => ({ ...answer, claim_id: attempt, position: index + 1, again: again ? 1 : 0 })),
  );
  await insertAll(db, 'recorded_answers', answers);
  const calls = recording.calls.map(({ attempt, asked_by, is_write, ...call }) => ({
    ...{ ...place, ...call, claim_id: attempt, asked_by_claim_id: asked_by, is_write: is_write ? 1 : 0, answer_gzip: null },
  }));
  await insertAll(db, 'journal', calls);
  const memory = recording.memory.map(({ attempt, ...value }) => ({ ...place, ...value, claim_id: attempt }));
  await insertAll(db, 'lineage_memory', memory);
  const prompts = recording.prompts.map((prompt) => ({ ...place, ...prompt, run_id: runId, asked_by_run_id: runId }));
  await insertAll(db, 'run_prompts', prompts);
  const results = recording.earlier_results.map((key) => ({ ...place, key, run_id: 0 }));
  await insertAll(db, 'run_results', results);
  const artifacts = recording.artifacts.map((artifact) => ({
    ...{ ...place, ...artifact, run_id: runId, storage_key: `recorded-${artifact.id}`, created_at: run.started_at },
  }));
  await insertAll(db, 'artifacts', artifacts);
  const log = recording.log.map((line) => ({ ...line, run_id: runId, at: run.started_at }));
  await insertAll(db, 'run_events', log);
  return runId;
}

function claimsOf({ attempts, run }: Recording, runId: number, lineageId: string): NewRow<'run_claims'>[] {
  return attempts.map(({ attempt, log_from, said }, index) => ({
    ...{ id: attempt, run_id: runId, lineage_id: lineageId, attempt: index + 1, log_from },
    ...(said && { said: JSON.stringify({ ...said, shown: {}, waits: [] }) }),
    ...{ token_hash: `recorded-${attempt}`, runner_name: 'recorded', confirmed: 1, lease_until: 0 },
    ...{ claimed_at: run.started_at, ended_at: run.finished_at ?? run.started_at },
  }));
}

type Filled =
  | 'run_claims'
  | 'recorded_epochs'
  | 'recorded_answers'
  | 'journal'
  | 'lineage_memory'
  | 'run_prompts'
  | 'run_results'
  | 'artifacts'
  | 'run_events';

async function insertAll<Table extends Filled>(db: Db, table: Table, rows: readonly NewRow<Table>[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await db
      .insertInto<Filled>(table)
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .execute();
  }
}

export type ReplayedCall = Pick<Row<'replay_calls'>, 'method' | 'path' | 'body' | 'outcome' | 'recorded_epoch' | 'recorded_key'>;

/** The calls of a replay in the order in which its script made them. */
export function selectReplayedCalls(db: Db, runId: number): Promise<ReplayedCall[]> {
  return db
    .selectFrom('replay_calls')
    .select(['method', 'path', 'body', 'outcome', 'recorded_epoch', 'recorded_key'])
    .where('run_id', '=', runId)
    .orderBy('id')
    .execute();
}

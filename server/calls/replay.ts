import { sql } from 'kysely';
import type { ReplaySource, TaskActor } from '../context.ts';
import type { Db } from '../db/open.ts';
import { Refusal } from '../problem.ts';
import type { Services } from '../services.ts';
import { countCall } from './budgets.ts';
import type { Answer, Call } from './call.ts';
import { journalledCall } from './execute.ts';
import { parseKey } from './idempotency.ts';
import { answerOfRow, type CallKey, findCall, type JournalledCall, type NotedAnswer, parseCallKey } from './journal.ts';
import { problemOf, statusOf } from './problem.ts';

export type Replaying = TaskActor & { replay: ReplaySource };

/**
 * Answers a call of a replay with what the recorded run was answered, and notes it for the report. Nothing is live: a
 * call without a recorded counterpart is refused, and its run ends once nothing else can go on.
 */
export async function answerReplayed({ store }: Services, asked: Call, actor: Replaying): Promise<Answer> {
  const call = parseCallKey(parseKey(asked.header('idempotency-key')));
  const request = journalledCall(asked);
  return store.write(async (db) => {
    // Its own lineage holds no answers, but tells whether the claim is in force and the epoch is the current one.
    await findCall(db, store.dialect, actor, call);
    const found = await findCounterpart(db, actor, call, request);
    await noteCall(db, actor, call, request, found);
    if (found) return { ...(await answerOfRow(found.row)), replayed: true, after: [] };
    await countCall(db, actor, 0);
    const refusal = new Refusal(
      'not_in_recording',
      `${request.method} ${request.path} has no answer in the recording of run ${actor.replay.runId}.`,
    );
    const body = JSON.stringify(problemOf(refusal, `/admin/api${asked.target}`, asked.requestId));
    return { status: statusOf(refusal.code), headers: {}, body, replayed: false, at: new Date().toISOString(), after: [] };
  });
}

type Row = NotedAnswer & { epoch: number; key: string };
type Counterpart = { row: Row; outcome: 'same' | 'changed' };

/**
 * The recorded call that this one is: the one with its key; for another version also the same call elsewhere, or the
 * only write left with its method and path. A recorded call answers one call of the replay.
 */
async function findCounterpart(
  db: Db,
  { runId, replay }: Replaying,
  call: CallKey,
  { method, path, isWrite: write }: JournalledCall,
): Promise<Counterpart | undefined> {
  const select = async (which: ReturnType<typeof sql>, limit: number): Promise<Row[]> => {
    const { rows } = await sql<Row>`
      SELECT j.epoch, j.key, j.status, j.etag, j.location, j.answer, j.answer_gzip, j.at FROM journal j
      WHERE j.lineage_id = ${replay.lineageId} AND j.epoch >= ${replay.firstEpoch} AND ${which}
        AND j.claim_id <= (SELECT max(id) FROM run_claims WHERE run_id = ${replay.runId})
        AND NOT EXISTS (
          SELECT 1 FROM replay_calls c WHERE c.run_id = ${runId} AND c.recorded_epoch = j.epoch AND c.recorded_key = j.key
            AND (c.epoch <> ${call.epoch} OR c.key <> ${call.key})
        )
      ORDER BY j.epoch, j.at, j.key LIMIT ${limit}`.execute(db);
    return rows;
  };
  const [exact] = await select(sql`j.epoch = ${call.epoch} AND j.key = ${call.key}`, 1);
  if (exact) return { row: exact, outcome: 'same' };
  if (replay.sameVersion) return undefined;
  const [fingerprint = ''] = call.key.split('/');
  const [moved] = await select(sql`substr(j.key, 1, 65) = ${`${fingerprint}/`}`, 1);
  if (moved) return { row: moved, outcome: 'same' };
  if (!write) return undefined;
  const [changed, ...others] = await select(sql`j.is_write = 1 AND j.method = ${method} AND j.path = ${path}`, 2);
  return changed && others.length === 0 ? { row: changed, outcome: 'changed' } : undefined;
}

async function noteCall(
  db: Db,
  { runId }: Replaying,
  call: CallKey,
  request: JournalledCall,
  found: Counterpart | undefined,
): Promise<void> {
  await db
    .insertInto('replay_calls')
    .values({
      run_id: runId,
      ...call,
      method: request.method,
      path: request.path,
      body: request.isWrite ? request.body : null,
      is_write: request.isWrite ? 1 : 0,
      outcome: found?.outcome ?? 'added',
      recorded_epoch: found?.row.epoch ?? null,
      recorded_key: found?.row.key ?? null,
    })
    .onConflict((conflict) => conflict.columns(['run_id', 'epoch', 'key']).doNothing())
    .execute();
}

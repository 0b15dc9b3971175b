import type { Db } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';
import type { Services } from '../../services.ts';
import type { ReplaySource, TaskActor } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import type { Answer, Call } from '../call.ts';
import { parseKey } from '../keys/idempotency.ts';
import { answerOfRefusal } from '../problem.ts';
import { countCall } from './budgets.ts';
import { answerOfRow, type CallKey, findCall, type JournalledCall, journalledCall, parseCallKey } from './journal.ts';
import { insertReplayCall, type RecordedCall, selectRecorded, type Wanted } from './replay-store.ts';

export type Replaying = TaskActor & { replay: ReplaySource };

/**
 * Answers a call of a replay with the answer that the recorded run got, and stores the call for the report. No verb is reached. A call
 * without a recorded counterpart is refused, and the run ends when none of its other calls can continue.
 */
export async function answerReplayed({ store }: Services, asked: Call, actor: Replaying): Promise<Answer> {
  const call = parseCallKey(parseKey(asked.header('idempotency-key')));
  const request = journalledCall(asked);
  return store.write(async (db) => {
    // The replay's own lineage holds no answers; this only checks that the claim is in force and the epoch is current.
    await findCall({ db, dialect: store.dialect }, actor, call);
    const found = await findCounterpart(db, actor, call, request);
    // Whether a call that the script did not wait for reached the server before the run's end was chance.
    if (found || !actor.replay.sameVersion || asked.header('backroom-unawaited') === undefined)
      await insertReplayCall(db, rowOf(actor, call, request, found));
    if (found) return { ...(await answerOfRow(found.row)), replayed: true, after: [] };
    await countCall(db, actor, 0);
    const detail = `${request.method} ${request.path} has no answer in the recording of run ${actor.replay.runId}.`;
    return answerOfRefusal(asked, new Refusal('not_in_recording', detail));
  });
}

type Counterpart = { row: RecordedCall; outcome: 'same' | 'changed' };

/**
 * Finds the recorded call that corresponds to this one: the one with the same key. For another version also a call with the same
 * fingerprint, or the only remaining write with the same method and path. Each recorded call answers one call of the replay.
 */
async function findCounterpart(
  db: Db,
  { runId, replay }: Replaying,
  call: CallKey,
  { method, path, isWrite: write }: JournalledCall,
): Promise<Counterpart | undefined> {
  const select = (wanted: Wanted, limit: number) => selectRecorded(db, { runId, replay, ...call }, wanted, limit);
  const [exact] = await select(call, 1);
  if (exact) return { row: exact, outcome: 'same' };
  if (replay.sameVersion) return undefined;
  const [fingerprint = ''] = call.key.split('/');
  const [moved] = await select({ fingerprint }, 1);
  if (moved) return { row: moved, outcome: 'same' };
  if (!write) return undefined;
  const [changed, ...others] = await select({ method, path }, 2);
  return changed && others.length === 0 ? { row: changed, outcome: 'changed' } : undefined;
}

/** The row of a call for the report of the replay. */
function rowOf(
  { runId }: Replaying,
  call: CallKey,
  request: JournalledCall,
  found: Counterpart | undefined,
): Omit<Row<'replay_calls'>, 'id'> {
  const { method, path, body, isWrite: write } = request;
  return {
    run_id: runId,
    ...call,
    method,
    path,
    body: write ? body : null,
    is_write: write ? 1 : 0,
    outcome: found?.outcome ?? 'added',
    recorded_epoch: found?.row.epoch ?? null,
    recorded_key: found?.row.key ?? null,
  };
}

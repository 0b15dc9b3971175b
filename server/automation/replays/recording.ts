import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { holds } from '../../../contract/permissions.ts';
import { RECORDING_FORMAT, RECORDING_MAX_BYTES, type Recording } from '../../../contract/recordings.ts';
import { JsonObject, StoredSaid } from '../../../contract/run-events.ts';
import type { Row } from '../../db/tables.ts';
import { unpacked } from '../../values/packed-text.ts';
import type { Ctx } from '../../verbs/context.ts';
import { Refusal, refusePermission } from '../../verbs/problem.ts';
import { fileParameters } from '../parameters/rules.ts';
import { requireAliveTask } from '../tasks/domain.ts';
import { findExecuted } from '../tasks/executed.ts';
import { requireRecorded } from './recorded.ts';
import * as store from './recording-store.ts';

const REPLAYS = 'admin_api.ai_tasks.write';

/** All that a replay of this run needs, for who may replay it here (spec RP4). */
export async function getRecording(ctx: Ctx, { params }: InputOf<Endpoints['replays.get_recording']>): Promise<Recording> {
  const task = await requireAliveTask(ctx.db, params.id);
  requireMayReplay(ctx);
  const { recorded } = await requireRecorded(ctx, params);
  const version = await findExecuted(ctx.db, task.id, recorded.version_id);
  const parameters = JsonObject.parse(JSON.parse(recorded.parameters));
  refuseKept(recorded, fileParameters(version?.parameters ?? [], parameters).length > 0);
  const size = await store.selectBytes(ctx.db, recorded);
  refuseLarge(recorded.id, size);
  const [beginning, rows] = [await store.selectBeginning(ctx.db, recorded.lineage_id), await store.selectRows(ctx.db, recorded)];
  const numberOf = attemptNumbers(rows);
  const calls = [];
  let bytes = 0;
  for (const { answer, answer_gzip, claim_id, asked_by_claim_id, is_write, ...call } of rows.calls) {
    const told = await unpacked(answer, answer_gzip);
    bytes += (told?.length ?? 0) + (call.body?.length ?? 0);
    refuseLarge(recorded.id, bytes);
    calls.push({ ...call, is_write: is_write === 1, attempt: numberOf(claim_id), asked_by: numberOf(asked_by_claim_id), answer: told });
  }
  return {
    format: RECORDING_FORMAT,
    run_id: recorded.id,
    task: { name: task.name, source_sha256: await store.selectSourceHash(ctx.db, recorded.version_id) },
    run: { ...runOf(recorded), parameters },
    beginning,
    epochs: rows.epochs.map(({ ended_by_claim_id: by, ...epoch }) => ({ ...epoch, ended_by: by === null ? null : numberOf(by) })),
    attempts: rows.claims.map(({ id, log_from, said }) => ({
      ...{ attempt: numberOf(id), log_from, answers: answersOf(rows.answers, id) },
      ...(said !== null && { said: StoredSaid.pick({ texts: true, whole: true }).parse(JSON.parse(said)) }),
    })),
    calls,
    memory: rows.memory.map(({ claim_id, ...value }) => ({ ...value, attempt: numberOf(claim_id) })),
    prompts: rows.prompts,
    earlier_results: rows.results.map(({ key }) => key),
    artifacts: rows.artifacts,
    log: rows.log.map(({ seq, line, source }) => ({ seq, line, source: source === 'run' ? 'run' : null })),
  };
}

/** Whoever gets it can replay the run, elsewhere, so they must be allowed to do so here. */
function requireMayReplay({ actor }: Ctx): void {
  if (actor.type === 'admin' && holds(actor.permissions, REPLAYS)) return;
  throw refusePermission('forbidden', [REPLAYS], `A recording is given to who may replay the run; that needs ${REPLAYS}.`);
}

/** What stays with the shop: the key that hides people, the seed of a run that may still go on, and the content of files. */
function refuseKept({ id, status, hides_people, resumed_by_run_id }: Row<'runs'>, hasFile: boolean): void {
  const refuse = (detail: string): never => {
    throw new Refusal('not_applicable', `${detail} Replay it here instead.`);
  };
  if (hides_people === 1) refuse(`Run ${id} hides people from an agent, and a recording would hold the key to who they are.`);
  if (resumed_by_run_id !== null) refuse(`Run ${id} went on as run ${resumed_by_run_id}; only the last of them is given as a recording.`);
  if (status === 'interrupted') refuse(`Run ${id} is interrupted and may go on; a recording would hold the mark of its secrets.`);
  if (hasFile) refuse(`Run ${id} was given a file, whose content a recording does not hold.`);
}

function refuseLarge(runId: number, bytes: number): void {
  if (bytes <= RECORDING_MAX_BYTES) return;
  const most = RECORDING_MAX_BYTES / 1024 / 1024;
  throw new Refusal(
    'not_applicable',
    `The recording of run ${runId} is larger than ${most} MiB, the most that is given. Replay it here instead.`,
  );
}

function runOf({ status, end_reason, error_message, result, started_at, finished_at, first_epoch, log_lines }: Row<'runs'>) {
  return { status, end_reason, error_message, result, started_at, finished_at, first_epoch, log_lines };
}

function answersOf(rows: store.Rows['answers'], claimId: number): Recording['attempts'][number]['answers'] {
  return rows.flatMap(({ claim_id, call, now_ms, again }) => (claim_id === claimId ? [{ call, now_ms, again: again === 1 }] : []));
}

/** Numbers for the ids of claims, in their order; a negative id, of an attempt that asked for nothing more, stays negative. */
function attemptNumbers({ claims, calls, memory, epochs }: store.Rows): (claimId: number) => number {
  const named = [
    ...claims.map(({ id }) => id),
    ...calls.flatMap(({ claim_id, asked_by_claim_id }) => [claim_id, Math.abs(asked_by_claim_id)]),
    ...memory.map(({ claim_id }) => claim_id),
    ...epochs.flatMap(({ ended_by_claim_id: by }) => (by === null ? [] : [by])),
  ];
  const ids = [...new Set(named)].filter((id) => id !== 0).sort((a, b) => a - b);
  const numbers = new Map(ids.map((id, index) => [id, index + 1]));
  return (id) => Math.sign(id) * (numbers.get(Math.abs(id)) ?? 0);
}

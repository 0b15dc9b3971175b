import type { InputOf, ResponseOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { type CallDiff, type Replay, SHOWN_MAX, SHOWN_MAX_CHARS } from '../../../contract/replays.ts';
import { Json, JsonObject } from '../../../contract/run-events.ts';
import type { Row } from '../../db/tables.ts';
import type { Ctx } from '../../verbs/context.ts';
import { Refusal, refuseValue } from '../../verbs/problem.ts';
import { acceptAgain, askingGiver } from '../parameters/domain.ts';
import { earlierAnswers, findAnswersFor, findEpoch } from '../recordings/domain.ts';
import { findRun } from '../runs/rows/domain.ts';
import { requireReads } from '../runs/rows/output-permissions.ts';
import { requireAliveTask } from '../tasks/domain.ts';
import { findExecuted, keepDraft } from '../tasks/executed.ts';
import { findVersion, requireHeld } from '../tasks/versions.ts';
import { openReplay } from './open.ts';
import { expired, requireEnded, requireRecorded, requireRecordedHeld, requireRun } from './recorded.ts';
import { compareLogs, compareResults, endedByItself, type Output, outputOf } from './rules.ts';
import * as store from './store.ts';

type Run = Row<'runs'>;

/** Opens a run that repeats a recorded one. Its version needs no approval, because a replay changes and reads nothing in the shop. */
export async function startReplay(
  ctx: Ctx,
  { params, body }: InputOf<Endpoints['replays.start']>,
): Promise<ResponseOf<Endpoints['replays.start']>> {
  const task = await requireAliveTask(ctx.db, params.id);
  const { recorded, epoch } = await requireRecorded(ctx, { id: task.id, run_id: params.run_id });
  const version = body.draft ? await keepDraft(ctx, task.id, body.draft) : await chooseVersion(ctx, recorded, body.version_id);
  const given = JsonObject.parse(JSON.parse(recorded.parameters));
  const parameters = await acceptAgain(ctx, version.parameters, given, askingGiver(ctx));
  const runId = await openReplay(ctx, { recorded, version: { id: version.id, permissions: [...version.permissions] }, parameters, epoch });
  ctx.audit({
    resource: { type: 'run', id: runId },
    changes: { status: [null, 'running'], replay_of_run_id: [null, recorded.id] },
    summary: `Task "${task.name}": run ${runId} replays run ${recorded.id}`,
  });
  return { run_id: runId, version_id: version.id };
}

/** The version that replays: that of the recorded run, or another one of the task. */
async function chooseVersion(ctx: Ctx, { task_id, version_id: recordedId }: Run, id: number | undefined) {
  const version = await (id === undefined ? findExecuted(ctx.db, task_id, recordedId) : findVersion(ctx.db, task_id, id));
  if (!version) throw refuseValue('version_not_found', '/version_id', `task ${task_id} has no version ${id}`);
  // The replay may read files that only this version's parameters name.
  requireHeld(ctx, version.permissions);
  if (version.isRevoked)
    throw new Refusal('version_not_approved', `Version ${version.id} was revoked; a replay needs a version that is not revoked.`);
  return version;
}

const ANSWERS_A_PAGE = 10_000;

/** Lists one page after `query.after`: the recorded answers of the claim that a replay repeats now, or the order of earlier attempts. */
export async function listAnswers(
  ctx: Ctx,
  { query }: InputOf<Endpoints['runner.list_answers']>,
): Promise<ResponseOf<Endpoints['runner.list_answers']>> {
  if (ctx.actor.type !== 'task') throw new Refusal('forbidden', 'Only a run can ask for its answers; use the token of a claim.');
  const { lineageId, replay } = ctx.actor;
  if (!replay) return { answers: await earlierAnswers(ctx.db, lineageId, query.after, ANSWERS_A_PAGE) };
  const answers = await findAnswersFor(ctx.db, { lineageId, recordedRunId: replay.runId }, query.after, ANSWERS_A_PAGE);
  return { answers: answers.map((answer) => ({ ...answer, again: answer.again === 1 })) };
}

/** Compares an ended replay with its recording. */
export async function getReplay(ctx: Ctx, { params }: InputOf<Endpoints['replays.get']>): Promise<Replay> {
  const run = await requireRun(ctx, params.id, params.run_id);
  if (run.replay_of_run_id === null) throw new Refusal('not_a_replay', `Run ${run.id} is not a replay; POST to this path starts one.`);
  requireEnded(run);
  const recorded = await findRun(ctx.db, run.task_id, run.replay_of_run_id);
  if (!recorded || !(await findEpoch(ctx.db, recorded.id, recorded.first_epoch))) throw expired(run.replay_of_run_id);
  await requireRecordedHeld(ctx, recorded);
  await requireReads(ctx.db, ctx.actor, run.id);
  const cut = !endedByItself(recorded);
  const which = { runId: run.id, recordedRunId: recorded.id };
  const counts = await store.countCalls(ctx.db, which);
  const calls = await diffOf(ctx, which, counts, false);
  const wentOn = cut && calls.changed === 0 && calls.missing === 0;
  const parted = run.end_reason === 'replay_parted';
  const [was, is] = await outputs(ctx, recorded, run);
  const log = compareLogs(was, is, cut);
  const results = compareResults(was.results, is.results);
  const ended = parted ? (wentOn ? 'recording_ended' : 'parted') : hasCompleted(run) ? 'completed' : 'interrupted';
  const sameEnd = run.status === recorded.status && run.error_message === recorded.error_message && run.result === recorded.result;
  const sameCalls = calls.changed === 0 && calls.missing === 0 && (calls.added === 0 || ended === 'recording_ended');
  return {
    run_id: run.id,
    version_id: run.version_id,
    replay_of_run_id: recorded.id,
    recorded_version_id: recorded.version_id,
    identical: sameCalls && log.identical && results.missing === 0 && (cut || (results.added === 0 && sameEnd)) && ended !== 'interrupted',
    ended,
    calls,
    effects: await diffOf(ctx, which, counts, true),
    results,
    log,
    recorded: endOf(recorded),
    replayed: endOf(run),
  };
}

/** Whether the run ended by its script or by one of its limits, rather than by an interruption or cancellation. */
function hasCompleted(run: Run): boolean {
  return run.status !== 'interrupted' && run.status !== 'cancelled';
}

async function outputs({ db }: Ctx, recorded: Run, run: Run): Promise<[recorded: Output, replayed: Output]> {
  const outputOfRun = async ({ id }: Run) => outputOf(await store.selectLines(db, id), await store.selectSpans(db, id));
  return [await outputOfRun(recorded), await outputOfRun(run)];
}

function endOf({ status, error_message, result }: Run): Replay['recorded'] {
  return { status, error_message, result: result === null ? null : Json.parse(JSON.parse(result)) };
}

type Which = { runId: number; recordedRunId: number };

async function diffOf(ctx: Ctx, which: Which, counts: readonly store.Counts[], effectsOnly: boolean): Promise<CallDiff> {
  const count = (outcome: store.Counts['outcome']): number =>
    counts.reduce((sum, row) => sum + (row.outcome === outcome && (!effectsOnly || row.effect === 1) ? row.n : 0), 0);
  const shown = { ...which, effectsOnly, limit: SHOWN_MAX, chars: SHOWN_MAX_CHARS };
  return {
    same: count('same'),
    changed: count('changed'),
    added: count('added'),
    missing: count('missing'),
    changes: await store.selectChanged(ctx.db, shown),
    additions: await store.selectAdded(ctx.db, shown),
    omissions: await store.selectMissing(ctx.db, shown),
  };
}

/** Deletes the stored comparisons of these replays' calls with their recordings. */
export { deleteCalls as forgetComparisons } from './store.ts';

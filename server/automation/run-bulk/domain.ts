import type { InputOf, ResponseOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { type BulkAction, MAX_BULK_RUNS } from '../../../contract/run-bulk.ts';
import { JsonObject } from '../../../contract/run-events.ts';
import { SEARCHED_LOG_BYTES, SEARCHED_RUNS } from '../../../contract/runs.ts';
import { savepoint } from '../../db/queries/savepoint.ts';
import type { Ctx, Steps } from '../../verbs/context.ts';
import { notFound, Refusal } from '../../verbs/problem.ts';
import { askingGiver } from '../parameters/domain.ts';
import { startReplay } from '../replays/domain.ts';
import { cancelRun } from '../runs/life/cancel.ts';
import { openRun } from '../runs/life/start.ts';
import { findRun } from '../runs/rows/domain.ts';
import { requireReads } from '../runs/rows/output-permissions.ts';
import { findActable, findTasksOf } from '../runs/views/runs.ts';

type Body = InputOf<Endpoints['ai_tasks.bulk_runs']>['body'];
type Result = ResponseOf<Endpoints['ai_tasks.bulk_runs']>['results'][number];
type Chosen = { id: number; taskId: number | undefined };

/** The runs that an act is for. */
const states: Record<BulkAction, Parameters<typeof findActable>[2]> = {
  cancel: 'running',
  resume: 'interrupted',
  retry: 'ended',
  replay: 'recorded',
};

export async function previewBulk(
  ctx: Ctx,
  { body }: InputOf<Endpoints['ai_tasks.preview_bulk_runs']>,
): Promise<ResponseOf<Endpoints['ai_tasks.preview_bulk_runs']>> {
  const { runs, isComplete } = await choose(ctx, body);
  return { count: Math.min(runs.length, MAX_BULK_RUNS), is_complete: isComplete && runs.length <= MAX_BULK_RUNS };
}

/** Logs are searched before the transaction, so that no writer waits for that. */
export async function bulkRuns(
  asking: Steps,
  { body }: InputOf<Endpoints['ai_tasks.bulk_runs']>,
): Promise<(ctx: Ctx) => Promise<ResponseOf<Endpoints['ai_tasks.bulk_runs']>>> {
  const found = body.filter?.q === undefined ? null : await asking.look((ctx) => choose(ctx, body));
  return async (ctx) => actOn(ctx, body, found ?? (await choose(ctx, body)));
}

/** Does the act on each run behind a savepoint, so that a refusal of one run changes nothing of the others. */
async function actOn(
  ctx: Ctx,
  body: Body,
  { runs, isComplete }: { runs: readonly Chosen[]; isComplete: boolean },
): Promise<ResponseOf<Endpoints['ai_tasks.bulk_runs']>> {
  if (!isComplete) {
    throw new Refusal(
      'too_many_matches',
      `For q, at most ${SEARCHED_RUNS} runs and ${SEARCHED_LOG_BYTES / 1024 ** 2} MiB of their logs are searched, and the other filters leave more; narrow them.`,
    );
  }
  if (runs.length > MAX_BULK_RUNS) {
    throw new Refusal('too_many_matches', `More than ${MAX_BULK_RUNS} runs match, the most for one request; narrow the filter.`);
  }
  if (body.expected_count !== undefined && runs.length !== body.expected_count) {
    const detail = `${runs.length} runs are found, not ${body.expected_count}; nothing was done.`;
    throw new Refusal('selection_changed', detail, { extra: { count: runs.length } });
  }
  const results: Result[] = [];
  for (const run of runs) results.push(await attempt(ctx, body.action, run));
  const done = results.filter(({ code }) => code === null).length;
  if (done === 0) ctx.audit({ resource: { type: 'run', id: null }, changes: {}, summary: `No run to ${body.action}` });
  return { results, done };
}

/** One more than the most: finding so many means that there are too many. */
async function choose(
  ctx: Ctx,
  { action, ids, filter }: Pick<Body, 'action' | 'ids' | 'filter'>,
): Promise<{ runs: Chosen[]; isComplete: boolean }> {
  if (ids === undefined) return findActable(ctx, filter ?? {}, states[action], MAX_BULK_RUNS + 1);
  const tasks = await findTasksOf(ctx, ids);
  return { runs: ids.map((id) => ({ id, taskId: tasks.get(id) })), isComplete: true };
}

async function attempt(ctx: Ctx, action: BulkAction, { id, taskId }: Chosen): Promise<Result> {
  try {
    if (taskId === undefined) throw notFound('run', id);
    const newRunId = await savepoint(ctx.db, () => acts[action](ctx, { id: taskId, run_id: id }));
    return { run_id: id, code: null, detail: null, new_run_id: newRunId };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { run_id: id, code: error.code, detail: error.message, new_run_id: null };
  }
}

type Place = { id: number; run_id: number };

const acts: Record<BulkAction, (ctx: Ctx, place: Place) => Promise<number | null>> = {
  async cancel(ctx, params) {
    await cancelRun(ctx, { params, query: {}, body: undefined });
    return null;
  },
  async resume(ctx, { id, run_id: resume_run_id }) {
    return (await openRun(ctx, id, { parameters: {}, record: false, priority: 0, resume_run_id }, originOf(ctx))).run_id;
  },
  retry,
  async replay(ctx, params) {
    return (await startReplay(ctx, { params, query: {}, body: {} })).run_id;
  },
};

/** Starts an ended run again from its beginning. */
async function retry(ctx: Ctx, { id, run_id }: Place): Promise<number> {
  const run = await findRun(ctx.db, id, run_id);
  if (!run) throw notFound('run', run_id);
  if (run.status === 'running') throw new Refusal('run_not_ended', `Run ${run_id} is still running; wait for its end.`);
  if (run.status === 'resumed') throw new Refusal('already_resumed', `Run ${run_id} was resumed by run ${run.resumed_by_run_id}.`);
  if (run.replay_of_run_id !== null) throw new Refusal('not_applicable', `Run ${run_id} is a replay; start another replay instead.`);
  if (run.undo_of_run_id !== null)
    throw new Refusal('not_applicable', `Run ${run_id} is an undo, which no script made; undo run ${run.undo_of_run_id} anew instead.`);
  // A run may be started again only by those who may see its output.
  if (run.foreign_parameters === 1) await requireReads(ctx.db, ctx.actor, run_id);
  const body = {
    parameters: JsonObject.parse(JSON.parse(run.parameters)),
    version_id: run.version_id,
    dry_run: run.dry_run === 1,
    record: run.record === 1,
    priority: run.priority,
    executor: run.executor,
  };
  return (await openRun(ctx, id, body, { ...originOf(ctx), parametersOf: run })).run_id;
}

function originOf(ctx: Ctx) {
  const giver = askingGiver(ctx);
  return { startedBy: `admin:${giver.adminId}`, ...giver };
}

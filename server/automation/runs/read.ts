import { z } from 'zod';
import type { InputOf, ResponseOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { EndReason, Json } from '../../../contract/run-events.ts';
import type { Run } from '../../../contract/runs.ts';
import type { Ctx } from '../../verbs/context.ts';
import { notFound } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { requireTask } from '../tasks/domain.ts';
import { findAsking } from './asked.ts';
import * as claims from './claim-store.ts';
import { missingReads, requireReads } from './reads.ts';
import * as store from './store.ts';

export const runVersions = {
  run: {
    version: (db, params) => store.selectRunVersion(db, Number(params['id']), Number(params['run_id'])),
    derived: async (ctx, params) => {
      const taskId = Number(params['id']);
      const id = Number(params['run_id']);
      const row = await store.selectStanding(ctx.db, taskId, id);
      const waiting = row ? (await waitingReason(ctx, taskId, [row]))(row) : null;
      const withheld = ctx.actor.type === 'admin' ? ((await missingReads(ctx.db, ctx.actor, [id])).get(id) ?? []) : [];
      return waiting === null && withheld.length === 0 ? undefined : { waiting, withheld };
    },
  },
} satisfies RecordVersions;

/** After this time without a request for work, a runner counts as gone. */
const RUNNER_GONE_MS = 45_000;
/** The list of runs shows this many bytes of each log (decisions.md RL1). */
const TAIL_BYTES = 4 * 1024;
/** The most lines that TAIL_BYTES can hold: the shortest is `{"kind":"log","line":""}`. */
const TAIL_LINES = Math.ceil(TAIL_BYTES / 25);
const MAX_LINES = 200_000;

export async function listRuns(ctx: Ctx, { params, query }: InputOf<Endpoints['ai_tasks.list_runs']>): Promise<Run[]> {
  const rows = await store.selectRuns(ctx.db, params.id, query.limit);
  const missing = await missingReads(
    ctx.db,
    ctx.actor,
    rows.map(({ id }) => id),
  );
  const withheld = ({ id }: store.RunRow) => missing.get(id) ?? [];
  const tails = await store.selectTails(
    ctx.db,
    rows.filter((row) => withheld(row).length === 0),
    TAIL_LINES,
  );
  const waiting = await waitingReason(ctx, params.id, rows);
  return rows.map((row) => runOf(row, lastLines(tails.get(row.id) ?? []), waiting, withheld(row)));
}

function lastLines(lines: readonly string[]): string {
  const kept: string[] = [];
  let bytes = 0;
  for (const line of lines.toReversed()) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes - 1 > TAIL_BYTES) break;
    kept.push(line);
  }
  return kept.reverse().join('\n');
}

export async function getRun(ctx: Ctx, { params }: InputOf<Endpoints['ai_tasks.get_run']>): Promise<Run> {
  const row = await store.selectRun(ctx.db, params.id, params.run_id);
  if (!row) throw notFound('run', params.run_id);
  const withheld = (await missingReads(ctx.db, ctx.actor, [row.id])).get(row.id) ?? [];
  const lines = withheld.length === 0 ? await store.selectLines(ctx.db, row.id, 0, MAX_LINES) : [];
  return runOf(row, lines.map(({ line }) => line).join('\n'), await waitingReason(ctx, row.task_id, [row]), withheld);
}

type WaitingReason = (row: store.Standing) => Run['waiting_reason'];

/** Why an open run waits: nobody has claimed it, or it was claimed and waits for an answer. */
async function waitingReason(ctx: Ctx, taskId: number, rows: readonly store.Standing[]): Promise<WaitingReason> {
  const open = rows.filter(({ status, executor }) => status === 'running' && executor === 'runner');
  const claimed = open.filter(({ claim_id }) => claim_id !== null);
  const asking = await findAsking(
    ctx.db,
    claimed.map(({ id }) => id),
  );
  if (claimed.length === open.length) return (row) => (asking.has(row.id) ? 'prompt' : null);
  const age = await store.selectRunnerAge(ctx.db, ctx.dialect);
  const none = (age === null || age > RUNNER_GONE_MS) && !(await claims.hasClaimInForce(ctx.db, ctx.dialect));
  const busy = await store.countBusy(ctx.db, taskId);
  return (row) => {
    if (row.status !== 'running' || row.executor !== 'runner') return null;
    if (row.claim_id !== null) return asking.has(row.id) ? 'prompt' : null;
    if (none) return 'no_runner';
    const running = busy.get(row.concurrency_key) ?? 0;
    return row.concurrency_limit !== null && running >= row.concurrency_limit ? 'concurrency' : 'runners_busy';
  };
}

const Progress = z.object({ current: z.int(), total: z.int(), label: z.string() });
const Layers = z.array(z.string());

/**
 * `withheld`: the permissions that the caller lacks to see the script's output; log, checkpoint, error, progress and result
 * are left out then.
 */
function runOf(row: store.RunRow, log: string, waiting: WaitingReason, withheld: string[]): Run {
  const told = withheld.length === 0;
  return {
    id: row.id,
    task_id: row.task_id,
    version_id: row.version_id,
    status: row.status,
    parameters: row.parameters,
    log,
    last_checkpoint: told ? row.last_checkpoint : null,
    error_message: told ? row.error_message : null,
    started_at: row.started_at,
    finished_at: row.finished_at,
    attempt: row.attempt,
    dry_run: row.dry_run === 1,
    executor: row.executor,
    claimed_by: row.claimed_by,
    claimed_at: row.claimed_at,
    resumed_from_run_id: row.resumed_from_run_id,
    resumed_by_run_id: row.resumed_by_run_id,
    record: row.record === 1,
    replay_of_run_id: row.replay_of_run_id,
    started_by: row.started_by,
    waiting_reason: waiting(row),
    end_reason: row.end_reason === null ? null : EndReason.parse(row.end_reason),
    isolation: Layers.parse(JSON.parse(row.isolation)),
    progress: row.progress === null || !told ? null : Progress.parse(JSON.parse(row.progress)),
    result: row.result === null || !told ? null : Json.parse(JSON.parse(row.result)),
    withheld,
  };
}

const Changes = z.record(z.string(), z.tuple([Json, Json]));

export async function listEffects(
  ctx: Ctx,
  { params, query }: InputOf<Endpoints['ai_tasks.list_effects']>,
): Promise<ResponseOf<Endpoints['ai_tasks.list_effects']>> {
  await requireTask(ctx.db, params.id);
  await requireReads(ctx.db, ctx.actor, params.run_id);
  const rows = await store.selectEffects(ctx.db, params.run_id, query.after, query.limit);
  return rows.map((row) => ({
    call: row.id,
    method: row.method,
    path: row.path,
    status: row.status,
    resource: { type: row.resource_type, id: row.resource_id },
    changes: Changes.parse(JSON.parse(row.changes)),
    maybe_twice: row.maybe_twice === 1,
    at: row.at,
  }));
}

import type { InputOf } from '../../../../contract/endpoint.ts';
import type { Endpoints } from '../../../../contract/index.ts';
import type { TaskHealth } from '../../../../contract/task-health.ts';
import { dayIn } from '../../../values/dates.ts';
import type { Ctx } from '../../../verbs/context.ts';
import { requireTask } from '../../tasks/domain.ts';
import type { RunRow } from '../rows/store.ts';
import { bucketOf, type Counted, figuresOf, outcomeOf, type Waits } from './rules.ts';
import * as store from './store.ts';

/** What `/metrics` counts of a run that has ended. */
export type EndedRun = { outcome: string; tookMs: number | null; effects: number; tokens: number };

/**
 * Keeps what the health of a task is made of, in the transaction that ends the run (spec RU25); null for dry runs and replays, which say
 * nothing about how the task does in the shop. Each run adds a row of its own, so that ends of a task's runs never wait for each other.
 */
export async function countRun(ctx: Ctx, run: RunRow, status: string): Promise<EndedRun | null> {
  if (run.dry_run === 1 || run.replay_of_run_id !== null) return null;
  const facts = await store.selectFacts(ctx.db, { runId: run.id, lineageId: run.lineage_id });
  if (!facts) return null;
  const { claimed_at, wall_ms, effects } = facts;
  const since = (from: string): number => Math.max(0, Date.parse(ctx.now) - Date.parse(from));
  // A client's run waits for no runner; what it does meanwhile nobody measures.
  const isClients = run.executor === 'external';
  const tookMs = isClients ? since(run.started_at) : claimed_at === null ? null : (wall_ms ?? 0);
  const waitedMs = isClients || claimed_at === null ? null : Math.max(0, Date.parse(claimed_at) - Date.parse(run.started_at));
  const outcome = outcomeOf(status);
  const tokens = Math.max(0, facts.tokens);
  await store.keepFigures(ctx.db, {
    run_id: run.id,
    task_id: run.task_id,
    version_id: run.version_id,
    day: dayIn(ctx.now, ctx.settings.timezone),
    outcome,
    took_bucket: tookMs === null ? null : bucketOf(tookMs),
    waited_bucket: waitedMs === null ? null : bucketOf(waitedMs),
    effects,
    llm_tokens: tokens,
  });
  return { outcome, tookMs, effects, tokens };
}

const DAY_MS = 86_400_000;

export async function getHealth(ctx: Ctx, { params, query }: InputOf<Endpoints['ai_tasks.get_health']>): Promise<TaskHealth> {
  const task = await requireTask(ctx.db, params.id);
  const to = dayIn(ctx.now, ctx.settings.timezone);
  const from = new Date(Date.parse(`${to}T00:00:00.000Z`) - (query.days - 1) * DAY_MS).toISOString().slice(0, 10);
  const counted = await store.selectCounted(ctx.db, { taskId: task.id, from });
  const waits = await store.selectWaits(ctx.db, { taskId: task.id, from });
  const numbers = await store.selectNumbers(ctx.db, [...new Set(counted.map(({ version_id }) => version_id))]);
  const ofVersion = Map.groupBy(counted, ({ version_id }) => version_id);
  const waitsOfVersion = Map.groupBy(waits, ({ version_id }) => version_id);
  const versions = [...ofVersion].map(([version_id, rows]) => {
    const waited = waitsOfVersion.get(version_id) ?? [];
    return { version_id, version: numbers.get(version_id) ?? null, ...figuresOf(rows, waited), days: daysOf(rows, waited) };
  });
  return {
    ...{ from, to },
    ...figuresOf(counted, waits),
    days: daysOf(counted, waits),
    versions: versions.sort((a, b) => b.version_id - a.version_id),
  };
}

type OfDay<T> = readonly (T & { day: string })[];

function daysOf(counted: OfDay<Counted>, waits: OfDay<Waits>): TaskHealth['days'] {
  const waitsOf = Map.groupBy(waits, ({ day }) => day);
  const days = [...Map.groupBy(counted, ({ day }) => day)].sort(([a], [b]) => (a < b ? -1 : 1));
  return days.map(([day, rows]) => ({ day, ...figuresOf(rows, waitsOf.get(day) ?? []) }));
}

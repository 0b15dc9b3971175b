import type { InputOf } from '../../../../contract/endpoint.ts';
import type { Endpoints } from '../../../../contract/index.ts';
import { type LoggedEvent, RESULT_MAX_BYTES, type RunEvent, type Used } from '../../../../contract/run-events.ts';
import type { Ctx } from '../../../verbs/context.ts';
import { notFound, Refusal, refuseValue } from '../../../verbs/problem.ts';
import { recordAnswers } from '../../recordings/domain.ts';
import { requireTask } from '../../tasks/domain.ts';
import { appendLines, type CallTime, tellRun } from '../log/log.ts';
import * as claims from '../rows/claim-store.ts';
import * as lineages from '../rows/lineage-store.ts';
import * as store from '../rows/store.ts';
import { keepCheckpoint } from './checkpoints.ts';
import { endRun } from './end.ts';
import { continueRun, offerAgain } from './offer.ts';
import { findAwaited } from './questions.ts';
import { parkRun } from './waiting.ts';

type Finalize = Extract<RunEvent, { kind: 'finalize' }>;
type Wait = Extract<RunEvent, { kind: 'wait' }>;

const NOTHING_USED: Used = { cpu_ms: 0, wall_ms: 0, host_calls: 0 };

/** Applies a batch of events, all or none (spec EV1-EV6). From a runner the request is also the heartbeat that renews its claim. */
export async function appendRunEvents(ctx: Ctx, { params, body }: InputOf<Endpoints['ai_tasks.append_run_events']>): Promise<undefined> {
  const { events, used = NOTHING_USED } = body;
  checkOrder(events, ctx.actor.type === 'task');
  if (ctx.actor.type === 'task') {
    await claims.renewClaim(ctx.db, ctx.actor.claimId, ctx.services.config.leaseSeconds * 1000, used);
    if (events.length === 0) return;
  }
  const run = await store.lockRun(ctx.db, params.run_id);
  if (!run || run.task_id !== params.id) throw notFound('run', params.run_id);
  if (run.status !== 'running') throw new Refusal('run_not_running', `Run ${run.id} is ${run.status}; only a running run takes events.`);
  const changes: store.RunChanges = ctx.actor.type === 'task' ? { reported: 1 } : await takeOver(ctx, run);
  if (ctx.actor.type === 'admin') await store.noteClient(ctx.db, run.id);
  const times = new Map<LoggedEvent, CallTime>();
  const lines = await linesOf(ctx, events, (line, event) => times.set(line, callTime(ctx.now, run.started_at, event, body.clock_ms)));
  if (lines.length > 0)
    Object.assign(
      changes,
      await appendLines(ctx, run, lines, {
        source: 'run',
        limit: ctx.actor.type === 'task' ? ctx.actor.limits?.logBytes : undefined,
        times,
      }),
    );
  const described = lines.findLast((line) => line.kind === 'describe');
  if (described) changes.description = described.description === '' ? null : described.description;
  const detailed = events.findLast((event) => event.kind === 'details');
  if (detailed) Object.assign(changes, await showDetails(ctx, run, detailed.markdown));
  const progress = lines.findLast((line) => line.kind === 'progress');
  if (progress) changes.progress = JSON.stringify({ current: progress.current, total: progress.total, label: progress.label });
  const { actor } = ctx;
  if (actor.type === 'task') {
    await recordAnswers(
      ctx.db,
      run,
      actor.claimId,
      events.filter((event) => event.kind === 'answered'),
    );
  }
  let restarts = false;
  for (const event of events) {
    if (event.kind !== 'checkpoint') continue;
    const kept = await keepCheckpoint(ctx, { ...run, ...changes }, event);
    Object.assign(changes, kept?.changes);
    restarts ||= kept?.restarts === true;
  }
  const last = events.at(-1);
  if (restarts) await restartReplay(ctx, run, changes);
  else if (last?.kind === 'finalize') await finalize(ctx, { ...run, ...changes }, last, changes);
  else if (last?.kind === 'wait') await wait(ctx, { ...run, ...changes }, last, changes);
  else if (Object.keys(changes).length > 0) await store.updateRun(ctx.db, run.id, changes);
}

function checkOrder(events: readonly RunEvent[], fromRunner: boolean): void {
  const waits = events.findIndex((event) => event.kind === 'wait');
  if (waits !== -1 && !fromRunner) throw refuseValue('unknown_kind', `/events/${waits}/kind`, 'only a runner may send wait events');
  const end = events.findIndex((event) => event.kind === 'finalize' || event.kind === 'wait');
  if (end !== -1 && end !== events.length - 1) {
    throw refuseValue(
      'events_after_finalize',
      `/events/${end + 1}`,
      'no event may come after finalize or wait; nothing of this batch was applied',
    );
  }
}

/** The first to report drives the run (spec C5): if a client sends events before any runner did, the run becomes the client's. */
async function takeOver(ctx: Ctx, run: store.RunRow): Promise<store.RunChanges> {
  if (run.executor === 'external') return {};
  if (run.dry_run === 1) throw new Refusal('run_claimed', `Run ${run.id} is a dry run: only a runner drives it.`);
  if (run.replay_of_run_id !== null) throw new Refusal('run_claimed', `Run ${run.id} is a replay: only a runner drives it.`);
  if (run.reported === 1) throw new Refusal('run_claimed', `Run ${run.id} is driven by the runner ${run.claimed_by}.`);
  if (run.claim_id !== null) await claims.endClaim(ctx.db, run.claim_id, ctx.now);
  return { executor: 'external', claim_id: null, retry_due_ms: null };
}

type CallEvent = Extract<RunEvent, { kind: 'admin_api' }>;

/**
 * Returns the events that become log lines. A result that an earlier attempt has stored is left out (spec JO8). `onCall` gets the
 * lines that report calls with their whole events.
 */
async function linesOf(
  ctx: Ctx,
  events: readonly RunEvent[],
  onCall: (line: LoggedEvent, event: CallEvent) => void,
): Promise<LoggedEvent[]> {
  const lines: LoggedEvent[] = [];
  for (const event of events) {
    if (isNoLine(event)) continue;
    if (event.kind === 'admin_api') {
      const { kind, method, path, status, request } = event;
      const line: LoggedEvent = { kind, method, path, status, ...(request && { request }) };
      onCall(line, event);
      lines.push(line);
      continue;
    }
    if (event.kind !== 'result') {
      lines.push(event);
      continue;
    }
    const { key, ...line } = event;
    const { actor } = ctx;
    if (key === undefined || actor.type !== 'task' || (await lineages.keepResult(ctx.db, actor, key))) lines.push(line);
  }
  return lines;
}

type NoLine = Exclude<RunEvent['kind'], LoggedEvent['kind']>;
const NO_LINES: Readonly<Record<NoLine, true>> = { checkpoint: true, finalize: true, answered: true, wait: true, details: true };

function isNoLine(event: RunEvent): event is Extract<RunEvent, { kind: NoLine }> {
  return Object.hasOwn(NO_LINES, event.kind);
}

/** The last details of a batch take the place of all before them. */
async function showDetails(ctx: Ctx, run: store.RunRow, markdown: string): Promise<store.RunChanges> {
  await store.storeDetails(ctx.db, run.id, markdown === '' ? null : markdown);
  tellRun(ctx, run.id);
  return { details_number: run.details_number + 1, sign_ms: Date.parse(ctx.now) };
}

/** The sender's clock tells only how long ago the call was sent, so that clocks of different machines need not agree. */
function callTime(now: string, startedAt: string, { began_ms, duration_ms, epoch }: CallEvent, clockMs: number | undefined): CallTime {
  const known = { durationMs: duration_ms ?? null, epoch: epoch ?? null };
  if (began_ms === undefined || clockMs === undefined) return { at: now, ...known };
  const sentMs = Date.parse(now) - Math.max(0, clockMs - began_ms);
  return { at: new Date(Math.max(sentMs, Date.parse(startedAt))).toISOString(), ...known };
}

/** Offers a replay again where the recorded script was started again: the next claim starts from this checkpoint. */
async function restartReplay(ctx: Ctx, run: store.RunRow, changes: store.RunChanges): Promise<void> {
  if (run.claim_id !== null) await claims.endClaim(ctx.db, run.claim_id, ctx.now);
  await offerAgain(ctx, run, run.attempt, changes);
}

async function finalize(ctx: Ctx, run: store.RunRow, event: Finalize, changes: store.RunChanges): Promise<void> {
  const fromRunner = ctx.actor.type === 'task';
  const result = fromRunner && event.result !== undefined ? JSON.stringify(event.result) : null;
  const end = {
    status: event.status,
    errorMessage: storable(event.error_message ?? null),
    endReason: fromRunner ? (event.end_reason ?? null) : null,
    result: result !== null && Buffer.byteLength(result) <= RESULT_MAX_BYTES ? result : null,
    retryAfterMs: fromRunner && event.end_reason === 'script_error' ? event.retry_after_ms : undefined,
  };
  await endRun(ctx, await requireTask(ctx.db, run.task_id), run, end, changes);
}

/** Parks the run. If a question was answered in the meantime, the run is offered again at once. */
async function wait(ctx: Ctx, run: store.RunRow, event: Wait, changes: store.RunChanges): Promise<void> {
  if (ctx.actor.type !== 'task') throw new Error('only a runner waits for answers');
  const { awaited, isOver, told } = await findAwaited(ctx.db, ctx.actor, event.prompt_ids);
  const other = event.prompt_ids.find((id) => !awaited.has(id));
  if (other !== undefined)
    throw refuseValue(
      'prompt_not_found',
      '/events',
      `run ${run.id} does not wait for prompt ${other}: it has not asked this prompt, or already has the answer`,
    );
  await parkRun(ctx, run, changes, event.said ? { ...event.said, waits: event.prompt_ids } : null);
  if (isOver) await continueRun(ctx, run, told.length > 0 ? `${told.join(', ')} meanwhile` : null);
}

/** Replaces U+0000, which PostgreSQL cannot store, and lone surrogates: the error that a script threw may hold any character. */
function storable(text: string | null): string | null {
  return text === null ? null : text.replaceAll('\u0000', '\ufffd').toWellFormed();
}

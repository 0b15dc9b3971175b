import type { Logger } from 'pino';
import { RESULT_MAX_BYTES } from '../contract/run-events.ts';
import type { NextRun } from '../contract/runner.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { createAnswerGate } from './answer-gate.ts';
import { createAnswersTold } from './answers-told.ts';
import { createArtifactUploads } from './artifact-uploads.ts';
import { createBudget } from './budget.ts';
import { createEpochKeys } from './call-key.ts';
import { createReports, createScriptCalls } from './claim-clients.ts';
import { type ClaimedRun, ClaimsAnswer } from './claimed-run.ts';
import { createEnding, type RunStop } from './ending.ts';
import { createEventSender, type Delivery, type NextAsked } from './event-sender.ts';
import { cutLine } from './log-events.ts';
import { type Cause, outcomeOf } from './outcome.ts';
import type { Pool } from './pool.ts';
import type { FromWorker } from './protocol.ts';
import { loadRecordedAnswers, type RecordedAnswer } from './recording.ts';
import { createCallHandler } from './run-calls.ts';
import type { RunContext } from './run-context.ts';
import { createRunLog } from './run-log.ts';
import { beginRunSpan, endRunSpan } from './run-span.ts';
import { createRunWorker } from './run-worker.ts';
import type { ServerClient } from './server-client.ts';
import { createWaiting, startPausable } from './waiting.ts';

export type RunHandle = {
  /**
   * Resolves when the worker is given back: another run may begin while this one's end is still being reported. `asksForNext`: the report
   * of the end asks for the next run.
   */
  workerFree: Promise<{ asksForNext: boolean }>;
  /** Resolves when the server has been told of the run's end, or cannot be told any more; with the run that it gave in return, if any. */
  finished: Promise<ClaimedRun[]>;
  /** Interrupts the run at its next checkpoint. */
  drain(): void;
  /** Interrupts the run now. */
  interrupt(): void;
  /** Stops the run now, without a report to the server. */
  abandon(): void;
};

export type RunOptions = {
  client: ServerClient;
  pool: Pool;
  log: Logger;
  promptHoldMs?: number;
  tracing?: Tracing | null;
  /** The client for answers that hold a claim, and what to tell when asking for the next run; null: no run is to follow. */
  next?: { client: ServerClient; ask(): NextRun | null };
};

/** How long a run that waits for a person keeps its worker (spec SF10). */
const PROMPT_HOLD_MS = 60_000;

/**
 * Executes one run, from its claim to its end: makes the run's parts, starts its worker, waits until one of the parts stops
 * the run, and reports the end to the server. A failing run is an expected outcome, so no promise here rejects.
 */
export function executeRun(
  claim: ClaimedRun,
  { client, pool, log: runnerLog, promptHoldMs = PROMPT_HOLD_MS, tracing = null, next: following }: RunOptions,
): RunHandle {
  const { run, limits } = claim;
  const span = tracing && beginRunSpan(tracing, claim);
  const logger = runnerLog.child({ run_id: run.id, task_id: run.task_id, attempt: run.attempt, ...span?.ids });
  let draining = false;

  const ending = createEnding();
  const worker = createRunWorker(claim, { pool, ending });
  const budgets = {
    host_calls: createBudget(limits.host_calls, claim.used.host_calls),
    writes: createBudget(limits.writes, claim.writes_made),
  };
  const wall = startPausable(limits.wall_seconds * 1000 - claim.used.wall_ms, () =>
    ending.end({ kind: 'wall', seconds: limits.wall_seconds }),
  );
  // The script's time begins when it has a worker: after a run that took down its worker, the next run may wait for a new one.
  wall.pause();
  const waiting = createWaiting(promptHoldMs, {
    onBegin(promptIds) {
      wall.pause();
      if (draining) ending.wait(promptIds);
    },
    onEnd: wall.resume,
    onTimeout: ending.wait,
  });
  const told = createAnswersTold(claim.epoch);
  const reportsBy = (by: ServerClient) => createReports(by, claim.report_token, { taskId: run.task_id, runId: run.id }, span, told);
  const reports = reportsBy(client);
  const sender = createEventSender(
    {
      reports,
      leaseMs: claim.lease_seconds * 1000,
      // The figures include the run's earlier claims, because the next claim begins with them.
      used: () => ({
        cpu_ms: Math.round(worker.cpuMs()),
        wall_ms: Math.round(claim.used.wall_ms + wall.usedMs()),
        host_calls: budgets.host_calls.spent(),
      }),
    },
    {
      onLost: ending.lose,
      onRefused(code, detail) {
        if (code === 'log_too_large') ending.end({ kind: 'budget', budget: 'log', limit: `${limits.log_bytes} bytes` });
        else ending.end({ kind: 'violation', message: `the server refused the run's events: ${code} ${detail}` });
      },
    },
  );
  const log = createRunLog({ sender, limitBytes: limits.log_bytes, made: claim.log_made }, (limit) =>
    ending.end({ kind: 'budget', budget: 'log', limit }),
  );
  const artifacts = createArtifactUploads();
  const earlierAnswers = new Map<string, RecordedAnswer>();
  const recordedAnswers = run.replay ? earlierAnswers : null;
  const context: RunContext = {
    calls: createScriptCalls(client, claim.token, span, told),
    reports,
    sender,
    log,
    lineageSeed: claim.seed,
    heapMib: limits.heap_mib,
    budgets,
    keys: createEpochKeys(claim.epoch),
    onces: new Map(),
    told,
    gate: createAnswerGate({
      rests: run.resumes === true,
      questions: () => waiting.promptIds().length,
      onDelivered: ({ orderName }, given) => told.delivered(orderName, given),
    }),
    artifacts,
    waiting,
    record: run.record,
    span,
    recordedAnswers,
    nowMs: Date.parse(claim.now),
    alive: ending.alive,
    end: ending.end,
    lose: ending.lose,
  };
  const calls = createCallHandler(context, {
    answer: worker.send,
    unreadBytes: worker.unreadBytes,
    onCheckpoint: () => draining && ending.end({ kind: 'drained' }),
  });

  void begin();
  const released = ending.stopped.then(release);
  return {
    workerFree: released.then(({ next }) => ({ asksForNext: next !== null })),
    finished: released.then(report),
    drain() {
      draining = true;
      if (waiting.isWaiting()) ending.wait(waiting.promptIds());
    },
    interrupt: () => ending.end({ kind: 'drained' }),
    abandon() {
      ending.lose('the runner stops');
      sender.stop();
    },
  };

  async function begin(): Promise<void> {
    if ((run.replay || run.resumes) && !(await loadRecordedAnswers(reports, ending.alive, earlierAnswers)))
      return ending.lose('the answers of earlier attempts could not be loaded');
    if (!run.replay) context.gate.follow([...earlierAnswers.keys()]);
    if (await worker.start(receive)) wall.resume();
  }

  function receive(message: FromWorker): void {
    try {
      if (message.type === 'call') calls.receive(message);
      else if (message.type === 'rest') calls.rest(message.answers);
      else if (message.type === 'done') void calls.askUnawaited().then(() => ending.end({ kind: 'done', ...message }));
      else ending.end({ kind: 'violation', message: 'the worker reported twice that it is ready' });
    } catch (error) {
      logger.warn({ err: error }, 'a message of a worker could not be handled');
      ending.end({ kind: 'violation', message: 'the worker sent a message that could not be handled' });
    }
  }

  /** Where a report is on its way, the end has to wait for it, and the next run is not to wait for both. */
  function askForNext(): NextAsked | null {
    const next = sender.isIdle() ? following?.ask() : undefined;
    return following && next ? { reports: reportsBy(following.client), next } : null;
  }

  function release(stop: RunStop): { stop: RunStop; next: NextAsked | null } {
    const cause = stop.kind === 'ended' ? stop.cause : null;
    artifacts.close();
    wall.stop();
    waiting.stop();
    worker.giveBack(cause?.kind === 'done' && cause.reusable && cause.end_reason !== 'heap');
    return { stop, next: cause && askForNext() };
  }

  async function report({ stop, next }: ReturnType<typeof release>): Promise<ClaimedRun[]> {
    let claims: ClaimedRun[] = [];
    if (stop.kind === 'lost') {
      logger.info({ reason: stop.reason }, 'the run is no longer this runner’s');
    } else {
      calls.flushEvents();
      log.flush();
      sender.allowLongOutage();
      if (stop.kind === 'ended') claims = claimsIn(await reportEnd(stop.cause, next));
      else await reportWaiting(stop.promptIds);
    }
    sender.stop();
    if (span) endRunSpan(span, stop, claim);
    return claims;
  }

  async function reportEnd(cause: Cause, next: NextAsked | null): Promise<Delivery> {
    const full = outcomeOf(cause, claim);
    const outcome = { ...full, error_message: full.error_message && cutLine(full.error_message) };
    const level = outcome.end_reason === 'sandbox' ? 'warn' : 'debug';
    logger[level]({ ...outcome, ...(cause.kind === 'exit' && { stderr: cause.stderr.slice(-500) }) }, 'run ended');
    const result = cause.kind === 'done' && outcome.status === 'success' ? checkedResult(cause.result) : 'null';
    const event = JSON.stringify({ kind: 'finalize', ...outcome });
    const delivery = await sender.deliver(`${event.slice(0, -1)},"result":${result}}`, next);
    if (delivery.kind !== 'refused') return delivery;
    logger.error({ problem: delivery.problem }, 'the server refused the end of a run');
    return result === 'null' ? delivery : sender.deliver(event, next);
  }

  /** Without an answer that makes sense, the claim that it may have held ends by itself. */
  function claimsIn(delivery: Delivery): ClaimedRun[] {
    if (delivery.kind !== 'stored' || delivery.text === '') return [];
    try {
      return ClaimsAnswer.parse(JSON.parse(delivery.text)).claims;
    } catch (error) {
      logger.error({ err: error }, 'the answer to the end of a run cannot be read');
      return [];
    }
  }

  /** A person may take hours to answer. Then the run continues from its checkpoint, on this runner or another. */
  async function reportWaiting(promptIds: number[]): Promise<void> {
    logger.debug('the run waits for a person, its worker is given back');
    const delivery = await sender.deliver(JSON.stringify({ kind: 'wait', prompt_ids: promptIds }));
    if (delivery.kind === 'refused') logger.error({ problem: delivery.problem }, 'the server refused to let a run wait');
  }
}

/** The result as JSON text; the text `null` when it is too large or when a hostile worker sent something that is not JSON. */
function checkedResult(result: string | null): string {
  if (result === null || Buffer.byteLength(result) > RESULT_MAX_BYTES) return 'null';
  try {
    JSON.parse(result);
    return result;
  } catch {
    return 'null';
  }
}

import type { Logger } from 'pino';
import type { NextRun } from '../contract/runner.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { ClaimedRun } from './claimed-run.ts';
import { createEnding, leavesWorkerReusable, type RunStop } from './ending.ts';
import type { NextAsked } from './event-sender.ts';
import type { Pool } from './pool.ts';
import type { FromWorker } from './protocol.ts';
import { loadRecordedAnswers, type RecordedAnswer } from './recording.ts';
import { createCallHandler } from './run-calls.ts';
import { createRunParts } from './run-parts.ts';
import { reportEnd, reportWaiting } from './run-report.ts';
import { beginRunSpan, endRunSpan } from './run-span.ts';
import { createRunWorker } from './run-worker.ts';
import type { ServerClient } from './server-client.ts';

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
 * the run (ending.ts), and reports the end to the server. A failing run is an expected outcome, so no promise here rejects.
 */
export function executeRun(
  claim: ClaimedRun,
  { client, pool, log: runnerLog, promptHoldMs = PROMPT_HOLD_MS, tracing = null, next: following }: RunOptions,
): RunHandle {
  const { run } = claim;
  const span = tracing && beginRunSpan(tracing, claim);
  const logger = runnerLog.child({ run_id: run.id, task_id: run.task_id, attempt: run.attempt, ...span?.ids });
  const ending = createEnding();
  const worker = createRunWorker(claim, { pool, ending });
  const earlierAnswers = new Map<string, RecordedAnswer>();
  const { context, wall, reportsBy } = createRunParts(claim, { client, promptHoldMs, ending, worker, span, earlierAnswers });
  const { reports, sender, log, artifacts, waiting } = context;
  const calls = createCallHandler(context, {
    answer: worker.send,
    unreadBytes: worker.unreadBytes,
    onCheckpoint: () => ending.tell({ kind: 'checkpoint' }),
  });

  void begin();
  const released = ending.stopped.then(release);
  return {
    workerFree: released.then(({ next }) => ({ asksForNext: next !== null })),
    finished: released.then(report),
    drain: () => ending.tell({ kind: 'drain', promptIds: waiting.isWaiting() ? waiting.promptIds() : null }),
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

  function release(stop: RunStop): { stop: RunStop; next: NextAsked | null } {
    artifacts.close();
    wall.stop();
    waiting.stop();
    worker.giveBack(leavesWorkerReusable(stop));
    return { stop, next: stop.kind === 'ended' ? askForNext() : null };
  }

  /** Where a report is on its way, the end has to wait for it, and the next run is not to wait for both. */
  function askForNext(): NextAsked | null {
    const next = sender.isIdle() ? following?.ask() : undefined;
    return following && next ? { reports: reportsBy(following.client), next } : null;
  }

  async function report({ stop, next }: ReturnType<typeof release>): Promise<ClaimedRun[]> {
    let claims: ClaimedRun[] = [];
    if (stop.kind === 'lost') {
      logger.info({ reason: stop.reason }, 'the run is no longer this runner’s');
    } else {
      calls.flushEvents();
      log.flush();
      sender.allowLongOutage();
      if (stop.kind === 'ended') claims = await reportEnd(sender, stop.cause, { claim, next, logger });
      else await reportWaiting(sender, stop.promptIds, { said: log.said(), logger });
    }
    sender.stop();
    if (span) endRunSpan(span, stop, claim);
    return claims;
  }
}

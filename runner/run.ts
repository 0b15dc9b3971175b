import type { Logger } from 'pino';
import { RESULT_MAX_BYTES } from '../contract/run-events.ts';
import { createArtifactUploads } from './artifact-uploads.ts';
import { createBudget } from './budget.ts';
import { createEpochKeys } from './call-key.ts';
import { createReports, createScriptCalls } from './claim-clients.ts';
import type { ClaimedRun } from './claimed-run.ts';
import { createEnding, type Parting } from './ending.ts';
import { createEventSender } from './event-sender.ts';
import { cutLine } from './log-events.ts';
import { type Cause, outcomeOf } from './outcome.ts';
import type { Pool } from './pool.ts';
import type { FromWorker } from './protocol.ts';
import { loadTurns, type RecordedTurn } from './recording.ts';
import { createCallHandler } from './run-calls.ts';
import type { RunContext } from './run-context.ts';
import { createRunLog } from './run-log.ts';
import { createRunWorker } from './run-worker.ts';
import type { ServerClient } from './server-client.ts';
import { createTraffic } from './traffic.ts';
import { createWaiting, startPausable } from './waiting.ts';

export type RunHandle = {
  /** The worker is given back: another run may begin while this one's end is still being told. */
  workerFree: Promise<void>;
  /** The server knows the end, or needs not be told. */
  finished: Promise<void>;
  /** Ends the run at its next checkpoint. */
  drain(): void;
  /** Ends it now. */
  interrupt(): void;
  /** Ends it now and tells nobody. */
  abandon(): void;
};

/** A run that waits for a person keeps its worker so long (automation.md §7). */
const PROMPT_HOLD_MS = 60_000;

/**
 * One run, from its claim to its end: its parts are made, its worker is started, it runs until one of the parts says how it
 * ends, and that is told to the server. A run that fails is data: nothing here rejects.
 */
export function startRun(
  claim: ClaimedRun,
  { client, pool, log: runnerLog, promptHoldMs = PROMPT_HOLD_MS }: { client: ServerClient; pool: Pool; log: Logger; promptHoldMs?: number },
): RunHandle {
  const { run, limits } = claim;
  const logger = runnerLog.child({ run_id: run.id, task_id: run.task_id, attempt: run.attempt });
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
  const waiting = createWaiting(promptHoldMs, {
    onBegin(promptIds) {
      wall.pause();
      if (draining) ending.wait(promptIds);
    },
    onEnd: wall.go,
    onLong: ending.wait,
  });
  const reports = createReports(client, claim.report_token, { taskId: run.task_id, runId: run.id });
  const sender = createEventSender(
    {
      reports,
      leaseMs: claim.lease_seconds * 1000,
      // All that the run has used, its earlier claims included: the next claim goes on from there.
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
  const turns = run.replay ? new Map<string, RecordedTurn>() : null;
  const context: RunContext = {
    calls: createScriptCalls(client, claim.token),
    reports,
    sender,
    log,
    lineageSeed: claim.seed,
    heapMib: limits.heap_mib,
    budgets,
    keys: createEpochKeys(claim.epoch),
    onces: new Map(),
    traffic: createTraffic(),
    artifacts,
    waiting,
    record: run.record,
    turns,
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
  const released = ending.parting.then(release);
  return {
    workerFree: released.then(() => undefined),
    finished: released.then(tell),
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
    if (turns && !(await loadTurns(reports, ending.alive, turns))) ending.lose('the order of the recorded answers cannot be had');
    else await worker.start(receive);
  }

  function receive(message: FromWorker): void {
    try {
      if (message.type === 'call') calls.receive(message);
      else if (message.type === 'rest') calls.rest(message.answers);
      else if (message.type === 'done') void calls.askUnawaited().then(() => ending.end({ kind: 'done', ...message }));
      else ending.end({ kind: 'violation', message: 'the worker said twice that it is ready' });
    } catch (error) {
      logger.warn({ err: error }, 'a message of a worker could not be handled');
      ending.end({ kind: 'violation', message: 'the worker sent a message that could not be handled' });
    }
  }

  function release(parting: Parting): Parting {
    const cause = parting.kind === 'ended' ? parting.cause : null;
    artifacts.close();
    wall.stop();
    waiting.stop();
    worker.giveBack(cause?.kind === 'done' && cause.reusable && cause.end_reason !== 'heap');
    return parting;
  }

  async function tell(parting: Parting): Promise<void> {
    if (parting.kind === 'lost') {
      logger.info({ reason: parting.reason }, 'the run is no longer this runner’s');
    } else {
      calls.flushEvents();
      log.flush();
      sender.bePatient();
      if (parting.kind === 'ended') await tellEnd(parting.cause);
      else await tellWaiting(parting.promptIds);
    }
    sender.stop();
  }

  async function tellEnd(cause: Cause): Promise<void> {
    const told = outcomeOf(cause, claim);
    const outcome = { ...told, error_message: told.error_message && cutLine(told.error_message) };
    const level = outcome.end_reason === 'sandbox' ? 'warn' : 'debug';
    logger[level]({ ...outcome, ...(cause.kind === 'exit' && { stderr: cause.stderr.slice(-500) }) }, 'run ended');
    const result = cause.kind === 'done' && outcome.status === 'success' ? checkedResult(cause.result) : 'null';
    const event = JSON.stringify({ kind: 'finalize', ...outcome });
    const delivery = await sender.deliver(`${event.slice(0, -1)},"result":${result}}`);
    if (delivery.kind !== 'refused') return;
    logger.error({ problem: delivery.problem }, 'the server refused the end of a run');
    if (result !== 'null') await sender.deliver(event);
  }

  /** A person may take hours: the run goes on from its checkpoint, here or elsewhere, when there is an answer. */
  async function tellWaiting(promptIds: number[]): Promise<void> {
    logger.debug('the run waits for a person, its worker is given back');
    const delivery = await sender.deliver(JSON.stringify({ kind: 'wait', prompt_ids: promptIds }));
    if (delivery.kind === 'refused') logger.error({ problem: delivery.problem }, 'the server refused to let a run wait');
  }
}

/** The result as JSON text; null where a hostile worker sent something else. */
function checkedResult(result: string | null): string {
  if (result === null || Buffer.byteLength(result) > RESULT_MAX_BYTES) return 'null';
  try {
    JSON.parse(result);
    return result;
  } catch {
    return 'null';
  }
}

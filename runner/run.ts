import type { Logger } from 'pino';
import { RESULT_MAX_BYTES, type Used } from '../contract/run-events.ts';
import { createArtifactUploads } from './artifact-uploads.ts';
import { createBudget } from './budget.ts';
import { createEpochKeys, epochSeed } from './call-key.ts';
import { createReports, createScriptCalls } from './claim-clients.ts';
import { createEventSender } from './event-sender.ts';
import { cutLine } from './log-events.ts';
import type { RunContext } from './operations.ts';
import { type Cause, diedOpening, outcomeOf } from './outcome.ts';
import type { ClaimedRun } from './payloads.ts';
import type { Lease, Pool } from './pool.ts';
import type { FromWorker } from './protocol.ts';
import { loadTurns, type RecordedTurn } from './recording.ts';
import { createCallHandler } from './run-calls.ts';
import { createRunLog } from './run-log.ts';
import type { ServerClient } from './server-client.ts';
import { createTraffic } from './traffic.ts';
import { createWaiting, startPausable } from './waiting.ts';
import { type Watch, watchProcess } from './watchdog.ts';

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
const STARTS_MAX = 3;
const MEBIBYTE = 1024 * 1024;
const RESIDENT_MAX_BYTES = 1228 * MEBIBYTE;

/** One run, from its claim to its end. A run that fails is data: nothing here rejects. */
export function startRun(
  claim: ClaimedRun,
  { client, pool, log: runnerLog, promptHoldMs = PROMPT_HOLD_MS }: { client: ServerClient; pool: Pool; log: Logger; promptHoldMs?: number },
): RunHandle {
  const { run, version, limits } = claim;
  const logger = runnerLog.child({ run_id: run.id, task_id: run.task_id, attempt: run.attempt });
  const workerFree = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<void>();
  let lease: Lease | null = null;
  let isOver = false;
  let draining = false;
  let heardOf = false;
  let starts = 0;
  let watch: Watch | undefined;
  let cpuMsBefore = claim.used.cpu_ms;
  const wall = startPausable(limits.wall_seconds * 1000 - claim.used.wall_ms, () => end({ kind: 'wall', seconds: limits.wall_seconds }));

  const reports = createReports(client, claim.report_token, { taskId: run.task_id, runId: run.id });
  const sender = createEventSender(
    { reports, leaseMs: claim.lease_seconds * 1000, used },
    {
      onLost: lose,
      onRefused(code, detail) {
        if (code === 'log_too_large') end({ kind: 'budget', budget: 'log', limit: `${limits.log_bytes} bytes` });
        else end({ kind: 'violation', message: `the server refused the run's events: ${code} ${detail}` });
      },
    },
  );
  const log = createRunLog({ sender, limitBytes: limits.log_bytes, made: claim.log_made, keys: () => context.keys }, (limit) =>
    end({ kind: 'budget', budget: 'log', limit }),
  );
  const turns = run.replay ? new Map<string, RecordedTurn>() : null;
  const context: RunContext = {
    calls: createScriptCalls(client, claim.token),
    reports,
    sender,
    log,
    lineageSeed: claim.seed,
    heapMib: limits.heap_mib,
    hostCalls: createBudget(limits.host_calls, claim.used.host_calls),
    writes: createBudget(limits.writes, claim.writes_made),
    keys: createEpochKeys(claim.epoch),
    onces: new Map(),
    traffic: createTraffic(),
    artifacts: createArtifactUploads(),
    waiting: createWaiting(promptHoldMs, { onBegin: beginWaiting, onEnd: wall.go, onLong: giveBack }),
    record: run.record,
    turns,
    nowMs: Date.parse(claim.now),
    alive: () => !isOver,
    end,
    lose,
  };
  const calls = createCallHandler(context, {
    answer: (message) => lease?.worker.send(message),
    unreadBytes: () => lease?.worker.unreadBytes() ?? 0,
    onCheckpoint: () => draining && end({ kind: 'drained' }),
  });
  void begin();
  return {
    workerFree: workerFree.promise,
    finished: finished.promise,
    drain() {
      draining = true;
      if (context.waiting.isWaiting()) giveBack();
    },
    interrupt: () => end({ kind: 'drained' }),
    abandon() {
      lose('the runner stops');
      sender.stop();
    },
  };

  async function begin(): Promise<void> {
    if (turns && !(await loadTurns(reports, () => !isOver, turns))) {
      return lose('the order of the recorded answers cannot be had');
    }
    const taken = await pool.take(version.id);
    if (isOver) return taken?.giveBack(true);
    if (taken === null) return end({ kind: 'no_worker', message: 'no worker process could be started' });
    lease = taken;
    const { worker } = taken;
    worker.listen({ onMessage: receive, onViolation: (message) => end({ kind: 'violation', message }) });
    const memoryMaxBytes = Math.min((limits.heap_mib * 2 + 256) * MEBIBYTE, RESIDENT_MAX_BYTES);
    worker.limitMemory(memoryMaxBytes);
    worker.send({
      type: 'start',
      source: version.source_code,
      now_ms: context.nowMs,
      seed: epochSeed(claim.seed, claim.epoch),
      parameters: JSON.stringify(claim.parameters),
      checkpoint: JSON.stringify(claim.checkpoint),
      permissions: version.permissions,
      heap_mib: limits.heap_mib,
      ...(run.replay && { replay: true }),
    });
    watch = watchProcess({
      pid: worker.pid,
      cpuSeconds: limits.cpu_seconds - cpuMsBefore / 1000,
      memoryMaxBytes,
      onCpu: () => end({ kind: 'cpu', seconds: limits.cpu_seconds }),
      onMemory: () => end({ kind: 'memory', mebibytes: memoryMaxBytes / MEBIBYTE }),
    });
    void worker.ended.then((how) => {
      if (isOver) return;
      watch?.stop();
      cpuMsBefore += watch?.cpuMs() ?? 0;
      watch = undefined;
      starts += 1;
      if (!heardOf && diedOpening(how) && starts < STARTS_MAX) void begin();
      else end({ kind: 'exit', ...how });
    });
  }

  function receive(message: FromWorker): void {
    if (isOver) return;
    heardOf = true;
    try {
      if (message.type === 'call') calls.receive(message);
      else if (message.type === 'rest') calls.rest(message.answers);
      else if (message.type === 'done') void calls.askUnawaited().then(() => end({ kind: 'done', ...message }));
      else end({ kind: 'violation', message: 'the worker said twice that it is ready' });
    } catch (error) {
      logger.warn({ err: error }, 'a message of a worker could not be handled');
      end({ kind: 'violation', message: 'the worker sent a message that could not be handled' });
    }
  }

  /** The first cause wins. */
  function end(cause: Cause): void {
    if (isOver) return;
    release(cause.kind === 'done' && cause.reusable && cause.end_reason !== 'heap');
    calls.flushEvents();
    log.flush();
    const told = outcomeOf(cause, claim);
    const outcome = { ...told, error_message: told.error_message && cutLine(told.error_message) };
    const level = outcome.end_reason === 'sandbox' ? 'warn' : 'debug';
    logger[level]({ ...outcome, ...(cause.kind === 'exit' && { stderr: cause.stderr.slice(-500) }) }, 'run ended');
    const result = cause.kind === 'done' && outcome.status === 'success' ? checkedResult(cause.result) : 'null';
    void finalize(JSON.stringify({ kind: 'finalize', ...outcome }), result);
  }

  async function finalize(event: string, result: string): Promise<void> {
    sender.bePatient();
    const delivery = await sender.deliver(`${event.slice(0, -1)},"result":${result}}`);
    if (delivery.kind === 'refused') {
      logger.error({ problem: delivery.problem }, 'the server refused the end of a run');
      if (result !== 'null') await sender.deliver(event);
    }
    sender.stop();
    finished.resolve();
  }

  function beginWaiting(): void {
    wall.pause();
    if (draining) giveBack();
  }

  /** A person may take hours: the run goes on from its checkpoint, here or elsewhere, when there is an answer. */
  function giveBack(): void {
    if (isOver) return;
    const event = JSON.stringify({ kind: 'wait', prompt_ids: context.waiting.promptIds() });
    release(false);
    calls.flushEvents();
    log.flush();
    logger.debug('the run waits for a person, its worker is given back');
    void tellWaiting(event);
  }

  async function tellWaiting(event: string): Promise<void> {
    sender.bePatient();
    const delivery = await sender.deliver(event);
    if (delivery.kind === 'refused') logger.error({ problem: delivery.problem }, 'the server refused to let a run wait');
    sender.stop();
    finished.resolve();
  }

  /** All that the run has used, its earlier claims included: the next claim goes on from there. */
  function used(): Used {
    return {
      cpu_ms: Math.round(cpuMsBefore + (watch?.cpuMs() ?? 0)),
      wall_ms: Math.round(claim.used.wall_ms + wall.usedMs()),
      host_calls: context.hostCalls.spent(),
    };
  }

  function lose(reason: string): void {
    if (!isOver) {
      logger.info({ reason }, 'the run is no longer this runner’s');
      release(false);
      sender.stop();
    }
    finished.resolve();
  }

  function release(reusable: boolean): void {
    isOver = true;
    context.artifacts.close();
    wall.stop();
    context.waiting.stop();
    watch?.stop();
    lease?.giveBack(reusable && !watch?.wasSlowed());
    workerFree.resolve();
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

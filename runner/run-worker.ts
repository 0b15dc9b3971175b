import { secretMark } from '../contract/secret-mark.ts';
import { epochSeed } from './call-key.ts';
import type { ClaimedRun } from './claimed-run.ts';
import type { Ending } from './ending.ts';
import { diedOpeningIsolate } from './outcome.ts';
import type { Lease, Pool } from './pool.ts';
import type { FromWorker, ToWorker } from './protocol.ts';
import { type Watch, watchProcess } from './watchdog.ts';
import type { WorkerEnd } from './worker-process.ts';

/** The worker that runs the script of one claim. Another worker replaces it when it dies before the script has begun. */
export type RunWorker = {
  /** Takes a worker from the pool and starts the script in it; false if the run ended meanwhile or no worker could be had. */
  start(onMessage: (message: FromWorker) => void): Promise<boolean>;
  send(message: ToWorker): void;
  /** How many bytes were sent that the worker has not read yet. */
  unreadBytes(): number;
  /** The CPU time that the run has used, including its earlier claims. */
  cpuMs(): number;
  giveBack(reusable: boolean): void;
};

const STARTS_MAX = 3;
const MEBIBYTE = 1024 * 1024;
const RESIDENT_MAX_BYTES = 1228 * MEBIBYTE;

export function createRunWorker({ version, limits, ...claim }: ClaimedRun, { pool, ending }: { pool: Pool; ending: Ending }): RunWorker {
  let lease: Lease | null = null;
  let watch: Watch | null = null;
  let starts = 0;
  let hasSentMessage = false;
  let cpuMsBefore = claim.used.cpu_ms;
  const cpuMs = (): number => cpuMsBefore + (watch?.cpuMs() ?? 0);

  async function start(onMessage: (message: FromWorker) => void): Promise<boolean> {
    const taken = await pool.take(version.id, limits.heap_mib);
    if (!ending.alive() || taken === null) {
      taken?.giveBack(true);
      ending.end({ kind: 'no_worker', message: 'no worker process could be started' });
      return false;
    }
    lease = taken;
    const { worker } = taken;
    worker.listen({
      onMessage(message) {
        hasSentMessage = true;
        if (ending.alive()) onMessage(message);
      },
      onViolation: (message) => ending.end({ kind: 'violation', message }),
    });
    const memoryMaxBytes = Math.min((limits.heap_mib * 2 + 256) * MEBIBYTE, RESIDENT_MAX_BYTES);
    worker.limitMemory(memoryMaxBytes);
    worker.send({
      type: 'start',
      ...(version.code === null ? { source: version.source_code, code: null } : { source: '', code: version.code }),
      task_id: claim.run.task_id,
      now_ms: Date.parse(claim.now),
      began_ms: claim.began === undefined ? 0 : Date.parse(claim.began),
      seed: epochSeed(claim.seed, claim.epoch),
      secret_mark: secretMark(claim.seed),
      parameters: JSON.stringify(claim.parameters),
      checkpoint: JSON.stringify(claim.checkpoint),
      shop: JSON.stringify(claim.shop),
      permissions: version.permissions,
      heap_mib: limits.heap_mib,
      ...((claim.run.replay || claim.run.resumes) && { rests: true }),
    });
    watch = watchProcess({
      pid: worker.pid,
      cpuSeconds: limits.cpu_seconds - cpuMsBefore / 1000,
      memoryMaxBytes,
      onCpu: () => ending.end({ kind: 'cpu', seconds: limits.cpu_seconds }),
      onMemory: () => ending.end({ kind: 'memory', mebibytes: memoryMaxBytes / MEBIBYTE }),
    });
    void worker.ended.then((how) => onExit(how, onMessage));
    return true;
  }

  function onExit(how: WorkerEnd, onMessage: (message: FromWorker) => void): void {
    if (!ending.alive()) return;
    watch?.stop();
    cpuMsBefore = cpuMs();
    watch = null;
    starts += 1;
    if (!hasSentMessage && diedOpeningIsolate(how) && starts < STARTS_MAX) void start(onMessage);
    else ending.end({ kind: 'exit', ...how });
  }

  return {
    start,
    send: (message) => lease?.worker.send(message),
    unreadBytes: () => lease?.worker.unreadBytes() ?? 0,
    cpuMs,
    giveBack(reusable) {
      watch?.stop();
      lease?.giveBack(reusable && !watch?.wasSlowed());
    },
  };
}

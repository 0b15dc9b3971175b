import type { Logger } from 'pino';
import { defaultLimits } from '../contract/runner.ts';
import type { WorkerProcess } from './worker-process.ts';

/** A worker lent to one run. `giveBack(true)` when the run ended cleanly and the worker may serve another run. */
export type Lease = { worker: WorkerProcess; giveBack(reusable: boolean): void };
export type Pool = {
  /** Lends a worker that served this version before, else one that has served no run yet; null when none could be started. */
  take(versionId: number, heapMib: number): Promise<Lease | null>;
  close(): Promise<void>;
};
type Warm = { worker: WorkerProcess; versionId: number; runs: number; idleSince: number };
type Waiting = { versionId: number; hand(lease: Lease | null): void };

const RUNS_PER_WORKER = 50;
const WARM_IDLE_MS = 60_000;
const TAKE_TIMEOUT_MS = 30_000;
const READY_TIMEOUT_MS = 20_000;
/** New standby workers start this long after the last `take`, so that they do not slow down the run that has just begun. */
const REFILL_DELAY_MS = 150;
const SPAWN_RETRY_MS = 1000;

/** `standby`: a worker that is ready already. */
type PoolOptions = { slots: number; spawn: () => WorkerProcess; log: Logger; standby?: WorkerProcess | null };

/** Keeps slots + 1 workers ready. From its first run on, a worker serves one version of one task only (spec SB4). */
export function createPool({ slots, spawn, log, standby = null }: PoolOptions): Pool {
  const all = new Set<WorkerProcess>();
  const ready: WorkerProcess[] = [];
  let warm: Warm[] = [];
  const waiting: Waiting[] = [];
  let starting = 0;
  let refillTimer: NodeJS.Timeout | undefined;
  let closed = false;
  const sweeper = setInterval(retireIdle, WARM_IDLE_MS / 4).unref();
  if (standby) adopt(standby);
  refill();

  return {
    async take(versionId, heapMib) {
      if (closed) return null;
      const worker = takeWarm(versionId) ?? takeReady();
      const lease = worker ? lend(worker.worker, versionId, worker.runs) : await waitFor(versionId);
      await lease?.worker.readyFor(heapMib);
      return lease;
    },
    async close() {
      closed = true;
      clearInterval(sweeper);
      clearTimeout(refillTimer);
      for (const { hand } of waiting.splice(0)) hand(null);
      const gone = [...all].map((worker) => worker.ended);
      for (const worker of all) worker.kill();
      await Promise.all(gone);
    },
  };

  function waitFor(versionId: number): Promise<Lease | null> {
    refill();
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(entry), 1);
        resolve(null);
      }, TAKE_TIMEOUT_MS);
      const entry: Waiting = {
        versionId,
        hand(lease) {
          clearTimeout(timer);
          resolve(lease);
        },
      };
      waiting.push(entry);
    });
  }

  function takeWarm(versionId: number): { worker: WorkerProcess; runs: number } | undefined {
    const index = warm.findIndex((entry) => entry.versionId === versionId);
    return index < 0 ? undefined : warm.splice(index, 1)[0];
  }

  function takeReady(): { worker: WorkerProcess; runs: number } | undefined {
    const worker = ready.shift();
    if (worker) scheduleRefill();
    return worker && { worker, runs: 0 };
  }

  function lend(worker: WorkerProcess, versionId: number, runs: number): Lease {
    let given = false;
    return {
      worker,
      giveBack(reusable) {
        if (given) return;
        given = true;
        if (closed || !reusable || runs + 1 >= RUNS_PER_WORKER || !all.has(worker)) {
          worker.kill();
          scheduleRefill();
          return;
        }
        watchIdle(worker);
        const next = waiting.findIndex((entry) => entry.versionId === versionId);
        const [served] = next < 0 ? [] : waiting.splice(next, 1);
        if (served) return served.hand(lend(worker, versionId, runs + 1));
        warm.push({ worker, versionId, runs: runs + 1, idleSince: Date.now() });
        prepare(worker);
        if (warm.length > slots) discard(warm[0]?.worker);
      },
    };
  }

  function scheduleRefill(): void {
    if (closed) return;
    if (ready.length === 0) {
      refill();
      return;
    }
    clearTimeout(refillTimer);
    refillTimer = setTimeout(refill, REFILL_DELAY_MS).unref();
  }

  /** Starts one worker at a time while others are ready: a start takes 80 ms of processor time, which the runs need too. */
  function refill(): void {
    while (
      !closed &&
      ready.length + starting < Math.max(slots + 1, waiting.length) &&
      (starting === 0 || ready.length + starting < 1 + waiting.length)
    ) {
      start();
    }
  }

  function start(): void {
    const worker = spawn();
    starting += 1;
    all.add(worker);
    let isReady = false;
    const timer = setTimeout(() => worker.kill(), READY_TIMEOUT_MS);
    worker.listen({
      onMessage(message) {
        if (message.type !== 'ready' || isReady) return discard(worker);
        isReady = true;
        starting -= 1;
        clearTimeout(timer);
        watchIdle(worker);
        const next = waiting.shift();
        if (next) next.hand(lend(worker, next.versionId, 0));
        else {
          ready.push(worker);
          prepare(worker);
        }
        log.debug({ ready: ready.length }, 'a worker is ready');
        refill();
      },
      onViolation: () => discard(worker),
    });
    void worker.ended.then((end) => {
      clearTimeout(timer);
      forget(worker);
      if (isReady) return scheduleRefill();
      starting -= 1;
      if (closed) return;
      log.error({ code: end.code, signal: end.signal, stderr: end.stderr.slice(-500) }, 'a worker process could not be started');
      refillTimer = setTimeout(refill, SPAWN_RETRY_MS).unref();
    });
  }

  function adopt(worker: WorkerProcess): void {
    all.add(worker);
    watchIdle(worker);
    ready.push(worker);
    prepare(worker);
    void worker.ended.then(() => {
      forget(worker);
      scheduleRefill();
    });
  }

  function watchIdle(worker: WorkerProcess): void {
    worker.listen({ onMessage: () => discard(worker), onViolation: () => discard(worker) });
  }

  /** The next run begins sooner when its isolate is there. Most tasks have the usual heap; for another one it is made anew. */
  function prepare(worker: WorkerProcess): void {
    void worker.prepare(defaultLimits.heap_mib, () => isIdle(worker));
  }

  function isIdle(worker: WorkerProcess): boolean {
    return all.has(worker) && (ready.includes(worker) || warm.some((entry) => entry.worker === worker));
  }

  function discard(worker: WorkerProcess | undefined): void {
    if (!worker) return;
    forget(worker, false);
    worker.kill();
  }

  function forget(worker: WorkerProcess, gone = true): void {
    if (gone) all.delete(worker);
    warm = warm.filter((entry) => entry.worker !== worker);
    const index = ready.indexOf(worker);
    if (index >= 0) ready.splice(index, 1);
  }

  function retireIdle(): void {
    const oldest = Date.now() - WARM_IDLE_MS;
    for (const { worker, idleSince } of [...warm]) if (idleSince < oldest) discard(worker);
  }
}

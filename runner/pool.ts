import type { Logger } from 'pino';
import { defaultLimits } from '../contract/runner.ts';
import { chooseWorker, idleWorkers, mayServeAgain, startsAnother, surplusWorker, type WorkerState, withKind } from './pool-rules.ts';
import type { WorkerEnd, WorkerProcess } from './worker-process.ts';

/** A worker lent to one run. `giveBack(true)` when the run ended cleanly and the worker may serve another run. */
export type Lease = { worker: WorkerProcess; giveBack(reusable: boolean): void };
export type Pool = {
  /** Lends a worker that served this version before, else one that has served no run yet; null when none could be started. */
  take(versionId: number, heapMib: number): Promise<Lease | null>;
  close(): Promise<void>;
};
/** `standby`: a worker that is ready already. */
type PoolOptions = { slots: number; spawn: () => WorkerProcess; log: Logger; standby?: WorkerProcess | null };
type PoolState = PoolOptions & {
  workers: Map<WorkerProcess, WorkerState>;
  /** Runs without a worker, in the order in which they came. */
  waiting: { versionId: number; hand(lease: Lease | null): void }[];
  refillTimer: NodeJS.Timeout | undefined;
  closed: boolean;
};

const WARM_IDLE_MS = 60_000;
const TAKE_TIMEOUT_MS = 30_000;
const READY_TIMEOUT_MS = 20_000;
/** New standby workers start this long after the last `take`, so that they do not slow down the run that has just begun. */
const REFILL_DELAY_MS = 150;
const SPAWN_RETRY_MS = 1000;

/** Keeps slots + 1 workers ready. From its first run on, a worker serves one version of one task only (spec SB4). */
export function createPool(options: PoolOptions): Pool {
  const pool: PoolState = { ...options, workers: new Map(), waiting: [], refillTimer: undefined, closed: false };
  const { workers, waiting, standby } = pool;
  const sweeper = setInterval(retireIdle, WARM_IDLE_MS / 4, pool).unref();
  if (standby) {
    void standby.ended.then((end) => onEnded(pool, standby, end));
    makeReady(pool, standby);
  }
  refill(pool);

  return {
    async take(versionId, heapMib) {
      if (pool.closed) return null;
      const chosen = chooseWorker(workers, versionId);
      const lease = chosen ? lend(pool, { ...chosen, versionId }) : await waitFor(pool, versionId);
      if (chosen?.runs === 0) scheduleRefill(pool);
      await lease?.worker.readyFor(heapMib);
      return lease;
    },
    async close() {
      pool.closed = true;
      clearInterval(sweeper);
      clearTimeout(pool.refillTimer);
      for (const { hand } of waiting.splice(0)) hand(null);
      const gone = [...workers.keys()].map((worker) => worker.ended);
      for (const worker of workers.keys()) worker.kill();
      await Promise.all(gone);
    },
  };
}

function waitFor(pool: PoolState, versionId: number): Promise<Lease | null> {
  const { waiting } = pool;
  refill(pool);
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(entry), 1);
      resolve(null);
    }, TAKE_TIMEOUT_MS);
    const entry: PoolState['waiting'][number] = {
      versionId,
      hand(lease) {
        clearTimeout(timer);
        resolve(lease);
      },
    };
    waiting.push(entry);
  });
}

/** `runs`: how many runs the worker has served before. */
function lend(pool: PoolState, lent: { worker: WorkerProcess; versionId: number; runs: number }): Lease {
  const { worker } = lent;
  enter(pool, worker, { kind: 'lent' });
  let given = false;
  return {
    worker,
    giveBack(reusable) {
      if (given) return;
      given = true;
      takeBack(pool, lent, reusable);
    },
  };
}

function takeBack(pool: PoolState, { worker, versionId, ...lent }: Parameters<typeof lend>[1], reusable: boolean): void {
  const { workers, waiting } = pool;
  const runs = lent.runs + 1;
  if (pool.closed || !mayServeAgain(workers.get(worker), { reusable, runs })) {
    discard(pool, worker);
    scheduleRefill(pool);
    return;
  }
  watchIdle(pool, worker);
  const next = waiting.findIndex((entry) => entry.versionId === versionId);
  const [served] = next < 0 ? [] : waiting.splice(next, 1);
  if (served) {
    served.hand(lend(pool, { worker, versionId, runs }));
    return;
  }
  enter(pool, worker, { kind: 'warm', versionId, runs, idleSince: Date.now() });
  prepare(pool, worker);
  discard(pool, surplusWorker(workers, pool.slots));
}

function scheduleRefill(pool: PoolState): void {
  if (pool.closed) return;
  if (withKind(pool.workers, 'ready').length === 0) {
    refill(pool);
    return;
  }
  clearTimeout(pool.refillTimer);
  pool.refillTimer = setTimeout(refill, REFILL_DELAY_MS, pool).unref();
}

function refill(pool: PoolState): void {
  const { workers, slots, waiting } = pool;
  while (!pool.closed && startsAnother(workers, { slots, waiting: waiting.length })) start(pool);
}

function start(pool: PoolState): void {
  const { workers, waiting, log } = pool;
  const worker = pool.spawn();
  enter(pool, worker, { kind: 'starting' });
  const timer = setTimeout(() => worker.kill(), READY_TIMEOUT_MS);
  worker.listen({
    onMessage(message) {
      if (message.type !== 'ready') return discard(pool, worker);
      clearTimeout(timer);
      const next = waiting.shift();
      if (next) {
        watchIdle(pool, worker);
        next.hand(lend(pool, { worker, versionId: next.versionId, runs: 0 }));
      } else makeReady(pool, worker);
      log.debug({ ready: withKind(workers, 'ready').length }, 'a worker is ready');
      refill(pool);
    },
    onViolation: () => discard(pool, worker),
  });
  void worker.ended.then((end) => {
    clearTimeout(timer);
    onEnded(pool, worker, end);
  });
}

function makeReady(pool: PoolState, worker: WorkerProcess): void {
  watchIdle(pool, worker);
  enter(pool, worker, { kind: 'ready' });
  prepare(pool, worker);
}

function onEnded(pool: PoolState, worker: WorkerProcess, { code, signal, stderr }: WorkerEnd): void {
  const failed = pool.workers.get(worker)?.kind === 'starting';
  pool.workers.delete(worker);
  if (!failed) scheduleRefill(pool);
  if (!failed || pool.closed) return;
  pool.log.error({ code, signal, stderr: stderr.slice(-500) }, 'a worker process could not be started');
  pool.refillTimer = setTimeout(refill, SPAWN_RETRY_MS, pool).unref();
}

function watchIdle(pool: PoolState, worker: WorkerProcess): void {
  worker.listen({ onMessage: () => discard(pool, worker), onViolation: () => discard(pool, worker) });
}

/** The next run begins sooner when its isolate is there. Most tasks have the usual heap; for another one it is made anew. */
function prepare({ workers }: PoolState, worker: WorkerProcess): void {
  const isIdle = (): boolean => ['ready', 'warm'].includes(workers.get(worker)?.kind ?? '');
  void worker.prepare(defaultLimits.heap_mib, isIdle);
}

function discard(pool: PoolState, worker: WorkerProcess | undefined): void {
  const state = worker && pool.workers.get(worker);
  if (worker && state && state.kind !== 'starting') enter(pool, worker, { kind: 'dying' });
  worker?.kill();
}

/** The worker is the last one of those in this state. */
function enter({ workers }: PoolState, worker: WorkerProcess, state: WorkerState): void {
  workers.delete(worker);
  workers.set(worker, state);
}

function retireIdle(pool: PoolState): void {
  for (const worker of idleWorkers(pool.workers, Date.now() - WARM_IDLE_MS)) discard(pool, worker);
}

/**
 * starting → ready → lent → warm → lent → warm …; dying is the last state: the process is to end. A worker whose start fails is
 * starting until its process has ended.
 */
export type WorkerState =
  | { kind: 'starting' | 'ready' | 'lent' | 'dying' }
  /** It has served `runs` runs of this version and stands by for another one. */
  | { kind: 'warm'; versionId: number; runs: number; idleSince: number };
/** In the order in which they came into their states. */
export type Workers<W> = ReadonlyMap<W, WorkerState>;

const RUNS_PER_WORKER = 50;

/** The worker for a run of this version: one that served it before, else one that has served none yet. */
export function chooseWorker<W>(workers: Workers<W>, versionId: number): { worker: W; runs: number } | null {
  let fresh: { worker: W; runs: number } | null = null;
  for (const [worker, state] of workers) {
    if (state.kind === 'warm' && state.versionId === versionId) return { worker, runs: state.runs };
    if (state.kind === 'ready') fresh ??= { worker, runs: 0 };
  }
  return fresh;
}

/** Whether a worker that is given back may serve another run; undefined: its process has ended. */
export function mayServeAgain(state: WorkerState | undefined, { reusable, runs }: { reusable: boolean; runs: number }): boolean {
  return state?.kind === 'lent' && reusable && runs < RUNS_PER_WORKER;
}

/** Only one worker starts at a time while others are ready: a start takes 80 ms of processor time, which the runs need too. */
export function startsAnother<W>(workers: Workers<W>, { slots, waiting }: { slots: number; waiting: number }): boolean {
  const starting = withKind(workers, 'starting').length;
  const coming = starting + withKind(workers, 'ready').length;
  return coming < Math.max(slots + 1, waiting) && (starting === 0 || coming < 1 + waiting);
}

/** The worker that has stood by longest, where more stand by than there are slots. */
export function surplusWorker<W>(workers: Workers<W>, slots: number): W | undefined {
  const warm = withKind(workers, 'warm');
  return warm.length > slots ? warm[0] : undefined;
}

/** The workers that have stood by since before this time. */
export function idleWorkers<W>(workers: Workers<W>, before: number): W[] {
  return [...workers].filter(([, state]) => state.kind === 'warm' && state.idleSince < before).map(([worker]) => worker);
}

export function withKind<W>(workers: Workers<W>, kind: WorkerState['kind']): W[] {
  return [...workers].filter(([, state]) => state.kind === kind).map(([worker]) => worker);
}

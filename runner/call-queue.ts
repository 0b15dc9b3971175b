/**
 * Calls in the order they came, at most `concurrency` at a time. A barrier starts when every earlier call has
 * settled, and all that comes after it waits for it; instant and detached items hold no place, and no barrier
 * waits for a detached one (a sleep of an hour).
 */
export type CallQueue<T> = {
  push(item: T): void;
  /** Looks again whether the first one waiting may start. */
  pump(): void;
  /** A call that has begun lets others go first: it has not settled, but holds no place. */
  stepAside(): void;
  /** It goes on; false: there is no place yet. `mayStart` as of the item. */
  goOn(mayStart: () => boolean): boolean;
  waiting(): number;
  /** Takes all that has not started out of the queue. */
  clear(): T[];
};
export type CallQueueRules<T> = {
  concurrency: number;
  kindOf(item: T): 'call' | 'detached' | 'barrier' | 'instant';
  /** Asked when the item is first in the queue and has a place. */
  mayStart(item: T): boolean;
  /** Never rejects. */
  start(item: T): Promise<void>;
  startInstant(item: T): void;
};

export function createCallQueue<T>({ concurrency, kindOf, mayStart, start, startInstant }: CallQueueRules<T>): CallQueue<T> {
  let queue: T[] = [];
  let active = 0;
  let aside = 0;
  let barriers = 0;
  let barrierRuns = false;

  function pump(): void {
    for (let item = queue[0]; item !== undefined && !barrierRuns; item = queue[0]) {
      const kind = kindOf(item);
      if (kind === 'instant') {
        queue.shift();
        startInstant(item);
        continue;
      }
      const hasPlace = kind === 'barrier' ? active + aside === 0 : kind === 'detached' || active < concurrency;
      if (!hasPlace || !mayStart(item)) return;
      queue.shift();
      if (kind === 'detached') void start(item).then(pump);
      else begin(item, kind === 'barrier');
    }
  }

  function begin(item: T, isBarrier: boolean): void {
    active += 1;
    barrierRuns = isBarrier;
    void start(item).then(() => {
      active -= 1;
      if (isBarrier) {
        barrierRuns = false;
        barriers -= 1;
      }
      pump();
    });
  }

  return {
    pump,
    stepAside() {
      active -= 1;
      aside += 1;
      pump();
    },
    goOn(mayGo) {
      if (active >= concurrency || !mayGo()) return false;
      aside -= 1;
      active += 1;
      return true;
    },
    push(item) {
      const kind = kindOf(item);
      if (kind === 'instant' && barriers === 0) return startInstant(item);
      if (kind === 'barrier') barriers += 1;
      queue.push(item);
      pump();
    },
    waiting: () => queue.length,
    clear() {
      const left = queue;
      queue = [];
      barriers = barrierRuns ? 1 : 0;
      return left;
    },
  };
}

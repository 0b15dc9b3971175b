/**
 * Starts calls in the order in which they came, at most `concurrency` at a time. A barrier starts when every earlier call
 * has settled, and every later item waits for the barrier. Instant and detached items take no slot. A detached item may last long
 * (a sleep of an hour), so that a barrier waits for it only until the server knows it: it belongs to what came before the barrier.
 */
export type CallQueue<T> = {
  push(item: T): void;
  /** Starts the waiting items that may start now. */
  pump(): void;
  /** Gives up the slot of a call that has begun but not settled, so that others can start. Barriers still wait for that call. */
  releaseSlot(): void;
  /** Takes a slot again for such a call; false when none is free yet or `mayStart`, the rule for the call's item, says no. */
  retakeSlot(mayStart: () => boolean): boolean;
  waiting(): number;
  /** Removes the items that have not started from the queue and returns them. */
  clear(): T[];
};
export type CallQueueRules<T> = {
  concurrency: number;
  kindOf(item: T): 'call' | 'detached' | 'barrier' | 'instant';
  /** Called when the item is the first in the queue and a slot is free for it. */
  mayStart(item: T): boolean;
  /** Never rejects. `known`: to be called when no barrier has to wait for a detached item any more, at the latest when it has settled. */
  start(item: T, known: () => void): Promise<void>;
  startInstant(item: T): void;
};

const DROPPED_AT_ONCE = 10_000;

export function createCallQueue<T>({ concurrency, kindOf, mayStart, start, startInstant }: CallQueueRules<T>): CallQueue<T> {
  let queue: (T | undefined)[] = [];
  /** The items before this place have started. To take each out of a long list would move all the others. */
  let first = 0;
  let active = 0;
  let withoutSlot = 0;
  let unknown = 0;
  let barriers = 0;
  let barrierIsActive = false;

  function pump(): void {
    for (let item = queue[first]; item !== undefined && !barrierIsActive; item = queue[first]) {
      const kind = kindOf(item);
      if (kind === 'instant') {
        dropFirst();
        startInstant(item);
        continue;
      }
      const hasSlot = kind === 'barrier' ? active + withoutSlot + unknown === 0 : kind === 'detached' || active < concurrency;
      if (!hasSlot || !mayStart(item)) return;
      dropFirst();
      if (kind === 'detached') detach(item);
      else begin(item, kind === 'barrier');
    }
  }

  function dropFirst(): void {
    queue[first] = undefined;
    first += 1;
    if (first < DROPPED_AT_ONCE && first < queue.length) return;
    queue = queue.slice(first);
    first = 0;
  }

  function detach(item: T): void {
    unknown += 1;
    let isKnown = false;
    const known = (): void => {
      if (!isKnown) unknown -= 1;
      isKnown = true;
      pump();
    };
    void start(item, known).then(known);
  }

  function begin(item: T, isBarrier: boolean): void {
    active += 1;
    barrierIsActive = isBarrier;
    void start(item, () => undefined).then(() => {
      active -= 1;
      if (isBarrier) {
        barrierIsActive = false;
        barriers -= 1;
      }
      pump();
    });
  }

  return {
    pump,
    releaseSlot() {
      active -= 1;
      withoutSlot += 1;
      pump();
    },
    retakeSlot(mayRestart) {
      if (active >= concurrency || !mayRestart()) return false;
      withoutSlot -= 1;
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
    waiting: () => queue.length - first,
    clear() {
      const left = queue.filter((item) => item !== undefined);
      queue = [];
      first = 0;
      barriers = barrierIsActive ? 1 : 0;
      return left;
    },
  };
}

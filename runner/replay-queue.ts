import type { CallQueue } from './call-queue.ts';

export type ReplayQueue<T> = Pick<CallQueue<T>, 'push' | 'waiting' | 'clear'> & {
  /** The script rests: nothing but a further answer can wake it. */
  rest(): void;
};
export type ReplayQueueRules<T> = {
  isInstant(item: T): boolean;
  /** Where the recorded script got its answer to this call; null: nowhere. */
  positionOf(item: T): number | null;
  /** False: there is no answer to this one. Never rejects. */
  start(item: T): Promise<boolean>;
  startInstant(item: T): void;
  /** The script waits for these alone, and none of them has an answer. */
  onStuck(items: readonly T[]): void;
};

/**
 * The calls of a replay, answered one at a time and each once the script rests: in the order of the recording, then in
 * that in which they came. So what a script makes of its answers does not depend on how fast they come.
 */
export function createReplayQueue<T>({ isInstant, positionOf, start, startInstant, onStuck }: ReplayQueueRules<T>): ReplayQueue<T> {
  let waiting: T[] = [];
  const stuck: T[] = [];
  let working = false;

  async function answerNext(): Promise<void> {
    working = true;
    let answered = false;
    for (let item = takeFirst(); item !== undefined && !answered; item = answered ? undefined : takeFirst()) {
      answered = await start(item);
      if (!answered) stuck.push(item);
    }
    working = false;
    if (!answered) onStuck(stuck);
  }

  function takeFirst(): T | undefined {
    let first: T | undefined;
    let best = Number.POSITIVE_INFINITY;
    for (const item of waiting) {
      const position = positionOf(item) ?? Number.MAX_SAFE_INTEGER;
      if (position >= best) continue;
      best = position;
      first = item;
    }
    waiting = waiting.filter((item) => item !== first);
    return first;
  }

  return {
    push: (item) => void (isInstant(item) ? startInstant(item) : waiting.push(item)),
    rest() {
      if (!working) void answerNext();
    },
    waiting: () => waiting.length,
    clear() {
      const left = waiting;
      waiting = [];
      return left;
    },
  };
}

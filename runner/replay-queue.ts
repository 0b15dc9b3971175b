import type { CallQueue } from './call-queue.ts';

export type ReplayQueue<T> = Pick<CallQueue<T>, 'push' | 'waiting' | 'clear'> & {
  /** The script can continue only with a further answer: the next call is answered. */
  rest(): void;
};
export type ReplayQueueRules<T> = {
  isInstant(item: T): boolean;
  /** The position of this call's answer in the recording; null: the recording has none. */
  positionOf(item: T): number | null;
  /** Resolves to false when the call gets no answer. Never rejects. */
  start(item: T): Promise<boolean>;
  startInstant(item: T): void;
  /** Called when the script waits for these calls only and none of them has an answer. */
  onStuck(items: readonly T[]): void;
};

/**
 * Answers the calls of a replay one at a time, each when the script can continue only with an answer: first in the order of
 * the recording, then in the order in which they came. So the replay does not depend on how fast answers come.
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

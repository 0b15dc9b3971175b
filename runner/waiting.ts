/** Watches whether a run only waits for answers of people and for ends of runs that it has started. */
export type Waiting = {
  /** Counts a call as under way; the returned function must be called when it has settled. */
  begin(): () => void;
  /**
   * Marks one of these calls as a question without an answer yet, for which the worker is kept so long at most; the returned function
   * removes the mark.
   */
  forAnswer(promptId: number, longestMs?: number): () => void;
  isWaiting(): boolean;
  promptIds(): number[];
  stop(): void;
};
/** `promptIds`: the ids of the open questions. */
export type WaitingEvents = { onBegin(promptIds: number[]): void; onEnd(): void; onTimeout(promptIds: number[]): void };

/** A run waits while all its calls under way are open questions. `onTimeout` is called after `holdMs` of that, or earlier. */
export function createWaiting(holdMs: number, { onBegin, onEnd, onTimeout }: WaitingEvents): Waiting {
  let calls = 0;
  const questions = new Map<number, number>();
  let timer: NodeJS.Timeout | null = null;

  function look(): void {
    const waits = questions.size > 0 && questions.size === calls;
    if (waits === (timer !== null)) return;
    if (timer !== null) {
      clearTimeout(timer);
      timer = null;
      onEnd();
    } else {
      timer = setTimeout(() => onTimeout([...questions.keys()]), Math.max(...questions.values()));
      onBegin([...questions.keys()]);
    }
  }

  return {
    begin() {
      calls += 1;
      look();
      return () => {
        calls -= 1;
        look();
      };
    },
    forAnswer(promptId, longestMs = holdMs) {
      questions.set(promptId, Math.min(longestMs, holdMs));
      look();
      return () => {
        questions.delete(promptId);
        look();
      };
    },
    isWaiting: () => timer !== null,
    promptIds: () => [...questions.keys()],
    stop() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}

export type Pausable = {
  pause(): void;
  resume(): void;
  stop(): void;
  /** How many milliseconds have passed, pauses not counted. */
  usedMs(): number;
};

/** Starts a timer that can be paused; calls `onEnd` after `ms` milliseconds, pauses not counted. */
export function startPausable(ms: number, onEnd: () => void): Pausable {
  let leftMs = ms;
  let startedAt = performance.now();
  let timer: NodeJS.Timeout | null = setTimeout(onEnd, Math.max(0, leftMs));
  let stopped = false;
  const pause = (): void => {
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    leftMs -= performance.now() - startedAt;
  };
  return {
    pause,
    resume() {
      if (stopped || timer !== null) return;
      startedAt = performance.now();
      timer = setTimeout(onEnd, Math.max(0, leftMs));
    },
    stop() {
      stopped = true;
      pause();
    },
    usedMs: () => ms - leftMs + (timer === null ? 0 : performance.now() - startedAt),
  };
}

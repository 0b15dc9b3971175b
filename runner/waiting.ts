/** Watches whether a run waits for a person only. */
export type Waiting = {
  /** Counts a call as under way; the returned function must be called when it has settled. */
  begin(): () => void;
  /** Marks one of these calls as a question that a person has yet to answer; the returned function removes the mark. */
  forPerson(promptId: number): () => void;
  isWaiting(): boolean;
  promptIds(): number[];
  stop(): void;
};
/** `promptIds`: the ids of the open questions. */
export type WaitingEvents = { onBegin(promptIds: number[]): void; onEnd(): void; onTimeout(promptIds: number[]): void };

/** A run waits for a person while all its calls under way are open questions. `onTimeout` is called after `holdMs` of that. */
export function createWaiting(holdMs: number, { onBegin, onEnd, onTimeout }: WaitingEvents): Waiting {
  let calls = 0;
  const questions = new Set<number>();
  let timer: NodeJS.Timeout | null = null;

  function look(): void {
    const waits = questions.size > 0 && questions.size === calls;
    if (waits === (timer !== null)) return;
    if (timer !== null) {
      clearTimeout(timer);
      timer = null;
      onEnd();
    } else {
      timer = setTimeout(() => onTimeout([...questions]), holdMs);
      onBegin([...questions]);
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
    forPerson(promptId) {
      questions.add(promptId);
      look();
      return () => {
        questions.delete(promptId);
        look();
      };
    },
    isWaiting: () => timer !== null,
    promptIds: () => [...questions],
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

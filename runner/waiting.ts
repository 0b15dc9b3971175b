/** Whether all that a run still waits for is a person. */
export type Waiting = {
  /** Notes a call that is under way; returns how to note that it has settled. */
  begin(): () => void;
  /** Notes that one of these calls is a question that somebody has yet to answer; returns how to note that it no longer is. */
  forPerson(promptId: number): () => void;
  isWaiting(): boolean;
  /** The questions that are open. */
  promptIds(): number[];
  stop(): void;
};
/** They are told the ids of the questions that are open. */
export type WaitingEvents = { onBegin(promptIds: number[]): void; onEnd(): void; onLong(promptIds: number[]): void };

/** A run waits while open questions alone are under way; `onLong` once that has lasted `holdMs`. */
export function createWaiting(holdMs: number, { onBegin, onEnd, onLong }: WaitingEvents): Waiting {
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
      timer = setTimeout(() => onLong([...questions]), holdMs);
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
  go(): void;
  stop(): void;
  /** Milliseconds of those given that are gone. */
  usedMs(): number;
};

/** Calls `onEnd` after so many milliseconds in which it was not paused. */
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
    go() {
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

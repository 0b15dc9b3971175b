/** What a run waits for beside its own work: a question, the end of another run, an event or a time. */
export type Wait = {
  /** The server's id; null: the server keeps nothing of it, so it lets no worker be given back. */
  id: number | null;
  /** How long the worker is kept at most once the run does nothing but wait. */
  holdMs?: number;
  /** Whether the script must rest first, because it may set a timer and go on working. */
  afterRest?: boolean;
  /** In a dry run, which waits for no time: ends the wait that would end first. `dueMs`: when that is, by the script's clock. */
  skip?: { dueMs: number; end(): void };
};

/** Watches whether a run only waits. */
export type Waiting = {
  /** Counts a call as under way; the returned function must be called when it has settled. */
  begin(): () => void;
  /** Marks one of these calls as a wait; the returned function removes the mark. */
  forAnswer(wait: Wait): () => void;
  /** The script can continue only with a further answer. */
  rest(): void;
  /** The script gets an answer, so it works again. */
  work(): void;
  isWaiting(): boolean;
  promptIds(): number[];
  stop(): void;
};
/** `promptIds`: the ids of the open waits. */
export type WaitingEvents = { onBegin(promptIds: number[]): void; onEnd(): void; onTimeout(promptIds: number[]): void };

/** A run waits while all its calls under way are waits. `onTimeout` is called after `holdMs` of that, or earlier. */
export function createWaiting(holdMs: number, { onBegin, onEnd, onTimeout }: WaitingEvents): Waiting {
  let calls = 0;
  let resting = false;
  const waits = new Set<Wait>();
  let waiting = false;
  let timer: NodeJS.Timeout | null = null;
  const promptIds = (): number[] => [...waits].flatMap(({ id }) => id ?? []);

  function look(): void {
    const isWaiting = waits.size > 0 && waits.size === calls && (resting || ![...waits].some(({ afterRest }) => afterRest));
    if (isWaiting === waiting) return;
    waiting = isWaiting;
    if (!waiting) {
      clearTimer();
      onEnd();
      return;
    }
    const skipped = firstSkipped();
    if (skipped) {
      waiting = false;
      skipped.end();
      return;
    }
    const keptMs = Math.max(...[...waits].map((wait) => Math.min(wait.holdMs ?? holdMs, LONGEST_TIMER_MS)));
    timer = setTimeout(() => onTimeout(promptIds()), keptMs);
    onBegin(promptIds());
  }

  function firstSkipped(): Wait['skip'] {
    return [...waits].flatMap(({ skip }) => skip ?? []).sort((a, b) => a.dueMs - b.dueMs)[0];
  }

  function clearTimer(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
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
    forAnswer(wait) {
      waits.add(wait);
      look();
      return () => {
        waits.delete(wait);
        look();
      };
    },
    rest() {
      resting = true;
      look();
    },
    work() {
      resting = false;
      look();
    },
    isWaiting: () => waiting,
    promptIds,
    stop: clearTimer,
  };
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

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

import type { Calls } from './calls.ts';
import type { Clock } from './clock.ts';

type Timer = { id: number; dueAt: number; everyMs: number | null; fire: () => unknown };

export type Timers = {
  globals: object;
  /** Fires the next timer that is due, where a turn was asked for. */
  fireDue(): void;
  /** Sleeps that are under way for timers. */
  sleeping(): number;
  /** Timers that would still fire. */
  pending(): number;
};

/** What is longer fires at once, as everywhere. */
const MAX_MS = 2 ** 31 - 1;
/** What `sleep` takes; a longer timer sleeps again. */
const MAX_SLEEP_MS = 24 * 3600 * 1000;

/**
 * Timers of the web standard on the script's clock. All of them share one sleep, until the first is due; there is a second
 * one only where a timer is set that is due sooner. Each fires in a turn of its own: `askTurn` brings `fireDue` about, before
 * any answer is given to the script. `fail` ends the run with what a callback threw.
 */
export function createTimers(calls: Calls, clock: Clock, askTurn: () => void, fail: (error: unknown) => void): Timers {
  const timers = new Map<number, Timer>();
  let lastId = 0;
  let looking = false;
  let firing = false;
  /** When the sleeps that are under way end. */
  const wakes: number[] = [];

  return {
    sleeping: () => wakes.length,
    pending: () => timers.size,
    fireDue() {
      if (firing) fireNext();
    },
    globals: {
      setTimeout: (callback: unknown, ms?: unknown, ...args: unknown[]) => set('setTimeout', callback, ms, args, false),
      setInterval: (callback: unknown, ms?: unknown, ...args: unknown[]) => set('setInterval', callback, ms, args, true),
      clearTimeout: clear,
      clearInterval: clear,
      queueMicrotask(callback: unknown): void {
        if (typeof callback !== 'function') throw new TypeError('queueMicrotask takes a function');
        void soon(() => callback(), fail);
      },
    },
  };

  function set(name: string, callback: unknown, given: unknown, args: unknown[], repeats: boolean): number {
    if (typeof callback !== 'function') throw new TypeError(`${name} takes a function`);
    const number = Math.trunc(Number(given));
    const ms = number >= 1 && number <= MAX_MS ? number : 1;
    lastId += 1;
    timers.set(lastId, { id: lastId, dueAt: clock.now() + ms, everyMs: repeats ? ms : null, fire: () => callback(...args) });
    wakeInTime();
    return lastId;
  }

  function clear(id?: unknown): void {
    if (typeof id === 'number' || typeof id === 'string') timers.delete(Number(id));
  }

  function nextTimer(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of timers.values()) if (!next || timer.dueAt < next.dueAt) next = timer;
    return next;
  }

  /** Once all timers of this turn are set: of many, the first alone needs a sleep. */
  function wakeInTime(): void {
    if (looking) return;
    looking = true;
    void soon(() => {
      looking = false;
      const next = firing ? undefined : nextTimer();
      if (next && wakes.every((at) => next.dueAt < at)) void sleepUntil(next.dueAt);
    }, fail);
  }

  async function sleepUntil(dueAt: number): Promise<void> {
    const ms = Math.min(Math.max(dueAt - clock.now(), 0), MAX_SLEEP_MS);
    const wakeAt = clock.now() + ms;
    wakes.push(wakeAt);
    try {
      await calls.call('sleep', `{"ms":${ms}}`);
    } catch (error) {
      fail(error);
    }
    wakes.splice(wakes.indexOf(wakeAt), 1);
    fireNext();
  }

  function fireNext(): void {
    const next = nextTimer();
    firing = next !== undefined && next.dueAt <= clock.now();
    if (!next || !firing) {
      wakeInTime();
      return;
    }
    if (next.everyMs === null) timers.delete(next.id);
    else next.dueAt = clock.now() + next.everyMs;
    askTurn();
    try {
      next.fire();
    } catch (error) {
      fail(error);
    }
  }
}

async function soon(work: () => unknown, fail: (error: unknown) => void): Promise<void> {
  await null;
  try {
    work();
  } catch (error) {
    fail(error);
  }
}

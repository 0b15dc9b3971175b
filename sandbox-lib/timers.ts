import { WAIT_MAX_MS } from '../contract/wait-rules.ts';
import type { Calls } from './calls.ts';
import type { Clock } from './clock.ts';

/** `isQuiet`: the library's own timer, of which the script does not know; it is not reported as still open when the run ends. */
type Timer = { id: number; dueAt: number; everyMs: number | null; isQuiet: boolean; fire: () => unknown };

export type Timers = {
  globals: object;
  /** Calls a function once after this time, which may be of any length. */
  after(fire: () => void, ms: number): void;
  /** Fires the next due timer, if the turn was asked for to fire timers, or else plans the next sleep; false: it did neither. */
  fireDue(): boolean;
  /** The number of sleeps that are under way for timers. */
  sleeping(): number;
  /** The number of timers that have yet to fire. */
  pending(): number;
};

/** A timer with a longer delay fires at once, as in browsers and Node. */
const MAX_MS = 2 ** 31 - 1;

/**
 * Timers of the web standard on the script's clock. All timers share one sleep, which ends when the first timer is due; a second
 * sleep is started only for a new timer that is due sooner. Each timer fires in its own turn: after `askTurn` the worker lets
 * `fireDue` be called, before the script gets any answer. `fail` ends the run with the error of a callback.
 */
export function createTimers(calls: Calls, clock: Clock, askTurn: () => void, fail: (error: unknown) => void): Timers {
  const timers = new Map<number, Timer>();
  let lastId = 0;
  let sleepPlanned = false;
  let firing = false;
  /** The times at which the sleeps that are under way end. */
  const wakes: number[] = [];

  return {
    sleeping: () => wakes.length,
    pending: () => [...timers.values()].filter(({ isQuiet }) => !isQuiet).length,
    after: (fire, ms) => void add({ dueAt: clock.now() + ms, everyMs: null, isQuiet: true, fire }),
    fireDue() {
      if (!firing) return false;
      fireNext();
      return true;
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
    return add({ dueAt: clock.now() + ms, everyMs: repeats ? ms : null, isQuiet: false, fire: () => callback(...args) });
  }

  function add(timer: Omit<Timer, 'id'>): number {
    lastId += 1;
    timers.set(lastId, { id: lastId, ...timer });
    planSleep();
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

  /** Starts a sleep for the next timer, but only after the current microtask: of many timers set together only the first needs one. */
  function planSleep(): void {
    if (sleepPlanned) return;
    sleepPlanned = true;
    void soon(() => {
      sleepPlanned = false;
      const next = firing ? undefined : nextTimer();
      if (next && wakes.every((at) => next.dueAt < at)) void sleepUntil(next.dueAt);
    }, fail);
  }

  async function sleepUntil(dueAt: number): Promise<void> {
    const ms = Math.min(Math.max(dueAt - clock.now(), 0), WAIT_MAX_MS);
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
      planSleep();
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

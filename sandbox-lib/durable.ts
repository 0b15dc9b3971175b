import { WAIT_MAX_MS } from '../contract/wait-rules.ts';
import type { Calls } from './calls.ts';
import type { Limits } from './guest.ts';
import { toJson } from './json.ts';
import type { Random } from './random.ts';

const MAX_NAME_LENGTH = 195;

export type Durable = {
  checkpoint(state: unknown): Promise<void>;
  sleep(ms: unknown): Promise<void>;
  once(name: unknown, make: () => unknown): Promise<unknown>;
};

/** Makes `checkpoint`, `sleep` and `once`, whose state outlives the process that runs the script (spec JO6, JO11). */
export function createDurable(calls: Calls, limits: Limits, random: Random): Durable {
  const running = new Map<string, Promise<unknown>>();
  const known = new Set<string>();
  return {
    async checkpoint(state) {
      if (typeof state !== 'object' || state === null || Array.isArray(state))
        throw new TypeError('the state of a checkpoint must be an object');
      const text = toJson(state, 'the state of a checkpoint', limits.checkpoint_bytes);
      if (!text.startsWith('{')) throw new TypeError('the state of a checkpoint must be an object');
      await calls.call('checkpoint', `{"state":${text}}`);
    },
    async sleep(ms) {
      if (typeof ms !== 'number' || !(ms >= 0 && ms <= WAIT_MAX_MS)) throw new RangeError(`sleep takes 0 to ${WAIT_MAX_MS} ms, a year`);
      await calls.call('sleep', `{"ms":${ms}}`);
    },
    async once(name, make) {
      if (typeof name !== 'string' || name === '' || name.length > MAX_NAME_LENGTH) {
        throw new TypeError(`once takes a name of 1 to ${MAX_NAME_LENGTH} characters`);
      }
      if (typeof make !== 'function') throw new TypeError('once takes a function');
      const current = running.get(name);
      if (current) return current;
      const made = keep(name, make);
      running.set(name, made);
      try {
        return await made;
      } finally {
        running.delete(name);
      }
    },
  };

  async function keep(name: string, make: () => unknown): Promise<unknown> {
    const quoted = JSON.stringify(name);
    const stored: OnceAnswer = JSON.parse(await calls.call('once', `{"name":${quoted}}`));
    if (stored.stored) {
      // The random numbers that the function used in an earlier attempt are skipped, so that the script's next ones are the same.
      if (!known.has(name)) random.skip(stored.drawn ?? 0);
      known.add(name);
      return stored.value;
    }
    known.add(name);
    const before = random.drawn();
    // Without other calls under way no other part of the script can run, so every call from now on is made by the function.
    const alone = calls.pending() === 0;
    const text = toJson((await make()) ?? null, 'the value of once', limits.checkpoint_bytes);
    const kept: OnceAnswer = JSON.parse(
      await calls.call('once', `{"name":${quoted},"value":${text},"alone":${alone},"drawn":${Math.max(0, random.drawn() - before)}}`),
    );
    return kept.stored ? kept.value : JSON.parse(text);
  }
}

type OnceAnswer = { stored: boolean; value?: unknown; drawn?: number };

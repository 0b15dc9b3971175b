import { STATE_KEY, STATE_KEY_RULE, STATE_VALUE_MAX_BYTES } from '../contract/task-state-rules.ts';
import type { Request } from './admin-api.ts';
import { AdminApiError } from './errors.ts';
import { toJson } from './json.ts';

type Entry = { value: unknown; version: number };
type Given = { if_version?: unknown } | undefined;

/** How often `update` tries anew after other runs have changed the value. */
const TRIES_MAX = 100;

/** Makes `state`, whose calls are ordinary requests about the run's own task. */
export function createState(request: Request, taskId: () => number): object {
  /** The end of the last `update` of each key. The script's own updates come one after another, so they never meet. */
  const updating = new Map<string, Promise<unknown>>();
  const list = (): string => `/ai-tasks/${taskId()}/state`;

  return Object.freeze({
    async get(key: unknown) {
      return (await find(checked(key)))?.value ?? null;
    },
    async entry(key: unknown) {
      return find(checked(key));
    },
    async set(key: unknown, value: unknown, options?: Given) {
      const at = checked(key);
      return put(at, textOf(value), versionIn(options));
    },
    async update(key: unknown, change: unknown) {
      const at = checked(key);
      if (typeof change !== 'function') throw new TypeError('state.update takes a key and a function that makes the new value');
      const before = updating.get(at);
      const after = (async () => {
        await before?.catch(() => undefined);
        return untilSet(at, async (value) => change(value));
      })();
      updating.set(at, after);
      try {
        return await after;
      } finally {
        if (updating.get(at) === after) updating.delete(at);
      }
    },
    async delete(key: unknown, options?: Given) {
      const version = versionIn(options);
      const query = version === undefined ? '' : `?if_version=${version}`;
      return (await orNull(request('DELETE', pathOf(checked(key)) + query, undefined))) !== null;
    },
    async list(prefix: unknown = '') {
      if (typeof prefix !== 'string') throw new TypeError('the prefix must be a string');
      return (await request('GET', prefix === '' ? list() : `${list()}?prefix=${encodeURIComponent(prefix)}`, undefined)).body;
    },
  });

  async function untilSet(key: string, change: (value: unknown) => Promise<unknown>): Promise<unknown> {
    for (let tries = 1; ; tries += 1) {
      const entry = await find(key);
      const text = textOf(await change(entry?.value ?? null));
      try {
        await put(key, text, entry?.version ?? 0);
        return JSON.parse(text);
      } catch (error) {
        if (!(error instanceof AdminApiError && error.code === 'state_stale') || tries === TRIES_MAX) throw error;
      }
    }
  }

  async function find(key: string): Promise<Entry | null> {
    const answer = await orNull(request('GET', pathOf(key), undefined));
    return answer !== null && isEntry(answer.body) ? answer.body : null;
  }

  async function put(key: string, text: string, version: number | undefined): Promise<unknown> {
    const body = { value: JSON.parse(text), ...(version === undefined ? {} : { if_version: version }) };
    return (await request('PUT', pathOf(key), body)).body;
  }

  function pathOf(key: string): string {
    return `${list()}/${key}`;
  }
}

function isEntry(body: unknown): body is Entry {
  return typeof body === 'object' && body !== null && 'value' in body && 'version' in body && typeof body.version === 'number';
}

function checked(key: unknown): string {
  if (typeof key === 'string' && STATE_KEY.test(key)) return key;
  throw new TypeError(`a key of the state ${STATE_KEY_RULE}`);
}

/** The value as it is stored, so that later changes of the object change nothing, and `undefined` is an error. */
function textOf(value: unknown): string {
  if (value === undefined) throw new TypeError('undefined is no value for the state: use null, or state.delete');
  return toJson(value, 'a value of the state', STATE_VALUE_MAX_BYTES);
}

function versionIn(options: Given): number | undefined {
  const version = options?.if_version;
  if (version === undefined || typeof version === 'number') return version;
  throw new TypeError('if_version must be a version of the value, a number');
}

/** Waits for the answer; null where there is no such key. */
async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof AdminApiError && error.status === 404) return null;
    throw error;
  }
}

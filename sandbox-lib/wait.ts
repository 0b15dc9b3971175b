import { WAIT_MAX_MS } from '../contract/wait-rules.ts';
import type { Calls } from './calls.ts';
import { toJson } from './json.ts';

const MATCH_MAX_BYTES = 64 * 1024;
const SAMPLE_MAX_BYTES = 64 * 1024;
const OPTIONS: readonly string[] = ['match', 'timeout', 'since', 'sample'];

/** Makes `waitFor`. The server knows the events and checks what they must match. */
export function createWaitFor(calls: Calls): (event: unknown, options?: unknown) => Promise<unknown> {
  return async (event, options = {}) => {
    if (typeof event !== 'string' || event === '') throw new TypeError('waitFor takes the name of an event');
    if (typeof options !== 'object' || options === null || Array.isArray(options))
      throw new TypeError(`the options of waitFor are {${OPTIONS.join(', ')}}`);
    const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
    if (unknown !== undefined) throw new TypeError(`waitFor has no option "${unknown.slice(0, 50)}"; it has ${OPTIONS.join(', ')}`);
    const given = (name: string): unknown => Reflect.get(options, name);
    const [match, timeout, since, sample] = [given('match') ?? {}, given('timeout') ?? WAIT_MAX_MS, given('since'), given('sample')];
    if (typeof match !== 'object' || Array.isArray(match)) throw new TypeError('what an event must match is an object of its fields');
    if (typeof timeout !== 'number' || !(timeout >= 0 && timeout <= WAIT_MAX_MS))
      throw new RangeError(`the timeout of waitFor is 0 to ${WAIT_MAX_MS} ms, a year`);
    if (since !== undefined && since !== 'start') throw new TypeError('the option since of waitFor can be "start" alone');
    const said = [
      `"event":${JSON.stringify(event)}`,
      `"match":${toJson(match, 'what an event must match', MATCH_MAX_BYTES)}`,
      `"timeout_ms":${Math.ceil(timeout)}`,
      ...(since === undefined ? [] : ['"since":"start"']),
      ...(sample === undefined ? [] : [`"sample":${toJson(sample, 'a sample', SAMPLE_MAX_BYTES)}`]),
    ];
    return JSON.parse(await calls.call('wait', `{${said.join(',')}}`));
  };
}

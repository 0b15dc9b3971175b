import type { Calls } from './calls.ts';
import { toJson } from './json.ts';

const QUESTION_MAX_BYTES = 256 * 1024;

/** Makes `prompt`. The server checks the fields. */
export function createPrompt(calls: Calls): (question: unknown) => Promise<unknown> {
  return async (question) => {
    if (typeof question !== 'object' || question === null) throw new TypeError('prompt takes {label, fields}');
    const label: unknown = Reflect.get(question, 'label');
    const fields: unknown = Reflect.get(question, 'fields') ?? [];
    if (typeof label !== 'string' || label.trim() === '') throw new TypeError('a prompt must have a label that is not blank');
    if (!Array.isArray(fields)) throw new TypeError('the fields of a prompt must be an array');
    return JSON.parse(await calls.call('prompt', toJson({ label, fields }, 'a prompt', QUESTION_MAX_BYTES)));
  };
}

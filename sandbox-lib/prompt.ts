import type { Calls } from './calls.ts';
import { toJson } from './json.ts';

const QUESTION_MAX_BYTES = 256 * 1024;

/** `prompt`: what the fields may be is the server's to say. */
export function createPrompt(calls: Calls): (question: unknown) => Promise<unknown> {
  return async (question) => {
    if (typeof question !== 'object' || question === null) throw new TypeError('prompt takes {label, fields}');
    const label: unknown = Reflect.get(question, 'label');
    const fields: unknown = Reflect.get(question, 'fields') ?? [];
    if (typeof label !== 'string' || label.trim() === '') throw new TypeError('a prompt has a label');
    if (!Array.isArray(fields)) throw new TypeError('the fields of a prompt are a list');
    return JSON.parse(await calls.call('prompt', toJson({ label, fields }, 'a prompt', QUESTION_MAX_BYTES)));
  };
}

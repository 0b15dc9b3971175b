import { Refusal } from '../../verbs/problem.ts';
import type { RequestBody } from '../call.ts';
import { type Inexact, parsedExactly } from './json-numbers.ts';

const MAX_DEPTH = 200;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses the bytes of a body as a JSON object; anything else is refused with 400 (spec R2). */
export function parsedBody(raw: Buffer): RequestBody {
  const { value, numbers } = parsedJson(raw);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal(
      'body_not_object',
      `The body must be a JSON object, not ${Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`}.`,
    );
  }
  return { raw, value: { ...value }, numbers };
}

/** Parses the bytes of a body as any JSON, with the numbers that are not what was written; refuses with 400 what is no JSON. */
export function parsedJson(raw: Buffer, inexact: Inexact = 'number'): ReturnType<typeof parsedExactly> {
  try {
    const text = decoder.decode(raw);
    if (isTooDeep(text)) throw new Refusal('malformed_json', `The body is nested deeper than ${MAX_DEPTH} levels.`);
    return parsedExactly(text, inexact);
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    const detail = cause instanceof SyntaxError ? cause.message : 'not valid UTF-8';
    throw new Refusal('malformed_json', `The body is not valid JSON: ${detail.slice(0, 200)}`, { cause });
  }
}

/** Deeper nesting would overflow the stack of the recursive functions that walk the value later. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x22) {
      for (i++; i < text.length && text.charCodeAt(i) !== 0x22; i++) if (text.charCodeAt(i) === 0x5c) i++;
    } else if (c === 0x5b || c === 0x7b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (c === 0x5d || c === 0x7d) depth--;
  }
  return false;
}

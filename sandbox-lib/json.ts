import { lossIn } from './json-losses.ts';
import { isLonger } from './text.ts';

/** The server accepts bodies of at most 200 levels; the objects around the script's value take a few of them. */
const MAX_DEPTH = 190;

/** How many lines about losses a run's log has at most. */
const LOSSES_MAX = 20;
const told = new Set<string>();
let tell = (_line: string): void => {};

/** Sets what is called, once for each place, where a value loses something because JSON has no form for it. */
export function tellLosses(log: (line: string) => void): void {
  tell = log;
}

/**
 * Returns a script's value as JSON text. Throws in the script where the value has no JSON form, is nested too deeply or takes
 * more than `maxBytes`.
 */
export function toJson(value: unknown, what: string, maxBytes: number): string {
  const text = toQuietJson(value, what, maxBytes);
  noteLoss(value, text, what);
  return text;
}

/** The same, without a word about losses. */
export function toQuietJson(value: unknown, what: string, maxBytes: number): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`${what} can't be written as JSON`);
  if (isTooDeep(text)) throw new RangeError(`${what} may be nested at most ${MAX_DEPTH} levels deep`);
  if (isLonger(text, maxBytes)) throw new RangeError(`${what} may have at most ${maxBytes} bytes as JSON`);
  return text;
}

/** `text`: the value as JSON. A value that JSON cannot hold has become `{}` there, so only a text with `{}` needs a closer look. */
export function noteLoss(value: unknown, text: string, what: string): void {
  if (!text.includes('{}') || told.size >= LOSSES_MAX) return;
  const loss = lossIn(value);
  if (loss === null) return;
  const line = `${what} ${loss}`;
  const place = line.replace(/\d+/g, '0');
  if (told.has(place)) return;
  told.add(place);
  tell(line);
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22) {
      for (i++; i < text.length && text.charCodeAt(i) !== 0x22; i++) if (text.charCodeAt(i) === 0x5c) i++;
    } else if (unit === 0x5b || unit === 0x7b) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (unit === 0x5d || unit === 0x7d) depth -= 1;
  }
  return false;
}

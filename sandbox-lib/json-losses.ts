import { kindOf } from './kind.ts';

/** What to write instead, by the name of the class. */
const INSTEAD: Readonly<Record<string, string>> = {
  Map: 'its entries are lost; write Object.fromEntries(map) or [...map]',
  Set: 'its values are lost; write [...set]',
  Promise: 'its value is lost; await it first',
  Error: 'its message is lost; write String(error)',
  Headers: 'its entries are lost; write Object.fromEntries(headers)',
  URLSearchParams: 'its entries are lost; write String(it)',
};
const PLAIN_KEY = /^[A-Za-z_$][\w$]*$/;

/** Says which part of the value is the first that became `{}` in its JSON though it holds something, such as a Map; null where none is. */
export function lossIn(value: unknown): string | null {
  const places = new Map<unknown, string>();
  let found: string | undefined;
  try {
    JSON.stringify(value, function (this: unknown, key: string, part: unknown): unknown {
      if (found !== undefined) return undefined;
      if (typeof part !== 'object' || part === null) return part;
      const holder = places.get(this);
      const place = holder === undefined ? '' : placeIn(holder, key, Array.isArray(this));
      const kind = kindOf(part);
      if (kind !== 'Object' && kind !== 'Array' && Object.keys(part).length === 0) found = wordsFor(kind, place);
      places.set(part, place);
      return part;
    });
  } catch {
    // The script's own code threw, which the first look at the value did not meet.
  }
  return found ?? null;
}

function placeIn(holder: string, key: string, isItem: boolean): string {
  if (isItem) return `${holder}[${key}]`;
  if (PLAIN_KEY.test(key)) return holder === '' ? key : `${holder}.${key}`;
  return `${holder}[${JSON.stringify(key)}]`;
}

function wordsFor(kind: string, place: string): string {
  const instead = Object.hasOwn(INSTEAD, kind) ? INSTEAD[kind] : 'JSON has no form for it';
  return `${place === '' ? 'is' : `has at ${place}`} a value of ${kind}, which became {}: ${instead}`;
}

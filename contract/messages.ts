import { z } from 'zod';

/** What schemas say of a wrong value: what it must be. zod's own texts speak of its checks (`Too big: expected number to be <=512`). */

type Raw = z.core.$ZodRawIssue;

z.config({ customError: messageOf });

function messageOf(issue: Raw): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? undefined : typeMessage([issue.expected], issue.input);
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'too_big':
      return sizeMessage(issue, issue.maximum, issue.inclusive === false ? 'less than' : 'at most');
    case 'too_small':
      return sizeMessage(issue, issue.minimum, issue.inclusive === false ? 'more than' : 'at least');
    case 'unrecognized_keys':
      return `has no ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
    default:
      return undefined;
  }
}

/** `types`: those that are accepted, by their names in JSON Schema. */
export function typeMessage(types: readonly string[], value: unknown): string {
  const accepted = types.map(named);
  const list = [accepted.slice(0, -1).join(', '), accepted.at(-1)].filter(Boolean).join(' or ');
  return `must be ${list}, not ${named(value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)}`;
}

function named(type: string): string {
  if (type === 'null') return type;
  if (type === 'int') return 'a whole number';
  // JSON has no records.
  const name = type === 'record' ? 'object' : type;
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}

const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item', set: 'item', map: 'item' };

function sizeMessage({ origin, exact }: { origin: string; exact?: boolean | undefined }, size: number | bigint, bound: string): string {
  const limit = `${exact ? 'exactly' : bound} ${size}`;
  const unit = UNITS[origin];
  return unit === undefined ? `must be ${limit}` : `must have ${limit} ${unit}${Number(size) === 1 ? '' : 's'}`;
}

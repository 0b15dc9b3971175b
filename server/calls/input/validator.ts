import { z } from 'zod';
import type { Endpoint } from '../../../contract/endpoint.ts';
import type { ErrorItem } from '../../../contract/errors.ts';
import { typeMessage } from '../../../contract/messages.ts';
import { refuseValues } from '../../verbs/problem.ts';
import { errorsAbout, type InexactNumber } from './json-numbers.ts';
import { pointerTo, unknownFieldsOf, unknownParameter } from './unknown-names.ts';

type Base = 'integer' | 'boolean' | 'text';
/** What becomes of names that the endpoint does not know. */
type Unknown = 'refused' | 'ignored';
export type Validator = {
  query(search: URLSearchParams, unknown?: Unknown): Record<string, unknown>;
  /** `numbers`: those of the body that are not what was sent. */
  body(value: unknown, unknown?: Unknown, numbers?: readonly InexactNumber[]): unknown;
};

const INTEGER = /^-?\d{1,15}$/;
const NO_FIELDS = z.object({});
const NO_BODY = NO_FIELDS.transform(() => undefined);
/** The most unknown query parameters that one answer names. */
const WRONG_MAX = 20;

/**
 * Prepares the checks of an endpoint's query and body. Unknown names and invalid values are refused with a 422 that names every wrong
 * place.
 */
export function validatorOf(endpoint: Endpoint): Validator {
  const querySchema = endpoint.query ?? NO_FIELDS;
  const bases = new Map<string, Base>(Object.entries(querySchema.shape).map(([name, schema]) => [name, baseOf(schema)]));
  const bodySchema = endpoint.body ?? NO_BODY;
  const unknownFields = unknownFieldsOf(endpoint);
  return {
    query: (search, unknown = 'refused') => {
      const raw: Record<string, unknown> = {};
      const wrong = new Map<string, ErrorItem>();
      for (const [name, text] of search) {
        const base = bases.get(name);
        if (text === '') continue;
        if (base === undefined) {
          const item = unknown === 'refused' && wrong.size < WRONG_MAX ? unknownParameter(name, bases) : null;
          if (item) wrong.set(name, item);
          continue;
        }
        if (name in raw) wrong.set(name, { pointer: null, parameter: name, code: 'duplicate', detail: 'given more than once' });
        raw[name] = read(text, base, name);
      }
      const parsed = querySchema.safeParse(raw);
      return valuesOf(parsed, [...wrong.values()], (issue) =>
        itemsOf(issue, raw, 'query').filter(({ parameter }) => !wrong.has(parameter ?? '')),
      );
    },
    body: (value, unknown = 'refused', numbers = []) => {
      const parsed = bodySchema.safeParse(value);
      const wrong = unknown === 'refused' ? unknownFields(value) : [];
      if (numbers.length === 0) return valuesOf(parsed, wrong, (issue) => itemsOf(issue, value, 'body'));
      const items = parsed.error?.issues.flatMap((issue) => itemsOf(issue, value, 'body')) ?? [];
      const errors = withNumbers([...wrong, ...items], numbers);
      if (errors.length > 0) throw refuseValues(errors);
      return parsed.data;
    },
  };
}

/** The parsed values, unless anything is wrong. Unknown names are told first, because a value may be missing for a typo in its name. */
function valuesOf<T>(
  parsed: z.ZodSafeParseResult<T>,
  wrong: readonly ErrorItem[],
  itemsOfIssue: (issue: z.core.$ZodIssue) => ErrorItem[],
): T {
  if (parsed.success && wrong.length === 0) return parsed.data;
  throw refuseValues([...wrong, ...(parsed.error?.issues.flatMap(itemsOfIssue) ?? [])]);
}

/** Adds the numbers that no error names yet. An error about something that contains one is about the number, too, and less exact. */
function withNumbers(errors: readonly ErrorItem[], numbers: readonly InexactNumber[]): ErrorItem[] {
  const places = new Set(errors.map(({ pointer }) => pointer));
  const containers = containersOf(numbers);
  const added = numbers.filter(({ pointer }) => !places.has(pointer));
  return [...errors.filter(({ pointer }) => pointer === null || !containers.has(pointer)), ...errorsAbout(added)];
}

/** The places of the lists and objects that contain the numbers. */
function containersOf(numbers: readonly InexactNumber[]): Set<string> {
  const containers = new Set<string>();
  for (const { pointer } of numbers) {
    let at = pointer;
    while (at !== '') {
      at = at.slice(0, at.lastIndexOf('/'));
      if (containers.has(at)) break;
      containers.add(at);
    }
  }
  return containers;
}

/** Converts query text to the schema's base type. Text that does not look like it stays text, and the schema refuses it. */
function read(text: string, base: Base, name: string): unknown {
  if (base === 'integer') return INTEGER.test(text) ? Number(text) : text;
  if (base === 'boolean') {
    if (text === 'true' || (text === '1' && name === 'include_deleted')) return true;
    if (text === 'false' || (text === '0' && name === 'include_deleted')) return false;
  }
  return text;
}

function baseOf(schema: unknown): Base {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) return baseOf(schema.unwrap());
  if (schema instanceof z.ZodPipe) return baseOf(schema.in);
  if (schema instanceof z.ZodNumber) return 'integer';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  // A union of a number and words: text that looks like a number becomes one.
  if (schema instanceof z.ZodUnion) return schema.options.some((option) => baseOf(option) === 'integer') ? 'integer' : 'text';
  return 'text';
}

type Where = 'query' | 'body';

function itemsOf(issue: z.core.$ZodIssue, input: unknown, where: Where, above: readonly PropertyKey[] = []): ErrorItem[] {
  const path = [...above, ...issue.path];
  const value = valueAt(input, path);
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const types = typesOf(issue);
    if (types && value !== undefined) return [{ ...placeOf(path, where), code: 'invalid_type', detail: typeMessage(types, value) }];
    // The branch whose issues lie deepest in the value is most likely the one that was meant.
    const best = issue.errors.reduce((a, b) => (furthest(b) > furthest(a) || (furthest(b) === furthest(a) && b.length < a.length) ? b : a));
    if (best.length > 0) return best.flatMap((inner) => itemsOf(inner, input, where, path));
  }
  const code = codeOf(issue, value, where);
  return [{ ...placeOf(path, where), code, detail: code === 'required' ? 'is required' : issue.message, ...limitOf(issue) }];
}

/** The limit that the value is beyond, for those who word it themselves. */
function limitOf(issue: z.core.$ZodIssue): Pick<ErrorItem, 'min' | 'max' | 'unit'> {
  if (issue.code === 'too_big') return { max: Number(issue.maximum), ...unitOf(issue.origin) };
  if (issue.code === 'too_small') return { min: Number(issue.minimum), ...unitOf(issue.origin) };
  const max = issue.code === 'custom' ? issue.params?.['max'] : undefined;
  return typeof max === 'number' ? { max, unit: 'character' } : {};
}

function unitOf(origin: string): Pick<ErrorItem, 'unit'> {
  if (origin === 'string') return { unit: 'character' };
  return origin === 'number' || origin === 'int' || origin === 'bigint' ? {} : { unit: 'item' };
}

/** The types that a union accepts, if the value has none of them; null if some branch accepts the value's type. */
function typesOf(issue: z.core.$ZodIssueInvalidUnion): string[] | null {
  const types: string[] = [];
  for (const [first, ...others] of issue.errors) {
    if (!first || others.length > 0) return null;
    const own = first.code === 'invalid_union' ? typesOf(first) : first.code === 'invalid_type' ? [first.expected] : null;
    if (!own || first.path.length > 0) return null;
    types.push(...own);
  }
  return types.length > 0 ? [...new Set(types)] : null;
}

function furthest(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}

function placeOf(path: readonly PropertyKey[], where: Where): { pointer: string | null; parameter: string | null } {
  if (where === 'query') return { pointer: null, parameter: String(path[0] ?? '') };
  return { pointer: pointerTo(path), parameter: null };
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Object.getOwnPropertyDescriptor(value, key)?.value;
  }
  return value;
}

function codeOf(issue: z.core.$ZodIssue, value: unknown, where: Where): string {
  switch (issue.code) {
    case 'custom':
      return typeof issue.params?.['code'] === 'string' ? issue.params['code'] : 'invalid_value';
    case 'invalid_type':
      return value === undefined ? 'required' : 'invalid_type';
    case 'invalid_value':
      return value === undefined ? 'required' : typeof value === 'string' || where === 'query' ? 'invalid_enum' : 'invalid_type';
    case 'invalid_union':
      if (value === undefined) return 'required';
      if (issue.discriminator === undefined || typeof value !== 'string') return 'invalid_type';
      return issue.discriminator === 'kind' ? 'unknown_kind' : 'invalid_enum';
    case 'too_small':
      return issue.origin === 'string' ? 'blank' : 'out_of_range';
    case 'too_big':
      return issue.origin === 'string' || issue.origin === 'array' ? 'too_long' : 'out_of_range';
    default:
      return 'invalid_value';
  }
}

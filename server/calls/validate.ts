import { z } from 'zod';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { ErrorItem } from '../../contract/errors.ts';
import { typeMessage } from '../../contract/messages.ts';
import { refuseValues } from '../verbs/problem.ts';

type Base = 'integer' | 'boolean' | 'text';
export type Validator = {
  query(search: URLSearchParams): Record<string, unknown>;
  body(value: unknown): unknown;
};

const INTEGER = /^-?\d{1,15}$/;
const NO_FIELDS = z.object({});

/** Prepares the checks of an endpoint's query and body. Invalid values are refused with a 422 that names every wrong place. */
export function validatorOf(endpoint: Endpoint): Validator {
  const querySchema = endpoint.query ?? NO_FIELDS;
  const bases = new Map<string, Base>(Object.entries(querySchema.shape).map(([name, schema]) => [name, baseOf(schema)]));
  return {
    query: (search) => {
      const raw: Record<string, unknown> = {};
      const repeated: ErrorItem[] = [];
      for (const [name, text] of search) {
        const base = bases.get(name);
        if (base === undefined || text === '') continue;
        if (name in raw) repeated.push({ pointer: null, parameter: name, code: 'duplicate', detail: 'given more than once' });
        raw[name] = read(text, base, name);
      }
      if (repeated.length > 0) throw refuseValues(repeated);
      const parsed = querySchema.safeParse(raw);
      if (!parsed.success) throw refuseValues(parsed.error.issues.flatMap((issue) => itemsOf(issue, raw, 'query')));
      return parsed.data;
    },
    body: (value) => {
      if (!endpoint.body) return undefined;
      const parsed = endpoint.body.safeParse(value);
      if (!parsed.success) throw refuseValues(parsed.error.issues.flatMap((issue) => itemsOf(issue, value, 'body')));
      return parsed.data;
    },
  };
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
  return [{ ...placeOf(path, where), code, detail: code === 'required' ? 'is required' : issue.message }];
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
  const pointer = path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return { pointer, parameter: null };
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
      return issue.discriminator === 'kind' && typeof value === 'string'
        ? 'unknown_kind'
        : value === undefined
          ? 'required'
          : 'invalid_type';
    case 'too_small':
      return issue.origin === 'string' ? 'blank' : 'out_of_range';
    case 'too_big':
      return issue.origin === 'string' || issue.origin === 'array' ? 'too_long' : 'out_of_range';
    default:
      return 'invalid_value';
  }
}

import type { Endpoint } from '../../../contract/endpoint.ts';
import type { ErrorItem } from '../../../contract/errors.ts';
import { type KnownNames, knownNamesOf, makesSomething } from '../../../contract/known-names.ts';
import { nearestName } from './nearest-name.ts';

type Place = { known: KnownNames; value: unknown; path: readonly (string | number)[] };

/** The most unknown fields that one answer names, because a similar name is searched for each. */
const TOLD_MAX = 20;
const LISTED_MAX = 40;

/** Finds the fields of a body that its endpoint does not know (spec G6): a typo must not lose data in silence. */
export function unknownFieldsOf(endpoint: Endpoint): (body: unknown) => ErrorItem[] {
  const isNew = makesSomething(endpoint);
  let known: KnownNames | undefined;
  return (body) => {
    known ??= knownNamesOf(endpoint);
    const found: ErrorItem[] = [];
    look({ known, value: body, path: [] }, isNew, found);
    return found;
  };
}

function look({ known, value, path }: Place, isNew: boolean, found: ErrorItem[]): void {
  if (typeof value !== 'object' || value === null || found.length === TOLD_MAX) return;
  if (Array.isArray(value)) {
    if (known.items) for (const [at, item] of value.entries()) look({ known: known.items, value: item, path: [...path, at] }, isNew, found);
    return;
  }
  const { fields, shown, kinds, values } = known;
  for (const [name, one] of Object.entries(value)) {
    const branch = name === kinds?.by ? kinds.of.get(one) : undefined;
    if (branch) look({ known: branch, value, path }, isNew, found);
    const inside = values ?? fields?.get(name);
    if (inside) look({ known: inside, value: one, path: [...path, name] }, isNew, found);
    if (!fields || fields.has(name) || found.length === TOLD_MAX) continue;
    const isShown = shown?.has(name) === true;
    // What is new has no answer to send back: what a list or an object holds would be lost.
    if (isShown && !(isNew && holdsSomething(one))) continue;
    const detail = isShown
      ? `is in the answers, but cannot be given here; ${listOf('fields', fields)}`
      : `is not a known field; ${hintOf('fields', name, fields)}`;
    found.push({ pointer: pointerTo([...path, name]), parameter: null, code: 'unknown_field', detail });
  }
}

function holdsSomething(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** Names of paging, which mean nothing to an endpoint that has no pages (spec G8). */
const PAGING = new Set(['page', 'per_page', 'limit', 'offset', 'cursor']);

/** What is wrong with a query parameter that the endpoint does not know; null if it may be there without a meaning. */
export function unknownParameter(name: string, known: ReadonlyMap<string, unknown>): ErrorItem | null {
  if (PAGING.has(name) || name.startsWith('_')) return null;
  const detail = `is not a known parameter; ${hintOf('parameters', name, known)}`;
  return { pointer: null, parameter: name, code: 'unknown_parameter', detail };
}

type Names = ReadonlyMap<string, unknown>;

function hintOf(what: string, name: string, known: Names): string {
  const nearest = nearestName(name, [...known.keys()]);
  return nearest === null ? listOf(what, known) : `the nearest known one is ${nearest}`;
}

function listOf(what: string, known: Names): string {
  const names = [...known.keys()];
  if (names.length === 0) return `there are no ${what} here`;
  const more = names.length > LISTED_MAX ? ` and ${names.length - LISTED_MAX} more` : '';
  return `known ${what} are ${names.slice(0, LISTED_MAX).join(', ')}${more}`;
}

export function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

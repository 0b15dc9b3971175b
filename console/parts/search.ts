/** Readers of what an address says. What is not understood is left out rather than refused, so that an old link still opens. */

export type Search = Record<string, unknown>;

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Leaves out the names without a value, as the types of search parameters demand. */
export function defined<T extends object>(values: T): Defined<T> {
  const kept: Defined<T> = {};
  for (const name in values) {
    const value = values[name];
    if (isDefined(value)) kept[name] = value;
  }
  return kept;
}

function isDefined<T>(value: T): value is Exclude<T, undefined> {
  return value !== undefined;
}

export function oneOf<const T extends string>(list: readonly T[], value: unknown): T | undefined {
  return list.find((one) => one === value);
}

export function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

export function idOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

export function dateOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined;
}

export function amountOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && /^\d+(\.\d{1,3})?$/.test(text) ? text : undefined;
}

/** The assistant beside a page: a new thread, or one that there is. */
export type OpenThread = number | 'new';

export function threadOf(value: unknown): OpenThread | undefined {
  return value === 'new' ? value : idOf(value);
}

export function flagOf(value: unknown): true | undefined {
  return value === true ? true : undefined;
}

/** The usual state of a list with a sheet: what is searched, the place in the list, the record that is open (or a new one). */
export type ListSearch = { q?: string; cursor?: string; open?: number; new?: true };

export function readListSearch(raw: Search): ListSearch {
  return defined({ q: textOf(raw['q']), cursor: textOf(raw['cursor']), open: idOf(raw['open']), new: flagOf(raw['new']) });
}

export function without<T extends object, K extends keyof T>(values: T, ...names: readonly K[]): Omit<T, K> {
  const rest = { ...values };
  for (const name of names) delete rest[name];
  return rest;
}

/** Whether two addresses say the same. */
export function isSame(a: object, b: object): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}

/** Changes some of what the address says; a value of undefined is taken out of it. */
export type Patch<S> = (change: { [K in keyof S]?: S[K] | undefined }) => void;

import type { Endpoint } from '../../../contract/endpoint.ts';
import { endpointList } from '../../../contract/index.ts';
import type { UndoConflict, UndoRow } from '../../../contract/undo.ts';
import { policyOf } from '../../db/captured-tables.ts';
import { foldedAnew } from '../../db/folded-columns.ts';
import type { RowValues } from '../../db/queries/one-row.ts';
import type { RowImage } from '../../db/row-images.ts';

/** A write that a run made: its effects, and the rows that it changed. */
export type DoneWrite = {
  /** The id of its first effect. */
  call: number;
  runId: number;
  method: string;
  path: string;
  effects: readonly DoneEffect[];
  /** null: they are not kept. */
  images: readonly RowImage[] | null;
};

export type DoneEffect = {
  resource: { type: string; id: number | null };
  customerId: number | null;
  changes: UndoRow['changes'][number]['changes'];
};

/** By the method and the first part of the path. */
const patterns = Map.groupBy(
  endpointList
    .filter(({ method }) => method !== 'GET')
    .map((endpoint) => {
      const pattern = endpoint.path.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => `(?<${name}>${name.endsWith('id') ? '\\d+' : name === 'path' ? '.+' : '[^/]+'})`,
      );
      return { endpoint, pattern: new RegExp(`^${pattern}$`) };
    }),
  ({ endpoint: { method, path } }) => startOf(method, path),
);

function startOf(method: string, path: string): string {
  return `${method} ${path.split('/', 2)[1]}`;
}

/** The endpoint that a write was made by, and the parameters of its path; undefined: it is of an older version. */
export function endpointOf(method: string, path: string): { endpoint: Endpoint; params: Record<string, string> } | undefined {
  const [pathname = ''] = path.split('?', 1);
  for (const { endpoint, pattern } of patterns.get(startOf(method, pathname)) ?? []) {
    const found = pattern.exec(pathname);
    if (found) return { endpoint, params: { ...found.groups } };
  }
  return undefined;
}

/** The path of the endpoint that deletes what a write made: its id, and the parameters that both paths have. */
export function deletionOf(id: string, params: Record<string, string>, madeId: number): { method: string; path: string } {
  const endpoint = endpointList.find((one) => one.id === id);
  if (!endpoint) throw new Error(`there is no endpoint ${id}`);
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === names.at(-1) ? String(madeId) : (params[name] ?? '')));
  return { method: endpoint.method, path };
}

/** How a row is to be put back. */
export type Step =
  | { kind: 'insert'; row: RowValues }
  | { kind: 'delete' }
  | { kind: 'update'; set: RowValues; add: Record<string, number> }
  /** An entry that cancels this one. */
  | { kind: 'counter'; row: RowValues }
  /** Nothing is left to do. */
  | { kind: 'none' };

export type Judged = {
  step: Step;
  conflicts: UndoConflict[];
  /** The step can be taken whatever has changed. */
  choosable: boolean;
  /** Everything is as before. */
  isBefore: boolean;
};

export const keyOf = ({ table, key }: Pick<RowImage, 'table' | 'key'>): string => JSON.stringify([table, key]);
export const nameOf = ({ table, key }: Pick<RowImage, 'table' | 'key'>): string => `${table} ${Object.values(key).join(', ')}`;

/** Compares how a write left a row with how the row is now. `made`: the keys of the rows that the same write made. */
export function judge(image: RowImage, now: RowValues | null, made: ReadonlySet<string>): Judged {
  const { before, after, table } = image;
  const { ledgerOf, stays, counters } = policyOf(table);
  if (before === null && after !== null) {
    const owner = ledgerOf && JSON.stringify([ledgerOf.table, { id: after[ledgerOf.column] ?? null }]);
    if (ledgerOf) return settled(owner !== null && made.has(owner) ? { kind: 'none' } : { kind: 'counter', row: after }, false);
    if (stays) return judgeSums(image, now, Object.fromEntries(counters.map((name) => [name, -Number(after[name] ?? 0)])));
    return judgeMade(image, after, now);
  }
  if (before !== null && after === null) return judgeDeleted(image, before, now);
  return judgeChanged(image, now);
}

function settled(step: Step, isBefore: boolean): Judged {
  return { step, conflicts: [], choosable: true, isBefore };
}

function judgeMade(image: RowImage, after: RowValues, now: RowValues | null): Judged {
  if (now === null) return settled({ kind: 'none' }, true);
  const { silent } = policyOf(image.table);
  const names = Object.keys(after).filter((name) => !silent.has(name));
  const changed = names.filter((name) => now[name] !== after[name]);
  const conflicts = changed.map((field) => conflictOf(image, field, { before: null, run: after[field], now: now[field] }));
  return { step: { kind: 'delete' }, conflicts, choosable: true, isBefore: false };
}

function judgeDeleted(image: RowImage, before: RowValues, now: RowValues | null): Judged {
  if (now === null) return settled({ kind: 'insert', row: before }, false);
  const { silent } = policyOf(image.table);
  const names = Object.keys(before).filter((name) => !silent.has(name));
  const changed = names.filter((name) => now[name] !== before[name]);
  if (changed.length === 0) return settled({ kind: 'none' }, true);
  const set = Object.fromEntries(changed.map((name) => [name, before[name] ?? null]));
  const conflicts = changed.map((field) => conflictOf(image, field, { before: before[field], run: null, now: now[field] }));
  return { step: { kind: 'update', set: withComputed(image, now, set), add: {} }, conflicts, choosable: true, isBefore: false };
}

/**
 * The columns that are set, with those that are computed from them. One that alone was changed goes back where nobody has changed it since,
 * such as the key that a customer took over from another one.
 */
function withComputed({ table, before, after }: RowImage, now: RowValues, set: RowValues): RowValues {
  const along = Object.entries(policyOf(table).computed).flatMap(([name, of]) => {
    const value = before?.[name];
    return value !== undefined && (of in set || now[name] === after?.[name]) ? [[name, value] as const] : [];
  });
  return { ...set, ...Object.fromEntries(along), ...foldedAnew(table, { ...now, ...set }, Object.keys(set)) };
}

function judgeChanged(image: RowImage, now: RowValues | null): Judged {
  const { silent, counters } = policyOf(image.table);
  const before = image.before ?? {};
  const after = image.after ?? {};
  const names = Object.keys(after).filter((name) => !silent.has(name) && !counters.includes(name));
  const add = Object.fromEntries(
    counters.filter((name) => name in after).map((name) => [name, Number(before[name] ?? 0) - Number(after[name] ?? 0)]),
  );
  const isTouched = names.length === 0 && Object.keys(add).length === 0;
  if (now === null) {
    if (isTouched) return settled({ kind: 'none' }, true);
    const conflicts = [conflictOf(image, null, { before: null, run: null, now: null })];
    return { step: { kind: 'none' }, conflicts, choosable: false, isBefore: false };
  }
  const left = names.filter((name) => now[name] !== before[name]);
  const conflicts = left
    .filter((name) => now[name] !== after[name])
    .map((field) => conflictOf(image, field, { before: before[field], run: after[field], now: now[field] }));
  const set = Object.fromEntries(left.map((name) => [name, before[name] ?? null]));
  const sums = judgeSums(image, now, add);
  const isBefore = left.length === 0 && Object.keys(add).length === 0;
  return {
    step: isBefore && !isTouched ? { kind: 'none' } : { kind: 'update', set: withComputed(image, now, set), add },
    conflicts: [...conflicts, ...sums.conflicts],
    choosable: sums.choosable,
    isBefore,
  };
}

/** A sum from which more would be taken than there is cannot be taken back. */
function judgeSums(image: RowImage, now: RowValues | null, add: Record<string, number>): Judged {
  if (now === null) return settled({ kind: 'none' }, true);
  const lacking = Object.entries(add).filter(([name, by]) => by < 0 && Number(now[name] ?? 0) + by < 0);
  const conflicts = lacking.map(([field]) =>
    conflictOf(image, field, { before: image.before?.[field], run: image.after?.[field], now: now[field] }),
  );
  return { step: { kind: 'update', set: {}, add }, conflicts, choosable: lacking.length === 0, isBefore: false };
}

type Three = { before: UndoConflict['before'] | undefined; run: UndoConflict['run'] | undefined; now: UndoConflict['now'] | undefined };

function conflictOf(image: RowImage, field: string | null, { before = null, run = null, now = null }: Three): UndoConflict {
  return { record: nameOf(image), field, before, run, now };
}

/** Whether the change of a row is one of the record itself, and not of its marks, sums and computed columns. */
export function isOfRecord({ table, before, after, told }: RowImage): boolean {
  const { silent, counters, ledgerOf, stays } = policyOf(table);
  if (told || ledgerOf || stays) return false;
  if (before === null || after === null) return true;
  return Object.keys(after).some((name) => !silent.has(name) && !counters.includes(name));
}

import { useMemo, useState } from 'react';
import type { CallOptions } from '../../contract/calls.ts';
import { ApiError, etagOf, once, type Tagged, tagged } from '../api/client.ts';
import { text } from '../texts/app.ts';
import type { FieldError } from '../ui/form.tsx';
import { useRetryKey } from './retry-key.ts';

export type RecordFormOptions<V extends object, R> = {
  /** The values as the record has them; of a new record, what the form starts with. */
  values: V;
  /** The ETag of the record that the values were read from. */
  etag?: string | undefined;
  /**
   * Sends the values. `options` carries the Idempotency-Key and If-Match, and must be passed to the call. `base` is the record
   * as it was last read, for a call that takes only what has changed.
   */
  send(values: V, options: CallOptions, base: V): Promise<R>;
  /** Reads the values anew, after somebody else has changed the record (412). */
  reread?(): Promise<Tagged<V>>;
  /** What it returns is awaited: the record that is read anew then fills the form. */
  onSaved?(answer: R): unknown;
};

/** Thrown by `send` when somebody else has changed meanwhile what it would save, as after 412. */
export class Outdated extends Error {}

function isOutdated(error: unknown): boolean {
  return error instanceof Outdated || (error instanceof ApiError && error.status === 412);
}

/**
 * Thrown by `send` when only a part of the values was saved. What was saved is not edited any more; the rest stays, and the reason why it
 * was not saved is told. Without a reason, somebody else was quicker with one of the values that are left.
 */
export class PartlySaved extends Error {
  readonly reason: unknown;
  readonly isSaved: (name: string) => boolean;
  constructor(isSaved: (name: string) => boolean, reason: unknown = null) {
    super('only a part was saved');
    this.reason = isOutdated(reason) ? null : reason;
    this.isSaved = isSaved;
  }
}

/** A field that two people have changed: what this form would save, and what the record says now. */
export type Conflict<V> = { name: keyof V & string; mine: unknown; theirs: unknown };

/**
 * The state of a form over one record. A refusal (422) is shown at its field. After 412 the record is read anew: what only the
 * other one changed is taken over; what both changed waits for a choice; then the form is saved with the new ETag.
 */
export function useRecordForm<V extends object, R>({ values: current, etag: currentEtag, send, reread, onSaved }: RecordFormOptions<V, R>) {
  const key = useRetryKey();
  const [base, setBase] = useState({ values: current, etag: currentEtag });
  const [outdated, setOutdated] = useState<typeof base | null>(null);
  const [values, setValues] = useState(current);
  const [failure, setFailure] = useState<unknown>(null);
  const [conflicts, setConflicts] = useState<readonly Conflict<V>[]>([]);
  const [isSaving, setSaving] = useState(false);
  const [savedCount, setSavedCount] = useState(0);
  const [hasUnread, setUnread] = useState(false);
  const errors = useMemo(() => errorsOf(failure), [failure]);
  const isEdited = hasUnread || !isEqual(values, base.values);
  const errorAt = (name: string): string | undefined => errors.find(({ pointer }) => pointer === pointerOf(name))?.detail;

  // A record that was read again fills the form as long as nobody has typed in it. What it said before the form was saved does not.
  const read = { values: current, etag: currentEtag };
  if (!isEdited && conflicts.length === 0 && !isSaving && !isEqual(read, base) && !isEqual(read, outdated)) {
    setBase(read);
    setValues(current);
  }
  // After a save the new ETag comes with the record as it was saved, when somebody may have typed again.
  if (base.etag === undefined && currentEtag !== undefined && isEqual(base.values, current)) setBase({ ...base, etag: currentEtag });

  function set<K extends keyof V>(name: K, value: V[K]): void {
    setValues((before) => ({ ...before, [name]: value }));
  }

  /** Keeps this form's value, or takes over the other one's. */
  function choose(name: keyof V & string, whose: 'mine' | 'theirs'): void {
    if (whose === 'theirs') setValues((before) => taken(before, base.values, name));
    setConflicts((before) => before.filter((one) => one.name !== name));
  }

  async function save(toSave: V = values): Promise<void> {
    setSaving(true);
    setFailure(null);
    try {
      await sendWith(toSave, base.etag, base.values);
    } catch (error) {
      if (error instanceof PartlySaved && reread) await merge(toSave, reread, error);
      else if (isOutdated(error) && reread) await merge(toSave, reread);
      else setFailure(error);
    } finally {
      setSaving(false);
    }
  }

  async function sendWith(toSave: V, etag: string | undefined, from: V): Promise<void> {
    const answer = await send(toSave, once(key.of([toSave, etag]), etag), from);
    key.spend();
    setOutdated({ values: current, etag: currentEtag });
    setBase({ values: toSave, etag: etagOf(answer) });
    setValues(toSave);
    setSavedCount((count) => count + 1);
    await onSaved?.(answer);
  }

  async function merge(edited: V, read: () => Promise<Tagged<V>>, partly?: PartlySaved): Promise<void> {
    try {
      const theirs = await read();
      const names = namesOf(edited, theirs.value);
      let mine = edited;
      if (partly) for (const name of names) if (partly.isSaved(name)) mine = taken(mine, theirs.value, name);
      const changedByThem = names.filter((name) => !isEqual(theirs.value[name], base.values[name]));
      const both = changedByThem.filter((name) => !isEqual(mine[name], base.values[name]) && !isEqual(mine[name], theirs.value[name]));
      let merged = mine;
      for (const name of changedByThem) if (!both.includes(name)) merged = taken(merged, theirs.value, name);
      setBase({ values: theirs.value, etag: theirs.etag });
      setValues(merged);
      if (both.length > 0) setConflicts(both.map((name) => ({ name, mine: mine[name], theirs: theirs.value[name] })));
      else if (partly && partly.reason !== null) setFailure(partly.reason);
      else await sendWith(merged, theirs.etag, theirs.value);
    } catch (error) {
      setFailure(error);
    }
  }

  return {
    values,
    /** The record as it was last read. */
    base: base.values,
    set,
    /** Changes the values as they are at that moment: for what is set after something was waited for. */
    update: (change: (values: V) => V): void => setValues(change),
    isEdited,
    /** Tells whether a field of the form holds a text that is no value, such as a half-typed date: it is edited, too. */
    tellUnread: setUnread,
    isSaving,
    /** How often the form was saved, so that the page can tell it. */
    savedCount,
    failure,
    errors,
    conflicts,
    choose,
    save,
    reset(): void {
      setValues(base.values);
      setFailure(null);
      setConflicts([]);
    },
    /** The text of a refusal at this field: `/title`, or `title`. */
    errorAt,
    /** The props of a text field. */
    text<K extends TextKey<V>>(name: K) {
      return {
        value: String(values[name] ?? ''),
        pointer: pointerOf(name),
        error: errorAt(name),
        onValue: (value: string): void => setValues((before) => ({ ...before, [name]: value })),
      };
    },
  };
}

/** For `reread`: the values of the record as it is now. */
export function rereadAs<Row extends object, V>(get: () => Promise<Row>, valuesOf: (row: Row) => V): () => Promise<Tagged<V>> {
  return async () => {
    const { value, etag } = await tagged(get());
    return { value: valuesOf(value), etag };
  };
}

export type RecordForm<V extends object, R> = ReturnType<typeof useRecordForm<V, R>>;

type TextKey<V> = { [K in keyof V]: V[K] extends string | null ? K : never }[keyof V] & string;

/** The names of all values: a record of parts, such as the lines of an order, may have gained or lost some. */
function namesOf<V extends object>(mine: V, theirs: V): (keyof V & string)[] {
  const names: (keyof V & string)[] = [];
  for (const name in { ...mine, ...theirs }) names.push(name);
  return names;
}

/** The values with one of them taken over; what the other record does not have is left out. */
function taken<V extends object>(values: V, from: V, name: keyof V): V {
  const next = { ...values };
  if (name in from) next[name] = from[name];
  else delete next[name];
  return next;
}

/** The values that differ from those of the record, for a call that takes only what has changed. */
export function changedOnly<V extends object>(values: V, base: V): Partial<V> {
  const changed: Partial<V> = {};
  for (const name in values) if (!isEqual(values[name], base[name])) changed[name] = values[name];
  return changed;
}

export function pointerOf(name: string): string {
  return name.startsWith('/') ? name : `/${name}`;
}

/** A value that the form needs and that is missing; it is told at its field, as a refusal of the server is. */
class MissingValue extends Error {
  readonly pointer: string;
  constructor(name: string) {
    super(text.form.needed);
    this.pointer = pointerOf(name);
  }
}

/** For `send`: the value of a field that may not be left empty. */
export function needed<T>(value: T | null, name: string): T {
  if (value === null) throw new MissingValue(name);
  return value;
}

/** For `send`: the values, of which those with these names may not be left empty. */
export function allNeeded<V extends object, K extends keyof V & string>(
  values: V,
  names: readonly K[],
): V & { [N in K]: NonNullable<V[N]> } {
  return Object.assign({}, values, ...names.map((name) => ({ [name]: needed(values[name], name) })));
}

/** The refusals of single values; of any other failure there are none, and the form shows the failure itself. */
function errorsOf(failure: unknown): readonly FieldError[] {
  if (failure instanceof MissingValue) return [{ pointer: failure.pointer, detail: failure.message }];
  if (!(failure instanceof ApiError) || failure.status !== 422) return [];
  return failure.errors.map(({ pointer, parameter, detail }) => ({
    pointer: pointer ?? (parameter === null ? '' : `?${parameter}`),
    detail,
  }));
}

export function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

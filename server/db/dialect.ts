import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Sought } from '../values/words.ts';
import type { Database } from './tables.ts';

export type Engine = 'sqlite' | 'postgres';

/** A statement of the schema in SQLite's SQL for both engines, or those of each engine if they have nothing in common. */
export type Statement = string | Readonly<Record<Engine, readonly string[]>>;

/** Every difference between the two engines, under a name; `sqlite/sqlite-dialect.ts` and `postgres/postgres-dialect.ts` say what it is. */
export type Dialect = {
  engine: Engine;
  /** True if only one write transaction runs at a time, so that it needs no locks of its own. */
  oneWriter: boolean;
  /** Translates a statement of the schema to this engine. */
  ddl(statement: string): string;
  /** Milliseconds since 1970 by the database's clock; used only for leases. */
  nowMs: RawBuilder<number>;
  /** Which numbers of changes are committed, as text (`change-cursors.ts`); an expression over the row of `change_numbers`. */
  committedChanges: RawBuilder<string>;
  /** How many changes this pass of a dry run has made; likewise. */
  stagedChanges: RawBuilder<number>;
  /** Whether a column `*_folded` contains a text literally, whatever the case and the marks of its letters. */
  contains(column: Expression<string>, text: string): RawBuilder<boolean>;
  /** Whether the phone number of a row has these digits one after the other. */
  hasPhone(table: 'customers', digits: string): RawBuilder<boolean>;
  /** Whether a text contains another one, upper and lower case being the same; no index can answer it. */
  containsAnyCase(column: Expression<string>, text: string): RawBuilder<boolean>;
  /** The part of a query after FROM, to which conditions can be added: the buyers `b` of orders that may have all that is sought. */
  buyersWithTrigrams(sought: readonly Sought[]): RawBuilder<unknown>;
  /**
   * Appended to a table's name: the index to use, for an engine whose planner knows less about the rows than we do; null: the ids of the
   * rows.
   */
  indexedBy(index: string | null): RawBuilder<unknown>;
  /** One SELECT of a sorted UNION ALL from which at most the first `most` rows are read. */
  orderedPart(select: RawBuilder<unknown>, order: RawBuilder<unknown>, most: number): RawBuilder<unknown>;
  /** A SELECT whose rows are all gathered before they are sorted; PostgreSQL would rather walk an index in their order, which may be long. */
  gathered(select: RawBuilder<unknown>): RawBuilder<unknown>;
  /** A column that rows are tested by, although they are looked up by another one. */
  withoutIndex<T>(column: Expression<T>): RawBuilder<T>;
  /**
   * A value of a statement that is prepared once. SQLite plans a statement again for each new value that its planner looks at, which takes
   * many times as long as a look-up by an index; it does not look behind the sign.
   */
  planned(value: RawBuilder<unknown>): RawBuilder<unknown>;
  /** Appended to a SELECT whose rows this transaction will change. */
  forUpdate: RawBuilder<unknown>;
  /** Appended to a SELECT whose rows must not change before this transaction ends. */
  forShare: RawBuilder<unknown>;
  /** Appended to a SELECT that takes work from a queue: it skips rows that others have locked. */
  skipLocked: RawBuilder<unknown>;
  /** The texts of a JSON array as rows `(position, line)`, counted from 1. */
  linesOf(json: RawBuilder<unknown>): RawBuilder<unknown>;
  /** The same without positions, as rows `elements.value`; the JSON may come from a table that stands before it. */
  elementsOf(json: RawBuilder<unknown>): RawBuilder<unknown>;
  /** The arrays of a JSON array as rows with these columns. */
  rowsOf(json: RawBuilder<unknown>, columns: Readonly<Record<string, 'integer' | 'text'>>): RawBuilder<unknown>;
  /** The fields of a JSON object as rows `(key, value)`. */
  fieldsOf(json: RawBuilder<unknown>): RawBuilder<unknown>;
  /** Builds a JSON object from rows of fields whose values are arrays; `value` makes the new value from the old one. */
  objectOf(value: (field: RawBuilder<unknown>) => RawBuilder<unknown>): RawBuilder<unknown>;
  /** A JSON array of objects as rows of a table, for bulk inserts; null if a list of values is as fast. */
  rowsOfJson: ((table: keyof Database, json: string) => RawBuilder<unknown>) | null;
  /** The indexes of tables that enforce no constraint, and the statements that create them. */
  indexesOf(db: Kysely<Database>, tables: readonly string[]): Promise<{ name: string; create: string }[]>;
  /** Waits until no other transaction holds this name, at most 5 s, then holds the name until this transaction ends. */
  lockName(db: Kysely<Database>, name: string): Promise<void>;
};

export function anyOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join(conditions, sql` OR `)})`;
}

/** A pattern with both cases of each letter; `literal` escapes any other character. The engines themselves know the case of ASCII only. */
export function anyCase(text: string, literal: (character: string) => string): string {
  const parts = Array.from(text, (one) => {
    const cases = [...new Set([one, one.toLowerCase(), one.toUpperCase()])].filter((same) => [...same].length === 1);
    return cases.length > 1 ? `[${cases.join('')}]` : literal(one);
  });
  return parts.join('');
}

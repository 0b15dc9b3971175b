import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely';
import { STAGED_FROM } from '../values/staged-range.ts';
import { soughtForms } from '../values/texts.ts';
import type { Sought } from '../values/words.ts';
import { buyersWithTrigrams } from './sqlite/buyer-trigrams.ts';
import type { Database } from './tables.ts';

export type Engine = 'sqlite' | 'postgres';

/** A statement of the schema in SQLite's SQL for both engines, or those of each engine if they have nothing in common. */
export type Statement = string | Readonly<Record<Engine, readonly string[]>>;

/** Every difference between the two engines, under a name. */
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

const nothing = sql``;

function anyOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join(conditions, sql` OR `)})`;
}

/** A pattern with both cases of each letter; `literal` escapes any other character. The engines themselves know the case of ASCII only. */
function anyCase(text: string, literal: (character: string) => string): string {
  const parts = Array.from(text, (one) => {
    const cases = [...new Set([one, one.toLowerCase(), one.toUpperCase()])].filter((same) => [...same].length === 1);
    return cases.length > 1 ? `[${cases.join('')}]` : literal(one);
  });
  return parts.join('');
}

export const sqlite: Dialect = {
  engine: 'sqlite',
  oneWriter: true,
  ddl: (statement) => statement,
  nowMs: sql<number>`CAST(unixepoch('subsec') * 1000 AS INTEGER)`,
  // The only writer has given out the numbers one by one, so all up to the last are committed.
  committedChanges: sql<string>`(coalesce(kept, n) + 1) || ':' || (coalesce(kept, n) + 1) || ':'`,
  stagedChanges: sql<number>`CASE WHEN kept IS NULL THEN 0 ELSE n - ${sql.lit(STAGED_FROM)} END`,
  contains: (column, text) => anyOf(soughtForms(text).map((form) => sql`instr(${column}, ${form}) > 0`)),
  containsAnyCase: (column, text) => sql<boolean>`${column} GLOB ${`*${anyCase(text, (one) => (/[*?[]/.test(one) ? `[${one}]` : one))}*`}`,
  // All numbers are read from the index once, not with each row.
  hasPhone: (table, digits) => sql<boolean>`${sql.ref(`${table}.id`)} IN (SELECT p.id FROM ${sql.table(table)} AS p
    INDEXED BY ${sql.ref(`${table}_by_phone`)} WHERE p.phone_digits IS NOT NULL AND instr(p.phone_digits, ${digits}) > 0)`,
  buyersWithTrigrams,
  indexedBy: (index) => (index === null ? sql`NOT INDEXED` : sql`INDEXED BY ${sql.ref(index)}`),
  // SQLite merges sorted parts while it reads them, so a part needs no limit of its own.
  orderedPart: (select) => select,
  gathered: (select) => select,
  withoutIndex: (column) => sql`+${column}`,
  planned: (value) => sql`+${value}`,
  forUpdate: nothing,
  forShare: nothing,
  skipLocked: nothing,
  linesOf: (json) => sql`(SELECT key + 1 AS position, value AS line FROM json_each(${json})) AS lines`,
  elementsOf: (json) => sql`json_each(${json}) AS elements`,
  rowsOf: (json, columns) => {
    const parts = Object.keys(columns).map((name, n) => sql`value ->> ${sql.lit(n)} AS ${sql.ref(name)}`);
    return sql`(SELECT ${sql.join(parts)} FROM json_each(${json})) AS parts`;
  },
  fieldsOf: (json) => sql`json_each(${json}) AS fields`,
  objectOf: (value) => sql`coalesce(json_group_object(fields.key, json(${value(sql`fields.value`)})), '{}')`,
  rowsOfJson: null,
  indexesOf: async (db, tables) => {
    const { rows } = await sql<{ name: string; create: string }>`
      SELECT name, sql AS "create" FROM sqlite_schema
      WHERE type = 'index' AND tbl_name IN (${sql.join(tables)}) AND sql NOT LIKE 'CREATE UNIQUE%' ORDER BY name`.execute(db);
    return rows;
  },
  // SQLite's only writer implicitly holds every name.
  lockName: async () => undefined,
};

/** The collation "C" sorts by code point, as SQLite does. */
export const postgres: Dialect = {
  engine: 'postgres',
  oneWriter: false,
  ddl: (statement) =>
    statement
      .replaceAll(/\bINTEGER PRIMARY KEY AUTOINCREMENT\b/g, 'bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY')
      .replaceAll(/\bINTEGER\b/g, 'bigint')
      .replaceAll(/\bTEXT\b/g, 'text COLLATE "C"')
      .replaceAll(/\bBLOB\b/g, 'bytea')
      .replace(/\) STRICT$/, ')'),
  nowMs: sql<number>`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)`,
  // The numbers are those of transactions.
  committedChanges: sql<string>`CAST(pg_current_snapshot() AS text)`,
  stagedChanges: sql<number>`CAST(coalesce(nullif(current_setting('backroom.changes', true), ''), '0') AS bigint)`,
  containsAnyCase: (column, text) => sql<boolean>`${column} ~ ${anyCase(text, (one) => (/[!-/:-@[-`{-~]/.test(one) ? `\\${one}` : one))}`,
  // An index of trigrams can answer LIKE.
  contains: (column, text) => anyOf(soughtForms(text).map((form) => sql`${column} LIKE ${`%${form.replaceAll(/[\\%_]/g, '\\$&')}%`}`)),
  hasPhone: (table, digits) => sql<boolean>`${sql.ref(`${table}.phone_digits`)} LIKE ${`%${digits}%`}`,
  // An index of trigrams answers LIKE by itself.
  buyersWithTrigrams: () => sql`order_buyers AS b WHERE true`,
  indexedBy: () => nothing,
  orderedPart: (select, order, most) => sql`(${select} ${order} LIMIT ${most})`,
  gathered: (select) => sql`SELECT * FROM (${select} OFFSET 0) AS gathered`,
  withoutIndex: (column) => sql`${column}`,
  planned: (value) => value,
  // Not `FOR UPDATE`: with it, two writes that each refer to a row by a foreign key could block each other when both change that row.
  forUpdate: sql`FOR NO KEY UPDATE`,
  forShare: sql`FOR SHARE`,
  skipLocked: sql`FOR UPDATE SKIP LOCKED`,
  linesOf: (json) => sql`json_array_elements_text(CAST(${json} AS json)) WITH ORDINALITY AS lines (line, position)`,
  elementsOf: (json) => sql`json_array_elements_text(CAST(${json} AS json)) AS elements (value)`,
  rowsOf: (json, columns) => {
    const parts = Object.entries(columns).map(
      ([name, type], n) => sql`CAST(value ->> ${sql.lit(n)} AS ${sql.raw(type === 'integer' ? 'bigint' : 'text')}) AS ${sql.ref(name)}`,
    );
    return sql`(SELECT ${sql.join(parts)} FROM json_array_elements(CAST(${json} AS json)) AS elements (value)) AS parts`;
  },
  fieldsOf: (json) => sql`json_each(CAST(${json} AS json)) AS fields`,
  objectOf: (value) =>
    sql`CAST(coalesce(json_object_agg(fields.key, CAST(${value(sql`CAST(fields.value AS text)`)} AS json)), '{}') AS text)`,
  rowsOfJson: (table, json) => sql`json_populate_recordset(NULL::${sql.table(table)}, CAST(${json} AS json))`,
  indexesOf: async (db, tables) => {
    const { rows } = await sql<{ name: string; create: string }>`
      SELECT c.relname AS name, pg_get_indexdef(c.oid) AS create FROM pg_index i
      JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
      WHERE t.relname IN (${sql.join(tables)}) AND t.relnamespace = current_schema()::regnamespace AND NOT i.indisunique
      ORDER BY c.relname`.execute(db);
    return rows;
  },
  lockName: async (db, name) => {
    await sql`SELECT set_config('lock_timeout', '5s', true), pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);
  },
};

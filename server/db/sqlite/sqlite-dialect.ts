import { sql } from 'kysely';
import { STAGED_FROM } from '../../values/staged-range.ts';
import { soughtForms } from '../../values/texts.ts';
import { anyCase, anyOf, type Dialect } from '../dialect.ts';
import { buyersWithTrigrams } from './buyer-trigrams.ts';

const nothing = sql``;

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

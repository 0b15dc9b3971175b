import { mock } from 'node:test';
import SqliteDatabase from 'better-sqlite3';

/** Keeps what is prepared on connections to this file of SQLite, and on no others, until it is told to stop. */
export function watchStatements(url: string): { seen: string[]; stop(): void } {
  const seen: string[] = [];
  const prepare = SqliteDatabase.prototype.prepare;
  const watched = mock.method(SqliteDatabase.prototype, 'prepare', function (this: SqliteDatabase.Database, text: string) {
    if (this.name === url) seen.push(text);
    return prepare.call(this, text);
  });
  return { seen, stop: () => watched.mock.restore() };
}

export type Plans = {
  /** The steps of SQLite's plan; what they scan or search is a table by its own name, whatever the statement calls it. */
  planOf(text: string): string[];
  /** The same statement on one line, with the names of tables for the statement's own. */
  plain(text: string): string;
  isTable(name: string): boolean;
  close(): void;
};

/** What SQLite would do about statements on this file. */
export function openPlans(url: string): Plans {
  const database = new SqliteDatabase(url, { readonly: true });
  const schema = database
    .prepare<unknown[], { type: string; name: string; tbl_name: string }>('SELECT type, name, tbl_name FROM sqlite_schema')
    .all();
  const tables = new Set(['sqlite_schema', ...schema.filter(({ type }) => type === 'table').map(({ name }) => name)]);
  const tableOfIndex = new Map(schema.filter(({ type }) => type === 'index').map(({ name, tbl_name }) => [name, tbl_name]));

  const aliasesOf = (text: string): [alias: string, table: string][] =>
    [...text.matchAll(NAMED)].flatMap(([, table = '', alias = '']) =>
      tables.has(table) && !KEYWORDS.has(alias.toLowerCase()) ? [[alias, table] as [string, string]] : [],
    );

  const tableOf = (name: string, step: string, text: string): string => {
    const index = / INDEX (\w+)/.exec(step)?.[1];
    const known = tableOfIndex.get(index ?? '') ?? aliasesOf(text).find(([alias]) => alias === name)?.[1] ?? name;
    // A part of the statement has its own steps; any other name would hide that a table is scanned.
    if (!tables.has(known) && !namesPart(name, text)) throw new Error(`"${name}" in "${step}" is no table:\n${text}`);
    return known;
  };

  return {
    planOf: (text) =>
      database
        .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
        .all(...placeholders(text))
        .map(({ detail }) =>
          detail.replace(
            STEP,
            (step, verb: string, name: string) => `${verb} ${tableOf(name, detail, text)}${step.slice(verb.length + 1 + name.length)}`,
          ),
        ),
    plain: (text) => {
      const flat = text.replaceAll(/\s+/g, ' ').trim();
      return aliasesOf(flat).reduce(
        (sql, [alias, table]) =>
          sql
            .replaceAll(new RegExp(`("?)\\b${table}\\b\\1(?: as)? ("?)${alias}\\2(?![\\w".])`, 'gi'), `$1${table}$1`)
            .replaceAll(new RegExp(`(?<![\\w.])("?)${alias}\\1\\.`, 'g'), `$1${table}$1.`),
        flat,
      );
    },
    isTable: (name) => tables.has(name),
    close: () => void database.close(),
  };
}

/** A table with a name of the statement's own behind it. */
const NAMED = /(?:\b(?:from|join|update|into)\s+|,\s*)"?(\w+)"?(?:\s+as)?\s+"?(\w+)"?/gi;
const KEYWORDS = new Set(
  'as cross default from group indexed inner join left limit natural not on order returning select set union using values where'.split(' '),
);

/** `SCAN 3-ROW VALUES CLAUSE`, `SCAN CONSTANT ROW` and `SCAN (subquery-1)` name nothing. */
const STEP = /^(SCAN|SEARCH) (?!CONSTANT\b)([a-z_]\w*)\b/i;

/** Whether the statement itself makes what has the name: `WITH name AS (…)`, `(…) AS name`, or a function that gives rows. */
function namesPart(name: string, text: string): boolean {
  return new RegExp(
    `\\b${name}"?\\s*(?:\\([^()]*\\)\\s*)?as\\s+(?:not\\s+)?(?:materialized\\s+)?\\(|\\)\\s*(?:as\\s+)?"?${name}\\b|\\b${name}\\(`,
    'i',
  ).test(text);
}

/** Nothing for each value: the plan does not depend on them. */
function placeholders(text: string): null[] {
  return Array.from(text.replaceAll(/'[^']*'/g, '').matchAll(/\?/g), () => null);
}

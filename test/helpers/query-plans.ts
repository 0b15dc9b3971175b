import { mock } from 'node:test';
import SqliteDatabase from 'better-sqlite3';

/** Records the statements that are prepared on connections to this SQLite file, until `stop` is called. */
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
  /** The steps of SQLite's plan. Tables have their real names, not the aliases of the statement. */
  planOf(text: string): string[];
  /** The statement on one line, with the real names of tables instead of its aliases, and without the signs of `Dialect.planned`. */
  plain(text: string): string;
  isTable(name: string): boolean;
  close(): void;
};

/** Asks SQLite for the plans of statements on this file. */
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
    // The name may be of a part of the statement, whose steps are listed too. Any other unknown name could hide the scan of a table.
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
      const flat = text.replaceAll(/\s+/g, ' ').replaceAll('+?', '?').trim();
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

/** A table followed by its alias. */
const NAMED = /(?:\b(?:from|join|update|into)\s+|,\s*)"?(\w+)"?(?:\s+as)?\s+"?(\w+)"?/gi;
const KEYWORDS = new Set(
  'as cross default from group indexed inner join left limit natural not on order returning select set union using values where'.split(' '),
);

/** A step that names a table; `SCAN 3-ROW VALUES CLAUSE`, `SCAN CONSTANT ROW` and `SCAN (subquery-1)` name none. */
const STEP = /^(SCAN|SEARCH) (?!CONSTANT\b)([a-z_]\w*)\b/i;

/** Whether the name is of a part of the statement: `WITH name AS (…)`, `(…) AS name`, or a function that returns rows. */
function namesPart(name: string, text: string): boolean {
  return new RegExp(
    `\\b${name}"?\\s*(?:\\([^()]*\\)\\s*)?as\\s+(?:not\\s+)?(?:materialized\\s+)?\\(|\\)\\s*(?:as\\s+)?"?${name}\\b|\\b${name}\\(`,
    'i',
  ).test(text);
}

/** A null for each parameter, because the plan does not depend on the values. */
function placeholders(text: string): null[] {
  return Array.from(text.replaceAll(/'[^']*'/g, '').matchAll(/\?/g), () => null);
}

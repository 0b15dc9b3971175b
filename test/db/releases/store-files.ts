import { readFile, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import { sql } from 'kysely';
import pg from 'pg';
import type { Engine } from '../../../server/db/dialect.ts';
import { type Db, openStore } from '../../../server/db/open.ts';
import { backupSqlite } from '../../../server/db/sqlite/backup.ts';
import { dumpSchema } from '../../helpers/schema-dump.ts';

/** Stores in files: of SQLite the file itself, of PostgreSQL its SQL, since the tests' PostgreSQL has no `pg_dump`. Both are compressed. */

const pack = (bytes: Buffer): Promise<Buffer> => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION });
const nameOf = (engine: Engine): string => (engine === 'sqlite' ? 'sqlite.db.gz' : 'postgres.sql.gz');

/** Writes the store, which nobody changes meanwhile, into the folder. */
export async function saveStore(engine: Engine, url: string, folder: string): Promise<void> {
  if (engine === 'postgres') return writeFile(`${folder}/${nameOf(engine)}`, await pack(Buffer.from(await dumpPostgres(url))));
  const copy = `${folder}/copy.db`;
  await backupSqlite(url, copy);
  await writeFile(`${folder}/${nameOf(engine)}`, await pack(await readFile(copy)));
  await rm(copy);
}

/** Fills a store that has no schema. */
export async function loadStore(engine: Engine, folder: URL, url: string): Promise<void> {
  const bytes = await promisify(gunzip)(await readFile(new URL(nameOf(engine), folder)));
  if (engine === 'sqlite') return writeFile(url, bytes);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(bytes.toString('utf8')).finally(() => client.end());
}

/** In this order the parts of a schema can be made; the rows stand behind the tables, where no trigger sees them. */
const ORDER = [
  /^CREATE EXTENSION/,
  /^CREATE OR REPLACE FUNCTION/,
  /^CREATE (UNLOGGED )?TABLE/,
  /ADD CONSTRAINT \S+ (?!FOREIGN)/,
  /FOREIGN KEY/,
];
const ROWS_AFTER = 2;

async function dumpPostgres(url: string): Promise<string> {
  const store = openStore({ url, poolSize: 1 });
  try {
    const parts = (await dumpSchema(store)).split(/;\n(?=CREATE |ALTER |$)/).filter((part) => part.trim() !== '');
    const place = (part: string): number => ORDER.findIndex((begin) => begin.test(part)) >>> 0;
    const placed = parts
      .toSorted((a, b) => place(a) - place(b))
      .map((part) => ({ part: `${part};\n`, isFirst: place(part) <= ROWS_AFTER }));
    const rows = await rowsOf(store.reader);
    return [
      ...placed.filter(({ isFirst }) => isFirst).map(({ part }) => part),
      rows,
      ...placed.filter(({ isFirst }) => !isFirst).map(({ part }) => part),
    ].join('');
  } finally {
    await store.close();
  }
}

/** Every row as an INSERT, with each value as PostgreSQL writes it as text, and where the counters of the ids stand. */
async function rowsOf(db: Db): Promise<string> {
  const lines: string[] = [];
  const tables = await sql<{ name: string; columns: string; values: string }>`
    SELECT c.relname AS name, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns,
      string_agg(format('quote_nullable(%I::text)', a.attname), ' || '', '' || ' ORDER BY a.attnum) AS values
    FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace GROUP BY c.relname ORDER BY c.relname`.execute(db);
  for (const { name, columns, values } of tables.rows) {
    const { rows } = await sql<{ line: string }>`SELECT ${sql.raw(values)} AS line FROM ${sql.table(name)} ORDER BY 1`.execute(db);
    lines.push(...rows.map(({ line }) => `INSERT INTO ${name} (${columns}) VALUES (${line});\n`));
  }
  const { rows: counters } = await sql<{ name: string; last: string }>`
    SELECT sequencename AS name, last_value::text AS last FROM pg_sequences WHERE schemaname = current_schema() AND last_value IS NOT NULL
    ORDER BY 1`.execute(db);
  lines.push(...counters.map(({ name, last }) => `SELECT setval('${name}', ${last});\n`));
  return lines.join('');
}

import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { type Db, isPostgresUrl, type Store } from '../open.ts';
import { StoreRefusal } from '../refusal.ts';
import type { Database } from '../tables.ts';
import { CopyIn } from './copy-in.ts';
import { keyOf, keyText, type Row, type Value } from './rows.ts';
import { CHANGED_IN, type Table } from './tables.ts';

/** Writes rows that were read from a store of the other engine. */
export type RowWriter = {
  /** Writes rows and what belongs to them in one transaction. Throws a `StoreRefusal` if this engine cannot hold a value of them. */
  write(table: Table, rows: readonly Row[], also: (tx: Db) => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

/** `store`: the store at the address. */
export function openRowWriter(url: string, store: Store): RowWriter {
  return isPostgresUrl(url) ? postgresWriter(url) : sqliteWriter(store);
}

/** COPY needs the connection itself. So this pool has one, and the transaction around the COPY uses it too. */
function postgresWriter(url: string): RowWriter {
  const pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 });
  let client: pg.PoolClient | undefined;
  // A connection that ends fails the statement that needs it next.
  pool.on('error', () => undefined);
  pool.on('connect', (connected) => {
    connected.on('error', () => undefined);
    client = connected;
  });
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return {
    write: (table, rows, also) =>
      db.transaction().execute(async (tx) => {
        // If the database crashes, it may lose the last of these transactions, but always with their progress.
        await sql`SET LOCAL synchronous_commit = off`.execute(tx);
        // No transaction of this PostgreSQL has made these rows, so their change gets the number before all others, the column's default.
        const columns = table.columns.filter(({ name }) => name !== CHANGED_IN).map(({ name }) => name);
        const into = `${pg.escapeIdentifier(table.name)} (${columns.map((name) => pg.escapeIdentifier(name)).join()})`;
        const lines = rows.map((row) => lineOf(table, columns, row));
        if (!client) throw new Error('the transaction has no connection');
        await client.query(new CopyIn(`COPY ${into} FROM STDIN`, lines.join(''))).done;
        await also(tx);
      }),
    close: () => db.destroy(),
  };
}

/** A row in the text format of COPY. */
function lineOf(table: Table, columns: readonly string[], row: Row): string {
  const fields = columns.map((name) => {
    const field = fieldOf(row[name] ?? null);
    if (field !== null) return field;
    const place = `${name} of ${table.name} ${keyText(table, keyOf(table, row))}`;
    throw new StoreRefusal(`${place} contains U+0000, which PostgreSQL cannot store: change it in the source, then repeat the command`);
  });
  return `${fields.join('\t')}\n`;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A value in the text format of COPY; null if PostgreSQL cannot store it. */
function fieldOf(value: Value): string | null {
  if (typeof value === 'number') return String(value);
  if (value === null) return '\\N';
  if (typeof value !== 'string') return `\\\\x${Buffer.from(value).toString('hex')}`;
  if (!/[\\\n\r\t\0]/.test(value)) return value;
  return value.includes('\0') ? null : value.replaceAll(/[\\\n\r\t]/g, (one) => ESCAPES[one] ?? one);
}

/** The most values in one statement: far from SQLite's limit (32,766), and enough to make the statement's own cost small. */
const MAX_VALUES = 2000;

/**
 * SQLite seeks by the number of a change alone, so no two rows may have the same one. Ids are below all numbers that are still to
 * come.
 */
function sqliteWriter({ write }: Store): RowWriter {
  const statements = new Map<string, CompiledQuery>();
  const insert = async (tx: Db, { name: table, columns }: Table, rows: readonly Row[]): Promise<void> => {
    const all = columns.map(({ name }) => name);
    const sources = all.map((name) => (name === CHANGED_IN ? 'id' : name));
    let size = 2 ** Math.floor(Math.log2(Math.max(1, MAX_VALUES / all.length)));
    for (let start = 0; start < rows.length; start += size) {
      // Powers of two, so that only a few different statements stay prepared.
      while (size > rows.length - start) size /= 2;
      const parameters = rows.slice(start, start + size).flatMap((row) => sources.map((name) => row[name]));
      const key = `${table}/${size}`;
      let statement = statements.get(key);
      if (!statement) {
        const [one, refs] = [sql`(${sql.join(all)})`, sql.join(all.map((name) => sql.ref(name)))];
        statement = sql`INSERT INTO ${sql.table(table)} (${refs}) VALUES ${sql.join(Array.from({ length: size }, () => one))}`.compile(tx);
        statements.set(key, statement);
      }
      await tx.executeQuery({ ...statement, parameters });
    }
  };
  return {
    write: (table, rows, also) =>
      write(async (tx) => {
        await insert(tx, table, rows);
        await also(tx);
      }),
    close: async () => undefined,
  };
}

import { sql } from 'kysely';
import type { At } from '../open.ts';
import { SET_ASIDE } from '../set-aside.ts';

/** Which tables a copy of a store has, as the database itself describes them. */

export type Column = { name: string; type: 'integer' | 'text' | 'bytes' };

export type Table = {
  name: string;
  columns: readonly Column[];
  /** The columns of the primary key, in its order; pages of rows follow it. */
  key: readonly string[];
  /** Whether a counter of the table gives the ids of new rows. */
  hasCounter: boolean;
  /** The columns with sums, if each engine keeps this table by itself beside the orders; it is compared and not copied. */
  sums: readonly string[] | null;
};

/** Tables with sums. PostgreSQL keeps a sum as several rows until a loop merges them, so only sums by key can be compared. */
const SUMS: Readonly<Record<string, readonly string[]>> = {
  order_counts: ['n'],
  order_part_counts: ['n'],
  order_quarters: ['orders', 'revenue'],
  customer_sales: ['orders', 'sales', 'spent'],
  product_sales: ['quantity', 'revenue'],
};

/** Tables that each store has for itself: its schema, its numbers of changes, what one engine alone has, and the progress of a copy. */
const OWN = new Set(['migrations', 'change_numbers', 'followed_ids', 'captured_rows', 'order_buyers', 'copy_progress', 'crash_signs']);

/** Says which row of a table was changed when, for one engine alone; a copy numbers the rows anew. */
export const CHANGED_IN = 'changed_in';

/** Rows of `imports` that belong to one store. */
export const ownImport = SET_ASIDE;

/** The tables of a store with the newest schema, in the order of their names. */
export async function readTables(at: At): Promise<Table[]> {
  const parts = (await readColumns(at)).filter(({ table }) => !OWN.has(table));
  const tables = [...Map.groupBy(parts, ({ table }) => table)].map(([name, columns]) => tableOf(name, columns));
  return tables.sort((one, other) => (one.name < other.name ? -1 : 1));
}

type Part = { table: string; name: string; type: string; place: number | null; counted: number };

function tableOf(name: string, parts: readonly Part[]): Table {
  const sums = SUMS[name] ?? null;
  const columns = parts.map((part) => ({ name: part.name, type: typeOf(part) })).filter((column) => !sums || column.name !== 'merged');
  const primary = parts.filter(({ place }) => place !== null).sort((one, other) => (one.place ?? 0) - (other.place ?? 0));
  const key = sums ? columns.map((column) => column.name).filter((column) => !sums.includes(column)) : primary.map((part) => part.name);
  if (key.length === 0) throw new Error(`the table ${name} has no primary key, so it cannot be copied`);
  return { name, columns, key, hasCounter: parts.some(({ counted }) => counted === 1), sums };
}

function typeOf({ table, name, type }: Part): Column['type'] {
  const found = { INTEGER: 'integer', bigint: 'integer', TEXT: 'text', text: 'text', BLOB: 'bytes', bytea: 'bytes' }[type];
  if (found === 'integer' || found === 'text' || found === 'bytes') return found;
  throw new Error(`the column ${name} of ${table} has the type ${type}, which a copy does not know`);
}

/** Each column of each table. `place`: its place in the primary key, from 1. */
async function readColumns({ db, dialect }: At): Promise<Part[]> {
  const query =
    dialect.engine === 'sqlite'
      ? sql<Part>`
          SELECT t.name AS "table", c.name, c.type, nullif(c.pk, 0) AS place, s.sql LIKE '%AUTOINCREMENT%' AND c.pk = 1 AS counted
          FROM pragma_table_list AS t JOIN pragma_table_info(t.name) AS c JOIN sqlite_schema AS s ON s.name = t.name
          WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY t.name, c.cid`
      : sql<Part>`
          SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
            array_position(CAST(i.indkey AS smallint[]), a.attnum) + 1 AS place, CAST(a.attidentity <> '' AS int) AS counted
          FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
          LEFT JOIN pg_index AS i ON i.indrelid = c.oid AND i.indisprimary
          WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace ORDER BY c.relname, a.attnum`;
  return (await query.execute(db)).rows;
}

import { createHash } from 'node:crypto';
import { type CompiledQuery, sql } from 'kysely';
import type { Db } from '../db/open.ts';
import type { Database, NewRow } from '../db/tables.ts';

export type BatchWriter = {
  /** Inserts rows that all have the same columns. */
  insert<T extends keyof Database>(db: Db, table: T, rows: readonly NewRow<T>[]): Promise<void>;
  /** Adds to the stock of variants, by id. */
  addStock(db: Db, deltas: ReadonlyMap<number, number>): Promise<void>;
};

/** Values of one statement: enough to amortise it, within the limits of both engines (32,766 and 65,535). */
const MAX_VALUES = 2000;

/** Writes many rows a statement. A statement's text is built once for its number of rows; building it each time costs more than the insert. */
export function createBatchWriter(): BatchWriter {
  const statements = new Map<string, CompiledQuery>();

  async function run(db: Db, key: string, parameters: unknown[], build: () => CompiledQuery): Promise<void> {
    let statement = statements.get(key);
    if (!statement) {
      statement = build();
      statements.set(key, statement);
    }
    await db.executeQuery({ ...statement, parameters });
  }

  return {
    async insert(db, table, rows) {
      const columns = Object.keys(rows[0] ?? {});
      for (const chunk of chunks<object>(rows, Math.floor(MAX_VALUES / Math.max(1, columns.length)))) {
        const parameters: unknown[] = [];
        for (const row of chunk) parameters.push(...Object.values(row));
        if (parameters.length !== chunk.length * columns.length) throw new Error(`rows of ${table} differ in their columns`);
        await run(db, `${table}/${columns.join()}/${chunk.length}`, parameters, () => {
          const values = sql.join(chunk.map(() => sql`(${sql.join(columns)})`));
          return sql`INSERT INTO ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))}) VALUES ${values}`.compile(db);
        });
      }
    },

    async addStock(db, deltas) {
      const changes = [...deltas].filter(([, delta]) => delta !== 0);
      for (const chunk of chunks(changes, 500)) {
        await run(db, `stock/${chunk.length}`, chunk.flat(), () => {
          const values = sql.join(chunk.map(([id, delta]) => sql`(CAST(${id} AS bigint), CAST(${delta} AS bigint))`));
          return sql`WITH change (id, delta) AS (VALUES ${values})
            UPDATE variants SET stock = variants.stock + change.delta FROM change WHERE variants.id = change.id`.compile(db);
        });
      }
    },
  };
}

/** 12 characters of Crockford's base32 (decisions.md PH9) that follow from a text, so that a repeated fill makes the same. */
export function publicIdOf(text: string): string {
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  const bytes = createHash('sha256').update(text).digest();
  let id = '';
  for (let i = 0; i < 12; i++) id += alphabet.charAt((bytes[i] ?? 0) & 31);
  return id;
}

/** Powers of two only: every other length would be one more statement that stays prepared. */
function* chunks<T>(items: readonly T[], largest: number): Generator<readonly T[]> {
  let size = 2 ** Math.floor(Math.log2(Math.max(1, largest)));
  for (let start = 0; start < items.length; start += size) {
    while (size > items.length - start) size /= 2;
    yield items.slice(start, start + size);
  }
}

import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { STAGED_FROM } from '../values/staged-range.ts';
import type { At, Db, Store } from './open.ts';

const PER_TABLE = 2 ** 32;

/**
 * The number before the first staged id of a table. Each table has a range of its own, one of 2^20, chosen by a hash of its name. The nth
 * row that a plan makes in a table gets the nth id of the range, in each pass.
 */
export function stagedBefore(table: string): number {
  return STAGED_FROM + Number.parseInt(hash('sha256', table, 'hex').slice(0, 5), 16) * PER_TABLE;
}

/** From now on, rows that this transaction makes get staged ids, and its changes staged numbers, until it ends or rolls back to an earlier savepoint. */
export async function stageIds({ db, dialect: { engine } }: At): Promise<void> {
  if (engine === 'postgres') return setMode(db, 'staged');
  const tables = await tablesWithIds(db);
  await sql`DELETE FROM sqlite_sequence`.execute(db);
  await sql`INSERT INTO sqlite_sequence (name, seq) VALUES ${sql.join(tables.map((name) => sql`(${name}, ${stagedBefore(name)})`))}`.execute(
    db,
  );
  await sql`UPDATE change_numbers SET kept = n, n = ${STAGED_FROM}`.execute(db);
}

/** Finds the real ids of rows that had staged ids in the plan. */
export type FollowedIds = {
  /** The real ids of those staged ids whose rows have been made. */
  realOf(staged: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** Stops following in this transaction. */
  end(): Promise<void>;
};

/** From now on, the rows that this transaction makes are numbered as a dry run numbers them, so that their real ids can be found. */
export async function followIds({ db, dialect: { engine } }: At): Promise<FollowedIds> {
  return engine === 'postgres' ? followByTrigger(db) : followBySequence(db);
}

async function followByTrigger(db: Db): Promise<FollowedIds> {
  await setMode(db, 'followed');
  return {
    async realOf(staged) {
      if (staged.length === 0) return new Map();
      const { rows } = await sql<{ staged_id: number; real_id: number }>`
        SELECT staged_id, real_id FROM followed_ids WHERE staged_id IN (${sql.join(staged)})`.execute(db);
      return new Map(rows.map(({ staged_id, real_id }) => [staged_id, real_id]));
    },
    async end() {
      await setMode(db, '');
      // Rows of other transactions are invisible here; each transaction deletes its own before it commits.
      await sql`DELETE FROM followed_ids`.execute(db);
    },
  };
}

/** SQLite has one writer, so the nth row that is made from now on gets the nth id from now on. */
async function followBySequence(db: Db): Promise<FollowedIds> {
  const before = await lastIds(db);
  const tables = await tablesWithIds(db);
  return {
    async realOf(staged) {
      const now = await lastIds(db);
      const real = new Map<number, number>();
      for (const id of staged) {
        const table = tables.find((name) => id > stagedBefore(name) && id < stagedBefore(name) + PER_TABLE);
        if (table === undefined) continue;
        const followed = (before.get(table) ?? 0) + id - stagedBefore(table);
        if (followed <= (now.get(table) ?? 0)) real.set(id, followed);
      }
      return real;
    },
    end: async () => undefined,
  };
}

async function lastIds(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; seq: number }>`SELECT name, seq FROM sqlite_sequence`.execute(db);
  return new Map(rows.map(({ name, seq }) => [name, seq]));
}

async function tablesWithIds(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%' ORDER BY name`.execute(db);
  return rows.map(({ name }) => name);
}

/** The setting ends with the transaction, and with a rollback to an earlier savepoint. */
async function setMode(db: Db, mode: 'staged' | 'followed' | ''): Promise<void> {
  await sql`SELECT set_config('backroom.ids', ${mode}, true)`.execute(db);
}

/**
 * PostgreSQL's sequences are not transactional. So each table has a trigger that gives staged ids; it does nothing unless its transaction
 * asks for it.
 */
export async function installStaging(store: Store): Promise<void> {
  if (store.dialect.engine === 'sqlite') return;
  const lacking = await tablesToStage(store.reader);
  if (lacking.length === 0) return;
  await store.write(async (tx) => {
    for (const name of lacking) {
      await sql`CREATE OR REPLACE TRIGGER stage_id BEFORE INSERT ON ${sql.table(name)} FOR EACH ROW
        WHEN (current_setting('backroom.ids', true) <> '')
        EXECUTE FUNCTION stage_id(${sql.lit(String(stagedBefore(name)))})`.execute(tx);
    }
  });
}

async function tablesToStage(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE a.attname = 'id' AND a.attidentity <> '' AND c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname = 'stage_id')
    ORDER BY c.relname`.execute(db);
  return rows.map(({ name }) => name);
}

import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

type Db = Kysely<Database>;

/** Runs a statement at once and returns its rows. */
type Run = <Row>(text: string, parameters: readonly unknown[]) => Row[];

const connections = new WeakMap<Db, { run: Run; isFree: () => boolean }>();

/**
 * How a statement of this handle runs on its SQLite connection, without Kysely's queue for the connection; undefined: by Kysely alone. The
 * handle of a transaction has the connection for itself. A handle for single reads may use it while no transaction is open: within one it
 * would see the past.
 */
export function directOf(db: Db): Run | undefined {
  const known = connections.get(db);
  return known?.isFree() === true ? known.run : undefined;
}

/** Lets the statements of single reads run directly while the connection is in no transaction. */
export function readDirectly(db: Db, connection: SqliteConnection): void {
  connections.set(db, { run: runOn(connection), isFree: () => !connection.isInTransaction() });
}

/** Lets the statements of a transaction run directly while `work` goes on. Afterwards Kysely refuses them. */
export async function directly<Tx extends Db, T>(tx: Tx, connection: SqliteConnection, work: (tx: Tx) => Promise<T>): Promise<T> {
  connections.set(tx, { run: runOn(connection), isFree: () => true });
  try {
    return await work(tx);
  } finally {
    connections.delete(tx);
  }
}

function runOn(connection: SqliteConnection): Run {
  return <Row>(text: string, parameters: readonly unknown[]): Row[] => {
    const statement = connection.prepare(text);
    if (statement.reader) return statement.all(parameters) as Row[];
    statement.run(parameters);
    return [];
  };
}

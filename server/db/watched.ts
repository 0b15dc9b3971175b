import { type CompiledQuery, type DatabaseConnection, DummyDriver, type QueryResult, Transaction } from 'kysely';
import type { Db } from './open.ts';
import type { Database } from './tables.ts';

/** A statement with its values, and what came of it. */
export type Statement = CompiledQuery;
export type Result = QueryResult<unknown>;

export type Watch = {
  /** Called before each statement; what it throws is thrown instead of running the statement. */
  before?(): Promise<void> | undefined;
  /** Called after each statement that has run; `result` is null if it failed. */
  after?(query: Statement, result: Result | null): void;
};

/** The same transaction, of which each statement is watched. */
export function watched(db: Db, { before, after }: Watch): Transaction<Database> {
  const inner = db.getExecutor();
  const wrap = (connection: DatabaseConnection): DatabaseConnection => ({
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const waiting = before?.();
      if (waiting) await waiting;
      let result: QueryResult<R> | null = null;
      try {
        result = await connection.executeQuery<R>(query);
        return result;
      } finally {
        after?.(query, result);
      }
    },
    streamQuery: () => {
      throw new Error('a watched transaction streams no rows');
    },
  });
  const executor = inner.withConnectionProvider({
    provideConnection: (consumer) => inner.provideConnection((connection) => consumer(wrap(connection))),
  });
  const driver = new DummyDriver();
  const dialect = {
    createDriver: () => driver,
    createAdapter: () => inner.adapter,
    createQueryCompiler: () => ({ compileQuery: inner.compileQuery.bind(inner) }),
    createIntrospector: () => {
      throw new Error('a watched transaction does not look at the schema');
    },
  };
  return new Transaction<Database>({ config: { dialect }, dialect, driver, executor });
}

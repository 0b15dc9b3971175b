import { type CompiledQuery, type RawBuilder, SqliteAdapter, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import type { Db } from '../open.ts';
import { postgres } from '../postgres/postgres-dialect.ts';
import { sqlite } from '../sqlite/sqlite-dialect.ts';
import { directOf } from '../sqlite/sqlite-direct.ts';
import type { Database, NewRow, VersionedTable } from '../tables.ts';

/** Stands for a named value while a statement is compiled. */
class Slot {
  readonly name: string | number;
  constructor(name: string | number) {
    this.name = name;
  }
}

type Compiled<Row> = { query: CompiledQuery<Row>; names: (string | number)[] };

/**
 * Makes a statement whose SQL text is compiled once for each engine. Kysely compiles a query at every call, which takes several times as
 * long as SQLite needs to run it; this matters for statements of every request and every run. Where the connection of a handle can be
 * used directly, the statement runs without Kysely's own steps, for the same reason.
 */
export function statement<Values extends object, Row = unknown, Name extends string | number = keyof Values & string>(
  build: (value: (name: Name) => RawBuilder<unknown>, dialect: Dialect) => RawBuilder<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  const compiled = new Map<Dialect, Compiled<Row>>();
  return async (db, values) => {
    const direct = directOf(db);
    const dialect = direct ? sqlite : dialectOf(db);
    let known = compiled.get(dialect);
    if (!known) {
      known = compile(
        db,
        build((name) => dialect.planned(sql`${new Slot(name)}`), dialect),
      );
      compiled.set(dialect, known);
    }
    const { query, names } = known;
    const parameters = names.map((name): unknown => Reflect.get(values, name));
    if (direct) return direct<Row>(query.sql, parameters);
    const { rows } = await db.executeQuery<Row>({ ...query, parameters });
    return rows;
  };
}

/** A statement that finds one row at most. */
export function rowStatement<Values extends object, Row = unknown, Name extends string | number = keyof Values & string>(
  build: Parameters<typeof statement<Values, Row, Name>>[0],
): (db: Db, values: Values) => Promise<Row | undefined> {
  const find = statement(build);
  return async (db, values) => (await find(db, values))[0];
}

const KEYS_MAX = 1000;

/** Caches one value per key, for statements whose text depends on something with few values. */
export function byKey<Key, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const known = new Map<Key, Made>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size >= KEYS_MAX) known.clear();
    const made = make(key);
    known.set(key, made);
    return made;
  };
}

/**
 * Makes a function that inserts a row; its SQL is compiled once for each set of columns. It returns the columns in `returning`. Nothing is
 * inserted if another row has the same value in the unique column `unlessTaken`.
 */
export function insertInto<T extends keyof Database, Row = unknown>(
  table: T,
  returning?: RawBuilder<Row>,
): (db: Db, row: NewRow<T>, unlessTaken?: keyof Database[T] & string) => Promise<Row[]> {
  const known = new Map<string, (db: Db, row: NewRow<T>) => Promise<Row[]>>();
  return (db, row, unlessTaken) => {
    const names = Object.keys(row);
    const key = [...names, unlessTaken].join();
    let insert = known.get(key);
    if (!insert) {
      insert = statement<object, Row, string>((value) => {
        const columns = sql.join(names.map((name) => sql.ref(name)));
        const unless = unlessTaken ? sql`ON CONFLICT (${sql.ref(unlessTaken)}) DO NOTHING` : sql``;
        const given = returning ? sql`RETURNING ${returning}` : sql``;
        return sql<Row>`INSERT INTO ${sql.table(table)} (${columns}) VALUES (${sql.join(names.map(value))}) ${unless} ${given}`;
      });
      known.set(key, insert);
    }
    return insert(db, row);
  };
}

/**
 * Makes a function that changes columns of the row with an id and raises its row version; its SQL is compiled once for each set of columns.
 */
export function updateVersioned<T extends VersionedTable>(table: T): (db: Db, id: number, changes: Partial<NewRow<T>>) => Promise<void> {
  const known = new Map<string, (db: Db, values: object) => Promise<unknown>>();
  return async (db, id, changes) => {
    const names = Object.keys(changes);
    const key = names.join();
    let update = known.get(key);
    if (!update) {
      update = statement<object, unknown, string>((value) => {
        const set = names.map((name) => sql`${sql.ref(name)} = ${value(name)}, `);
        return sql`UPDATE ${sql.table(table)} SET ${sql.join(set, sql``)}row_version = row_version + 1 WHERE id = ${value('id')}`;
      });
      known.set(key, update);
    }
    await update(db, { ...changes, id });
  };
}

function dialectOf(db: Db): Dialect {
  return db.getExecutor().adapter instanceof SqliteAdapter ? sqlite : postgres;
}

function compile<Row>(db: Db, builder: RawBuilder<Row>): Compiled<Row> {
  const query = builder.compile(db);
  const names = query.parameters.map((parameter) => {
    if (parameter instanceof Slot) return parameter.name;
    throw new Error('a compiled statement takes every value by its name');
  });
  return { query, names };
}

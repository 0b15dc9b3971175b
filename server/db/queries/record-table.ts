import { type RawBuilder, sql } from 'kysely';
import type { ChangeType } from '../../../contract/changes.ts';
import type { RecordName } from '../../../contract/index.ts';
import type { Dialect } from '../dialect.ts';
import type { At, Db } from '../open.ts';
import type { Database, NewRow, Row, VersionedTable } from '../tables.ts';
import { type List, type ListOrder, listOf } from './keyset.ts';
import { rowVersion } from './row-version.ts';
import { insertInto, statement, updateVersioned } from './statement.ts';

type ColumnOf<T extends VersionedTable> = keyof Database[T] & string;

type Shape<T extends VersionedTable, R> = {
  type: RecordName & ChangeType;
  /** Converts a row to the record that verbs use. */
  toRecord(row: Row<T>): R;
  /** Converts a record to a row. */
  toRow(values: Omit<R, 'id'>): NewRow<T>;
  /** Columns of folded text in which the list's search looks. */
  search: readonly ColumnOf<T>[];
  order: ListOrder & { name: ColumnOf<T> };
};

/** The statements for a table of records. */
export type Records<R> = {
  /** The kind of record, as in paths, answers and the log. */
  type: RecordName & ChangeType;
  /** The order of the list. */
  order: ListOrder;
  version: ReturnType<typeof rowVersion>;
  find(db: Db, id: number): Promise<R | null>;
  /** In no particular order. */
  findAll(db: Db, ids: readonly number[]): Promise<R[]>;
  /** Reads and locks a record against changes by others until this transaction ends. */
  lock(db: Db, id: number): Promise<R | null>;
  /** Whether the record exists; it cannot be deleted before this transaction ends. */
  hold(db: Db, id: number): Promise<boolean>;
  /** The records that exist, by id; none can be deleted before this transaction ends. */
  holdAll(at: At, ids: readonly number[]): Promise<R[]>;
  /** The list of the records that contain the folded text; '' matches all. */
  list(at: At, searchFolded: string): List<R>;
  insert(db: Db, values: Omit<R, 'id'>): Promise<R>;
  /** Writes the columns that differ, and raises the row version. */
  update(db: Db, before: R, after: R): Promise<void>;
  remove(db: Db, id: number): Promise<void>;
};

export type RecordTable<T extends VersionedTable, R> = Records<R> & {
  /** Inserts a record; null if another row has the same value in this column, which needs a unique index. */
  insertUnlessTaken(db: Db, values: Omit<R, 'id'>, column: ColumnOf<T>): Promise<R | null>;
  /** Writes columns of a row that was not read, and raises the row version. */
  setColumns(db: Db, id: number, columns: Partial<NewRow<T>>): Promise<void>;
};

/** Makes the statements for a table whose rows are records of one type. The rules of the resource belong into its verbs. */
export function recordTable<T extends VersionedTable, R extends { id: number }>(
  table: T,
  { type, toRecord, toRow, search, order }: Shape<T, R>,
): RecordTable<T, R> {
  const name = sql.table(table);
  const byId = (lock: (dialect: Dialect) => RawBuilder<unknown>) => {
    const select = statement<{ id: number }, Row<T>>(
      (value, dialect) => sql<Row<T>>`SELECT * FROM ${name} WHERE id = ${value('id')} ${lock(dialect)}`,
    );
    return async (db: Db, id: number) => {
      const [row] = await select(db, { id });
      return row ? toRecord(row) : null;
    };
  };
  const selectHeld = statement<{ id: number }>((value, { forShare }) => sql`SELECT id FROM ${name} WHERE id = ${value('id')} ${forShare}`);
  const insertRow = insertInto(table, sql<Row<T>>`*`);
  const setColumns = updateVersioned(table);
  const deleteRow = statement<{ id: number }>((value) => sql`DELETE FROM ${name} WHERE id = ${value('id')}`);

  const findAll = async (db: Db, ids: readonly number[], end = sql``) => {
    if (ids.length === 0) return [];
    const { rows } = await sql<Row<T>>`SELECT * FROM ${name} WHERE id IN (${sql.join(ids)}) ${end}`.execute(db);
    return rows.map(toRecord);
  };

  const matching = ({ db, dialect }: At, searchFolded: string) => {
    const all = db.selectFrom(db.dynamic.table(table).as(table));
    if (searchFolded === '') return all;
    const places = search.map((column) => dialect.contains(sql.ref(column), searchFolded));
    return all.where(sql<boolean>`(${sql.join(places, sql` OR `)})`);
  };

  return {
    type,
    order,
    version: rowVersion(table),
    find: byId(() => sql``),
    findAll: (db, ids) => findAll(db, ids),
    lock: byId(({ forUpdate }) => forUpdate),
    hold: async (db, id) => (await selectHeld(db, { id })).length > 0,
    holdAll: ({ db, dialect }, ids) => findAll(db, ids, sql`ORDER BY id ${dialect.forShare}`),
    list: (at, searchFolded) => listOf(matching(at, searchFolded), (ids) => findAll(at.db, ids)),
    async insert(db, values) {
      const [row] = await insertRow(db, toRow(values));
      if (!row) throw new Error(`an insert into ${table} gave no row`);
      return toRecord(row);
    },
    async insertUnlessTaken(db, values, column) {
      const [row] = await insertRow(db, toRow(values), column);
      return row ? toRecord(row) : null;
    },
    update: (db, before, after) => setColumns(db, before.id, differing(toRow(before), toRow(after))),
    setColumns,
    async remove(db, id) {
      await deleteRow(db, { id });
    },
  };
}

/** The fields of `after` whose values differ from `before`. */
function differing<Fields extends object>(before: Fields, after: Fields): Partial<Fields> {
  const changed: Partial<Fields> = {};
  for (const name in after) if (after[name] !== before[name]) changed[name] = after[name];
  return changed;
}

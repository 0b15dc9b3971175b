import { sql } from 'kysely';
import type { At, Db } from '../open.ts';
import type { NewRow, Row } from '../tables.ts';
import { insertInto, statement, updateVersioned } from './statement.ts';

/** Tables whose rows belong to a task and are found by the ids of the task and the row. */
type Table = 'schedules' | 'triggers' | 'hooks';
/** The ids in the path of a row: its task's and its own. */
export type PartPlace = { taskId: number; id: number };

export type TaskPart<T extends Table> = {
  /** In the order of creation. */
  ofTask(db: Db, taskId: number): Promise<Row<T>[]>;
  count(db: Db, taskId: number): Promise<number>;
  find(db: Db, place: PartPlace): Promise<Row<T> | undefined>;
  /** Reads and locks a row against changes by others until this transaction ends. */
  lock(at: At, place: PartPlace): Promise<Row<T> | undefined>;
  /** Returns the new id. */
  insert(db: Db, row: NewRow<T>): Promise<number>;
  /** Also raises the row version. */
  update(db: Db, id: number, changes: Partial<NewRow<T>>): Promise<void>;
  remove(db: Db, id: number): Promise<void>;
};

export function taskPart<T extends Table>(table: T): TaskPart<T> {
  const name = sql.table(table);
  const ofTask = statement<{ taskId: number }, Row<T>>(
    (value) => sql<Row<T>>`SELECT * FROM ${name} WHERE task_id = ${value('taskId')} ORDER BY id`,
  );
  const count = statement<{ taskId: number }, { n: number }>(
    (value) => sql`SELECT count(*) AS n FROM ${name} WHERE task_id = ${value('taskId')}`,
  );
  const find = statement<PartPlace, Row<T>>(
    (value) => sql<Row<T>>`SELECT * FROM ${name} WHERE id = ${value('id')} AND task_id = ${value('taskId')}`,
  );
  const lock = statement<PartPlace, Row<T>>(
    (value, { forUpdate }) => sql<Row<T>>`SELECT * FROM ${name} WHERE id = ${value('id')} AND task_id = ${value('taskId')} ${forUpdate}`,
  );
  const insert = insertInto(table, sql<{ id: number }>`id`);
  const remove = statement<{ id: number }>((value) => sql`DELETE FROM ${name} WHERE id = ${value('id')}`);
  return {
    ofTask: (db, taskId) => ofTask(db, { taskId }),
    count: async (db, taskId) => (await count(db, { taskId }))[0]?.n ?? 0,
    find: async (db, place) => (await find(db, place))[0],
    lock: async ({ db }, place) => (await lock(db, place))[0],
    async insert(db, row) {
      const [made] = await insert(db, row);
      if (!made) throw new Error(`an insert into ${table} gave no row`);
      return made.id;
    },
    update: updateVersioned(table),
    async remove(db, id) {
      await remove(db, { id });
    },
  };
}

import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { statement } from '../../db/statement.ts';
import type { Row } from '../../db/tables.ts';

/**
 * A task with what its current version declares, as JSON; null: none may run. `of_state`: the permissions of the runs that wrote the
 * task's state; null: there is none.
 */
export type GivingRow = { id: number; permissions: string | null; may_start: string | null; of_state: string | null };

/** These tasks and all that their current versions may start, and those in turn, by primary keys: SQLite keeps the order of a CROSS JOIN. */
export function selectGiving(db: Db, taskIds: readonly number[]): Promise<GivingRow[]> {
  return giving(db, { ids: JSON.stringify(taskIds) });
}

const giving = statement<{ ids: string }, GivingRow>(
  (value, dialect) => sql`
    WITH RECURSIVE reached (id) AS (
      SELECT CAST(line AS bigint) FROM ${dialect.linesOf(value('ids'))}
      UNION
      SELECT CAST(elements.value AS bigint) FROM reached
      CROSS JOIN tasks
      JOIN task_versions ON task_versions.id = tasks.current_version_id
      CROSS JOIN ${dialect.elementsOf(sql`task_versions.may_start`)}
      WHERE tasks.id = reached.id
    )
    SELECT tasks.id, task_versions.permissions, task_versions.may_start, task_state_marks.permissions AS of_state
    FROM reached CROSS JOIN tasks
    LEFT JOIN task_versions ON task_versions.id = tasks.current_version_id
    LEFT JOIN task_state_marks ON task_state_marks.task_id = tasks.id
    WHERE tasks.id = reached.id AND tasks.deleted_at IS NULL`,
);

type Readers = Pick<Row<'task_versions'>, 'created_by' | 'approved_by' | 'may_read'>;

/** Who wrote and approved a version or draft, and what they might read. */
export async function selectReaders(db: Db, versionId: number): Promise<Readers | undefined> {
  const [row] = await readers(db, { versionId });
  return row;
}

const readers = statement<{ versionId: number }, Readers>(
  (value) => sql`SELECT created_by, approved_by, may_read FROM task_versions WHERE id = ${value('versionId')}`,
);

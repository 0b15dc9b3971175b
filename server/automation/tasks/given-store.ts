import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { rowStatement, statement } from '../../db/queries/statement.ts';
import type { Row } from '../../db/tables.ts';

/**
 * A task with what its current version declares, as JSON; null: none may run. `of_state`: the permissions of the runs that wrote the
 * task's state; null: there is none. `hook_id`: one of its hooks that give a parameter what they are sent.
 */
export type GivingRow = {
  id: number;
  permissions: string | null;
  may_start: string | null;
  of_state: string | null;
  hook_id: number | null;
};

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
    SELECT tasks.id, task_versions.permissions, task_versions.may_start, task_state_marks.permissions AS of_state,
      (SELECT min(hooks.id) FROM hooks WHERE hooks.task_id = tasks.id AND hooks.parameter IS NOT NULL) AS hook_id
    FROM reached CROSS JOIN tasks
    LEFT JOIN task_versions ON task_versions.id = tasks.current_version_id
    LEFT JOIN task_state_marks ON task_state_marks.task_id = tasks.id
    WHERE tasks.id = reached.id AND tasks.deleted_at IS NULL`,
);

/** A task whose current version may start others, which it gives parameters. */
export type StartingRow = { id: number; may_start: string };

export function selectStarting(db: Db): Promise<StartingRow[]> {
  return starting(db, {});
}

const starting = statement<Record<string, never>, StartingRow>(
  () => sql`
    SELECT tasks.id, task_versions.may_start FROM task_versions
    CROSS JOIN tasks
    WHERE task_versions.may_start <> '[]' AND tasks.id = task_versions.task_id
      AND tasks.current_version_id = task_versions.id AND tasks.deleted_at IS NULL`,
);

type Readers = Pick<Row<'task_versions'>, 'permissions' | 'may_read'>;

/** What a version or draft declares, and what its author and approver might read. */
export const selectReaders = rowStatement<{ versionId: number }, Readers>(
  (value) => sql`SELECT permissions, may_read FROM task_versions WHERE id = ${value('versionId')}`,
);

import type { Generated } from 'kysely';
import { sql } from 'kysely';
import { z } from 'zod';
import { Json } from '../../../contract/run-events.ts';
import { TaskVariable } from '../../../contract/task-variables.ts';
import type { Db } from '../../db/open.ts';
import type { Columns } from '../../db/queries/columns.ts';
import { recordTable } from '../../db/queries/record-table.ts';
import type { Row } from '../../db/tables.ts';

declare module '../../db/tables.ts' {
  interface Database {
    task_variables: Columns<Omit<TaskVariable, 'id' | 'value'>> & { id: Generated<number>; value: string; row_version: Generated<number> };
  }
}

const Stored = TaskVariable.extend({
  value: z
    .string()
    .transform((json): unknown => JSON.parse(json))
    .pipe(Json),
});

function toVariable({ row_version: _, ...row }: Row<'task_variables'>): TaskVariable {
  return Stored.parse(row);
}

export const variables = recordTable('task_variables', {
  type: 'task_variable',
  toRecord: toVariable,
  toRow: ({ value, ...variable }) => ({ ...variable, value: JSON.stringify(value) }),
  search: [],
  order: { name: 'name', type: 'text' },
});

/** All variables, or those of one task, by name; there are at most some hundred. */
export async function selectVariables(db: Db, taskId?: number): Promise<TaskVariable[]> {
  let query = db.selectFrom('task_variables').selectAll();
  if (taskId !== undefined) query = query.where('task_id', '=', taskId);
  return (await query.orderBy('name').orderBy('id').execute()).map(toVariable);
}

/** The scopes and names of all variables. */
export function selectNames(db: Db): Promise<Pick<TaskVariable, 'name' | 'task_id'>[]> {
  return db.selectFrom('task_variables').select(['name', 'task_id']).execute();
}

/** The variable that runs of the task read under this name: its own, else the shop's. */
export async function selectResolved(db: Db, taskId: number, name: string): Promise<TaskVariable | null> {
  const { rows } = await sql<Row<'task_variables'>>`
    SELECT * FROM task_variables WHERE name = ${name} AND coalesce(task_id, 0) IN (0, ${taskId})
    ORDER BY coalesce(task_id, 0) DESC LIMIT 1`.execute(db);
  return rows[0] ? toVariable(rows[0]) : null;
}

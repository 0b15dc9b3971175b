import type { InputOf, ResponseOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { type TaskVariable, VARIABLES_MAX } from '../../../contract/task-variables.ts';
import { changesBetween, given, type OnlyOf } from '../../verbs/changes.ts';
import type { AuditEntry, Ctx } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import { getRecord, lockRecord } from '../../verbs/record-verbs.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { acceptScoped, scopeText } from '../tasks/scope.ts';
import { selectNames, selectResolved, selectVariables, variables } from './store.ts';

export const recordVersions = { task_variable: variables.version } satisfies RecordVersions;

export function listVariables(ctx: Ctx, { query }: InputOf<Endpoints['task_variables.list']>): Promise<TaskVariable[]> {
  return selectVariables(ctx.db, query.task_id);
}

export function getVariable(ctx: Ctx, id: number): Promise<TaskVariable> {
  return getRecord(ctx, variables, id);
}

/** A run gets this answer from its journal when it is resumed, so it sees the same value again. */
export async function resolveVariable(
  ctx: Ctx,
  { params }: InputOf<Endpoints['task_variables.resolve']>,
): Promise<ResponseOf<Endpoints['task_variables.resolve']>> {
  const found = await selectResolved(ctx.db, params.id, params.name);
  if (!found) throw new Refusal('not_found', `There is no variable "${params.name}" of task ${params.id} or of the shop.`);
  return { name: found.name, value: found.value };
}

export async function createVariable(ctx: Ctx, { body }: InputOf<Endpoints['task_variables.create']>): Promise<TaskVariable> {
  body satisfies OnlyOf<typeof body, TaskVariable>;
  const stamps = await acceptScoped(ctx, body, { kind: 'variable', most: VARIABLES_MAX, all: () => selectNames(ctx.db) });
  const variable = await variables.insert(ctx.db, { ...body, ...stamps });
  const { name, task_id, note } = variable;
  tell(ctx, variable, 'created', {
    name: [null, name],
    task_id: [null, task_id],
    note: [null, note],
    size_bytes: [null, sizeOf(variable)],
  });
  return variable;
}

export async function updateVariable(ctx: Ctx, { params, body }: InputOf<Endpoints['task_variables.update']>): Promise<TaskVariable> {
  const before = await lockRecord(ctx, variables, params.id);
  const wanted = given(body);
  const { value, ...changes } = changesBetween(before, wanted);
  const after = { ...before, ...wanted, updated_at: ctx.now };
  tell(ctx, before, 'changed', { ...changes, ...(value ? { size_bytes: [sizeOf(before), sizeOf(after)] } : {}) });
  if (!value && Object.keys(changes).length === 0) return before;
  await variables.update(ctx.db, before, after);
  return after;
}

export async function deleteVariable(ctx: Ctx, id: number): Promise<undefined> {
  const variable = await lockRecord(ctx, variables, id);
  await variables.remove(ctx.db, id);
  const { name, task_id } = variable;
  tell(ctx, variable, 'deleted', { name: [name, null], task_id: [task_id, null], size_bytes: [sizeOf(variable), null] });
}

/** Values are not noted: who reads the audit log need not have the permission to read variables. */
function tell(ctx: Ctx, variable: TaskVariable, what: string, changes: AuditEntry['changes']): void {
  const summary = `Variable ${variable.id} "${variable.name}" of ${scopeText(variable)} ${what}`;
  ctx.audit({ resource: { type: 'task_variable', id: variable.id }, changes, summary });
}

function sizeOf({ value }: Pick<TaskVariable, 'value'>): number {
  return Buffer.byteLength(JSON.stringify(value));
}

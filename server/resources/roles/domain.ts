import type { Role, RoleInput, RolePatch } from '../../../contract/roles.ts';
import { sortKey } from '../../values/texts.ts';
import { given, noteCreated } from '../../verbs/changes.ts';
import type { Ctx } from '../../verbs/context.ts';
import { Refusal, refuseValue } from '../../verbs/problem.ts';
import { changeRecord, deleteRecord, lockRecord } from '../../verbs/record-verbs.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { isNameTaken, roles, selectHolders } from './store.ts';

export const recordVersions = { role: roles.version } satisfies RecordVersions;

export async function createRole(ctx: Ctx, { name, ...wanted }: RoleInput): Promise<Role> {
  const values = { name, description: '', permissions: [], ...given(wanted), created_at: ctx.now, updated_at: ctx.now };
  const role = await roles.insertUnlessTaken(ctx.db, values, 'name_folded');
  if (!role) throw nameTaken(name);
  noteCreated(ctx, 'role', role, name);
  return role;
}

/** Changes a role, and with it what everybody may who has it. */
export async function updateRole(ctx: Ctx, id: number, patch: RolePatch): Promise<Role> {
  const role = await lockRecord(ctx, roles, id);
  if (patch.name !== undefined && (await isNameTaken(ctx.db, sortKey(patch.name), id))) throw nameTaken(patch.name);
  return changeRecord(ctx, roles, role, patch, { updated_at: ctx.now });
}

export async function deleteRole(ctx: Ctx, id: number): Promise<undefined> {
  const role = await lockRecord(ctx, roles, id);
  const holders = await selectHolders(ctx.db, id);
  if (holders.length > 0) {
    const named = holders.slice(0, 10).map((name) => `"${name}"`);
    const more = holders.length > named.length ? ` and ${holders.length - named.length} others` : '';
    throw new Refusal('in_use', `The role "${role.name}" is that of ${named.join(', ')}${more}; give them another one first.`);
  }
  return deleteRecord(ctx, roles, role);
}

/** Refuses (422) a role that does not exist; it cannot be deleted before this transaction ends. */
export async function holdRole(ctx: Ctx, id: number): Promise<void> {
  if (!(await roles.hold(ctx.db, id))) throw refuseValue('role_not_found', '/role_id', `there is no role ${id}`);
}

function nameTaken(name: string): Refusal {
  return refuseValue('duplicate', '/name', `there is already a role with the name "${name}"`);
}

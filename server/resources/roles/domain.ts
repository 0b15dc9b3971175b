import type { Role, RoleInput, RolePatch } from '../../../contract/roles.ts';
import { sortKey } from '../../values/texts.ts';
import { given, noteCreated } from '../../verbs/changes.ts';
import type { Ctx } from '../../verbs/context.ts';
import { Refusal, refuseValue } from '../../verbs/problem.ts';
import { changeRecord, deleteRecord, lockRecord } from '../../verbs/record-verbs.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { requirePasskeys } from '../decisions/policy.ts';
import { isNameTaken, roles, selectHolders } from './store.ts';

export const recordVersions = { role: roles.version } satisfies RecordVersions;

export async function createRole(ctx: Ctx, { name, ...wanted }: RoleInput): Promise<Role> {
  const values = { name, description: '', permissions: [], ...given(wanted), created_at: ctx.now, updated_at: ctx.now };
  const decided = { new_role: { name, permissions: values.permissions } };
  await ctx.decide({ acts: ['change_access'], subject: { type: 'role', id: null }, decided });
  const role = await roles.insertUnlessTaken(ctx.db, values, 'name_folded');
  if (!role) throw nameTaken(name);
  noteCreated(ctx, 'role', role, name);
  return role;
}

/** Changes a role, and with it what everybody may who has it. */
export async function updateRole(ctx: Ctx, id: number, patch: RolePatch): Promise<Role> {
  const role = await lockRecord(ctx, roles, id);
  if (patch.name !== undefined && (await isNameTaken(ctx.db, sortKey(patch.name), id))) throw nameTaken(patch.name);
  const { permissions } = patch;
  const changesRights = permissions !== undefined && JSON.stringify(permissions) !== JSON.stringify(role.permissions);
  if (changesRights) {
    const decided = { role: { id, name: role.name }, changes: { permissions: [role.permissions, permissions] } };
    await ctx.decide({ acts: ['change_access'], subject: { type: 'role', id }, decided });
  }
  const changed = await changeRecord(ctx, roles, role, patch, { updated_at: ctx.now });
  if (changesRights) await requirePasskeys(ctx);
  return changed;
}

export async function deleteRole(ctx: Ctx, id: number): Promise<undefined> {
  const role = await lockRecord(ctx, roles, id);
  const holders = await selectHolders(ctx.db, id);
  if (holders.length > 0) {
    const named = holders.slice(0, 10).map((name) => `"${name}"`);
    const more = holders.length > named.length ? ` and ${holders.length - named.length} others` : '';
    throw new Refusal('in_use', `The role "${role.name}" is that of ${named.join(', ')}${more}; give them another one first.`);
  }
  const decided = { deleted_role: { id, name: role.name, permissions: role.permissions } };
  await ctx.decide({ acts: ['change_access'], subject: { type: 'role', id }, decided });
  return deleteRecord(ctx, roles, role);
}

/**
 * Refuses (422) a role that does not exist; it cannot be deleted before this transaction ends. Returns what a decision to give it says of it.
 */
export async function holdRole(ctx: Ctx, id: number): Promise<Pick<Role, 'id' | 'name' | 'permissions'>> {
  const role = (await roles.hold(ctx.db, id)) ? await roles.find(ctx.db, id) : null;
  if (!role) throw refuseValue('role_not_found', '/role_id', `there is no role ${id}`);
  return { id, name: role.name, permissions: role.permissions };
}

function nameTaken(name: string): Refusal {
  return refuseValue('duplicate', '/name', `there is already a role with the name "${name}"`);
}

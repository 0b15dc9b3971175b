import { z } from 'zod';
import { Role } from '../../../contract/roles.ts';
import type { Db } from '../../db/open.ts';
import { type TableOf, toColumns } from '../../db/queries/columns.ts';
import { recordTable } from '../../db/queries/record-table.ts';
import { takenIn } from '../../db/queries/unique-values.ts';

declare module '../../db/tables.ts' {
  interface Database {
    roles: TableOf<Role, 'name'>;
  }
}

const Stored = Role.extend({
  permissions: z
    .string()
    .transform((json): unknown => JSON.parse(json))
    .pipe(Role.shape.permissions),
});

export const roles = recordTable('roles', {
  type: 'role',
  toRecord: ({ name_folded: _, row_version: __, ...row }): Role => Stored.parse(row),
  toRow: (role) => toColumns(role, ['name']),
  search: ['name_folded'],
  order: { name: 'name_folded', type: 'text' },
});

export const isNameTaken = takenIn('roles', 'name_folded');

/** The names of those who have a role or are invited to have it (a few rows), oldest first. */
export async function selectHolders(db: Db, roleId: number): Promise<string[]> {
  const admins = await db.selectFrom('admins').select(['name', 'email']).where('role_id', '=', roleId).orderBy('id').execute();
  const invited = await db.selectFrom('admin_invitations').select(['name', 'email']).where('role_id', '=', roleId).orderBy('id').execute();
  return [...admins.map(({ name, email }) => name || email), ...invited.map(({ email }) => `${email} (invited)`)];
}

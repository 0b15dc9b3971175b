import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { cursorPageOf, cursorQuery } from './paging.ts';
import { AdminPermissions } from './permissions.ts';
import { Id, Name, Search, Timestamp, text } from './values.ts';

/** A named list of permissions. Admins of the role `staff` that have it may do what it lists, from the next request on after a change. */
export const Role = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    permissions: z.array(z.string()),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Role' });
export type Role = z.infer<typeof Role>;

const optional = { description: text({ max: 500, trim: true }).optional(), permissions: AdminPermissions.optional() };

const RoleInput = z.object({ name: Name, ...optional }).meta({ id: 'RoleInput' });
export type RoleInput = z.infer<typeof RoleInput>;
const RolePatch = z.object({ name: Name.optional(), ...optional }).meta({ id: 'RolePatch' });
export type RolePatch = z.infer<typeof RolePatch>;

const read = 'admin_api.admins.read';
const write = 'admin_api.admins.write';

export const rolesEndpoints = endpointsOf(
  {
    id: 'roles.list',
    method: 'GET',
    path: '/roles',
    summary: 'List the named roles that staff can have, by name; the owner is none of them',
    permission: read,
    query: cursorQuery({ search: Search.optional() }),
    response: cursorPageOf(Role),
  },
  {
    id: 'roles.create',
    method: 'POST',
    path: '/roles',
    summary: 'Create a role',
    decides: true,
    permission: write,
    body: RoleInput,
    status: 201,
    response: Role,
    location: '/roles/{id}',
    refusals: ['duplicate', 'permission_not_grantable'],
  },
  {
    id: 'roles.get',
    method: 'GET',
    path: '/roles/{id}',
    summary: 'Get a role',
    permission: read,
    record: 'role',
    response: Role,
  },
  {
    id: 'roles.update',
    method: 'PATCH',
    path: '/roles/{id}',
    summary: 'Change a role; whoever has it may do what it lists now from the next request on',
    decides: true,
    permission: write,
    record: 'role',
    body: RolePatch,
    response: Role,
    refusals: ['duplicate', 'permission_not_grantable', 'precondition_failed', 'passkey_missing'],
  },
  {
    id: 'roles.delete',
    method: 'DELETE',
    path: '/roles/{id}',
    summary: 'Delete a role that nobody has',
    decides: true,
    permission: write,
    record: 'role',
    status: 204,
    refusals: ['in_use', 'precondition_failed'],
  },
);

import { getRecord, listRecords } from '../../verbs/record-verbs.ts';
import { type Routes, read, recheckingAccess, write } from '../../verbs/route.ts';
import { createRole, deleteRole, updateRole } from './domain.ts';
import { roles } from './store.ts';

export const rolesRoutes = {
  'roles.list': read((ctx, { query }) => listRecords(ctx, roles, query)),
  'roles.create': write((ctx, { body }) => createRole(ctx, body)),
  'roles.get': read((ctx, { params }) => getRecord(ctx, roles, params.id)),
  'roles.update': write((ctx, { params, body }) => recheckingAccess(ctx, updateRole(ctx, params.id, body))),
  'roles.delete': write((ctx, { params }) => deleteRole(ctx, params.id)),
} satisfies Partial<Routes>;

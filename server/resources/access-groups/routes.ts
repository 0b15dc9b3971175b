import { type Routes, read, write } from '../../verbs/route.ts';
import { membersOf } from '../entitlements/domain.ts';
import { listAssignments, replaceAssignments } from './assignments.ts';
import * as groups from './domain.ts';
import { createGrant, createGrants, revokeGrant } from './manual-grants.ts';

/** The answer has all members of a group, and their number has no limit. */
const isHeavy = () => true;

export const accessGroupsRoutes = {
  'access_groups.list': read((ctx) => groups.listGroups(ctx)),
  'access_groups.create': write((ctx, { body }) => groups.createGroup(ctx, body)),
  'access_groups.get': read((ctx, { params }) => groups.getGroup(ctx, params.id), { isHeavy }),
  'access_groups.update': write((ctx, { params, body }) => groups.updateGroup(ctx, params.id, body)),
  'access_groups.delete': write((ctx, { params }) => groups.deleteGroup(ctx, params.id)),
  'access_groups.replace_files': write((ctx, { params, body }) => groups.replaceFiles(ctx, params.id, body.file_ids)),
  'access_groups.replace_pages': write((ctx, { params, body }) => groups.replacePages(ctx, params.id, body.page_ids)),
  'access_groups.list_members': read((ctx, { params }) => membersOf(ctx, { groupId: params.id }), { isHeavy }),
  'access_groups.create_grant': write((ctx, { params, body }) => createGrant(ctx, params.id, body)),
  'access_groups.create_grants': write((ctx, { params, body }) => createGrants(ctx, params.id, body)),
  'access_groups.revoke_grant': write((ctx, { params }) => revokeGrant(ctx, params.grant_id)),
  'products.list_access_groups': read((ctx, { params }) => listAssignments(ctx, params.id)),
  'products.replace_access_groups': write((ctx, { params, body }) => replaceAssignments(ctx, params.id, body)),
  'customers.list_access_groups': read((ctx, { params }) => membersOf(ctx, { customerId: params.id })),
} satisfies Partial<Routes>;

import type { Handlers, HeavyReads } from '../../http/handlers.ts';
import { membersOf } from '../entitlements/domain.ts';
import { listAssignments, replaceAssignments } from './assignments.ts';
import * as groups from './domain.ts';
import { createGrant, revokeGrant } from './grants.ts';

export const accessGroupsRoutes: Handlers = {
  'access_groups.list': (ctx) => groups.listGroups(ctx),
  'access_groups.create': (ctx, { body }) => groups.createGroup(ctx, body),
  'access_groups.get': (ctx, { params }) => groups.getGroup(ctx, params.id),
  'access_groups.update': (ctx, { params, body }) => groups.updateGroup(ctx, params.id, body),
  'access_groups.delete': (ctx, { params }) => groups.deleteGroup(ctx, params.id),
  'access_groups.replace_files': (ctx, { params, body }) => groups.replaceFiles(ctx, params.id, body.file_ids),
  'access_groups.replace_pages': (ctx, { params, body }) => groups.replacePages(ctx, params.id, body.page_ids),
  'access_groups.list_members': (ctx, { params }) => membersOf(ctx, { groupId: params.id }),
  'access_groups.create_grant': (ctx, { params, body }) => createGrant(ctx, params.id, body),
  'access_groups.revoke_grant': (ctx, { params }) => revokeGrant(ctx, params.grant_id),
  'products.list_access_groups': (ctx, { params }) => listAssignments(ctx, params.id),
  'products.replace_access_groups': (ctx, { params, body }) => replaceAssignments(ctx, params.id, body),
  'customers.list_access_groups': (ctx, { params }) => membersOf(ctx, { customerId: params.id }),
};

/** A group may have any number of members, and they are all shown. */
export const heavyAccessGroups: HeavyReads = {
  'access_groups.get': () => true,
  'access_groups.list_members': () => true,
};

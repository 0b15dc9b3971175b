import type { AccessGrant } from '../../../contract/access-groups.ts';
import type { BodyOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { changesBetween } from '../../verbs/changes.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { notFound, refuseValue } from '../../verbs/problem.ts';
import { holdCustomer } from '../customers/domain.ts';
import { entitleByGrant, refresh } from '../entitlements/domain.ts';
import { lockGroup } from './domain.ts';
import * as store from './store.ts';

/**
 * Grants a customer access to a group. A customer may have several grants to one group, and `expires_at` may be in the past
 * (spec AG14, C9).
 */
export async function createGrant(
  ctx: Ctx,
  groupId: number,
  { customer_id, expires_at, note = null, ...rest }: BodyOf<Endpoints['access_groups.create_grant']>,
): Promise<AccessGrant> {
  rest satisfies Record<string, never>;
  if (!(await holdCustomer(ctx, customer_id))) {
    throw refuseValue('customer_not_found', '/customer_id', `there is no customer ${customer_id}`);
  }
  const group = await lockGroup(ctx, groupId);
  const grant = await grantTo(ctx, group, { customer_id, expires_at, note });
  await store.raiseVersions(ctx.db, [groupId]);
  return grant;
}

/** Grants many customers access at once; one who does not exist is told by code. The group is locked last, as for one customer. */
export async function createGrants(
  ctx: Ctx,
  groupId: number,
  { customer_ids, expires_at, note = null, ...rest }: BodyOf<Endpoints['access_groups.create_grants']>,
) {
  rest satisfies Record<string, never>;
  const known = new Set<number>();
  for (const id of customer_ids.toSorted((a, b) => a - b)) if (await holdCustomer(ctx, id)) known.add(id);
  const group = await lockGroup(ctx, groupId);
  const results: { id: number; grant_id: number | null; code?: string }[] = [];
  for (const id of customer_ids) {
    if (known.has(id)) results.push({ id, grant_id: (await grantTo(ctx, group, { customer_id: id, expires_at, note })).id });
    else results.push({ id, grant_id: null, code: 'customer_not_found' });
  }
  if (known.size > 0) await store.raiseVersions(ctx.db, [groupId]);
  else
    ctx.audit({
      resource: { type: 'access_group', id: groupId },
      changes: {},
      summary: `Group ${groupId}: no customer was granted access`,
    });
  return { results };
}

type Given = { customer_id: number; expires_at: string | null; note: string | null };

async function grantTo(ctx: Ctx, group: { id: number; name: string }, { customer_id, expires_at, note }: Given): Promise<AccessGrant> {
  const groupId = group.id;
  const grant = await store.insertGrant(ctx.db, {
    ...{ customer_id, expires_at, note },
    group_id: groupId,
    granted_by: actingAdmin(ctx).adminId,
    created_at: ctx.now,
  });
  await entitleByGrant(ctx, { id: grant.id, group_id: groupId, customer_id, expires_at });
  const values = { customer_id, group_id: groupId, expires_at, note };
  ctx.audit({
    resource: { type: 'access_grant', id: grant.id },
    customerId: customer_id,
    changes: changesBetween({ customer_id: null, group_id: null, expires_at: null, note: null }, values),
    summary: `Customer ${customer_id}: access to group ${groupId} "${group.name}" granted, ${expires_at ? `until ${expires_at}` : 'for life'}`,
  });
  return grant;
}

/** Revokes a grant; access by orders and subscriptions stays. */
export async function revokeGrant(ctx: Ctx, id: number): Promise<undefined> {
  const grant = await store.selectGrant(ctx.db, id);
  if (!grant) throw notFound('access grant', id);
  const { customer_id, group_id, expires_at, note } = grant;
  const group = await lockGroup(ctx, group_id);
  if (!(await store.deleteGrant(ctx.db, id))) throw notFound('access grant', id);
  await refresh(ctx, [grant]);
  await store.raiseVersions(ctx.db, [group_id]);
  ctx.audit({
    resource: { type: 'access_grant', id },
    customerId: customer_id,
    changes: changesBetween(
      { customer_id, group_id, expires_at, note },
      { customer_id: null, group_id: null, expires_at: null, note: null },
    ),
    summary: `Customer ${customer_id}: grant ${id} of access to group ${group_id} "${group.name}" revoked`,
  });
}

export async function forgetGrantNotes(ctx: Ctx, customerId: number): Promise<void> {
  await store.clearGrantNotes(ctx.db, customerId);
}

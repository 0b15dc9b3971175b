import type { DiscountGroup, DiscountGroupInput, DiscountGroupPatch } from '../../../contract/discount-groups.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { fold } from '../../../contract/values.ts';
import { noteCreated, noteDeleted } from '../../verbs/changes.ts';
import type { Ctx } from '../../verbs/context.ts';
import { listPage } from '../../verbs/list-pages.ts';
import { changeRecord, getRecord, lockRecord } from '../../verbs/record-verbs.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import * as store from './store.ts';
import { groups } from './store.ts';

export const recordVersions = {
  discount_group: {
    version: groups.version,
    derived: async ({ db }, { id }) => ({ member_count: await store.countMembersOf(db, Number(id)) }),
  },
} satisfies RecordVersions;

/** The discount of a customer's group in basis points of each unit price; 0 unless the customer is a business (spec CU8). */
export async function groupDiscountOf(ctx: Ctx, customerId: number | null): Promise<number> {
  if (customerId === null) return 0;
  return (await store.selectDiscountOf(ctx.db, customerId))?.percent_bps ?? 0;
}

/** Whether the group exists; locks the row, so that the group stays until the transaction ends. */
export function holdDiscountGroup(ctx: Ctx, id: number): Promise<boolean> {
  return groups.hold(ctx.db, id);
}

export async function hasDiscountGroup(ctx: Ctx, id: number): Promise<boolean> {
  return (await groups.find(ctx.db, id)) !== null;
}

export function listDiscountGroups(ctx: Ctx, query: InputOf<Endpoints['discount_groups.list']>['query']) {
  return listPage(query, groups.order, store.countedGroups(ctx, fold(query.search ?? '')));
}

export async function getDiscountGroup(ctx: Ctx, id: number): Promise<DiscountGroup> {
  return { ...(await getRecord(ctx, groups, id)), member_count: await store.countMembersOf(ctx.db, id) };
}

export async function createDiscountGroup(ctx: Ctx, wanted: DiscountGroupInput): Promise<DiscountGroup> {
  const group = await groups.insert(ctx.db, { ...wanted, created_at: ctx.now, updated_at: ctx.now });
  noteCreated(ctx, 'discount_group', { id: group.id, ...wanted }, group.name);
  return { ...group, member_count: 0 };
}

export async function updateDiscountGroup(ctx: Ctx, id: number, patch: DiscountGroupPatch): Promise<DiscountGroup> {
  const group = await lockRecord(ctx, groups, id);
  const changed = await changeRecord(ctx, groups, group, patch, { updated_at: ctx.now });
  return { ...changed, member_count: await store.countMembersOf(ctx.db, id) };
}

/** Deletes a group; its members are then in no group. */
export async function deleteDiscountGroup(ctx: Ctx, id: number): Promise<undefined> {
  const { created_at: _, updated_at: __, ...values } = await lockRecord(ctx, groups, id);
  const cleared = await store.clearMembers(ctx.db, id, ctx.now);
  await groups.remove(ctx.db, id);
  noteDeleted(ctx, 'discount_group', { ...values, member_count: cleared }, values.name);
}

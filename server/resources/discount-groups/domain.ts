import type { DiscountGroup, DiscountGroupInput, DiscountGroupPatch, discountGroupsList } from '../../../contract/discount-groups.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import { fold } from '../../../contract/values.ts';
import { changesBetween, given, noteChanged, noteCreated, noteDeleted } from '../../changes.ts';
import type { Ctx } from '../../context.ts';
import { rowVersion } from '../../db/row-version.ts';
import { listPage } from '../../pages.ts';
import { notFound } from '../../problem.ts';
import type { RecordVersions } from '../../record-versions.ts';
import * as store from './store.ts';

export const recordVersions: RecordVersions = {
  discount_group: {
    version: rowVersion('discount_groups'),
    derived: async ({ db }, { id }) => ({ member_count: (await store.countMembers(db, [Number(id)])).get(Number(id)) ?? 0 }),
  },
};

/** Basis points off each unit price for a customer: those of their group while they are a business (decisions.md CU8). */
export async function groupDiscountOf(ctx: Ctx, customerId: number | null): Promise<number> {
  if (customerId === null) return 0;
  return (await store.selectDiscountOf(ctx.db, customerId))?.percent_bps ?? 0;
}

/** Whether customers may be put into it; it stays until the transaction ends. */
export function holdDiscountGroup(ctx: Ctx, id: number): Promise<boolean> {
  return store.holdGroup(ctx, id);
}

export function listDiscountGroups(ctx: Ctx, query: InputOf<typeof discountGroupsList>['query']) {
  return listPage(query, { name: 'name_folded', type: 'text' }, store.discountGroups(ctx, fold(query.search ?? '')));
}

export async function getDiscountGroup(ctx: Ctx, id: number): Promise<DiscountGroup> {
  const group = await store.selectGroup(ctx.db, id);
  if (!group) throw notFound('discount group', id);
  return group;
}

export async function createDiscountGroup(ctx: Ctx, wanted: DiscountGroupInput): Promise<DiscountGroup> {
  const group = await store.insertGroup(ctx.db, { ...wanted, created_at: ctx.now, updated_at: ctx.now });
  noteCreated(ctx, 'discount_group', { id: group.id, ...wanted }, group.name);
  return { ...group, member_count: 0 };
}

export async function updateDiscountGroup(ctx: Ctx, id: number, patch: DiscountGroupPatch): Promise<DiscountGroup> {
  const group = await store.lockGroup(ctx, id);
  if (!group) throw notFound('discount group', id);
  const wanted = given(patch);
  const changes = changesBetween(group, wanted);
  noteChanged(ctx, 'discount_group', id, changes);
  if (Object.keys(changes).length === 0) return group;
  await store.updateGroup(ctx.db, id, { ...wanted, updated_at: ctx.now });
  return { ...group, ...wanted, updated_at: ctx.now };
}

/** Its members are then in no group. */
export async function deleteDiscountGroup(ctx: Ctx, id: number): Promise<undefined> {
  const group = await store.lockGroup(ctx, id);
  if (!group) throw notFound('discount group', id);
  const { created_at: _, updated_at: __, ...values } = group;
  const cleared = await store.clearMembers(ctx.db, id, ctx.now);
  await store.deleteGroup(ctx.db, id);
  noteDeleted(ctx, 'discount_group', { ...values, member_count: cleared }, group.name);
}

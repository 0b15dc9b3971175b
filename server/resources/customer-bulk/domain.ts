import type { CustomerBulkPreview } from '../../../contract/customer-bulk.ts';
import type { BodyOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { Ctx } from '../../verbs/context.ts';
import { refuseValue } from '../../verbs/problem.ts';
import { adjustCredits } from '../credits/domain.ts';
import { updateB2b } from '../customers/domain.ts';
import { hasDiscountGroup, holdDiscountGroup } from '../discount-groups/domain.ts';
import * as store from './store.ts';

/** What is done to many customers in one transaction, with an outcome for each; one that is refused stays as it was (spec CU15). */

type Change = BodyOf<Endpoints['customers.preview_bulk']>['change'];

/** What a change would do to the customers, as they are now. */
export async function previewBulk(
  ctx: Ctx,
  { customer_ids: ids, change }: BodyOf<Endpoints['customers.preview_bulk']>,
): Promise<CustomerBulkPreview> {
  if (change.kind === 'discount_group')
    await requireGroup(change.discount_group_id, (id) => hasDiscountGroup(ctx, id), '/change/discount_group_id');
  const customers = [...(await store.selectChosen(ctx, ids, ctx.now)).values()];
  const living = customers.filter((customer) => customer.anonymised_at === null);
  const changing = living.filter((customer) => isChanged(customer, change));
  const insufficient = living.filter((customer) => refusalOf(customer, change) === 'insufficient_credit').length;
  const isGroup = change.kind === 'discount_group';
  const isGiven = isGroup && change.discount_group_id !== null;
  const value = isGroup ? 0 : changing.length * Math.abs(change.delta) * ctx.settings.credit_value_minor;
  return {
    changing: changing.length,
    unchanged: living.length - changing.length - insufficient,
    missing: ids.length - customers.length,
    deleted: customers.length - living.length,
    other_group: isGiven ? changing.filter(({ discount_group_id }) => isOther(discount_group_id, change.discount_group_id)).length : 0,
    new_businesses: isGiven ? changing.filter(({ is_b2b }) => !is_b2b).length : 0,
    insufficient,
    value_cents: Math.min(value, Number.MAX_SAFE_INTEGER),
  };
}

const isOther = (now: number | null, then: number | null): boolean => now !== null && now !== then;

function isChanged(customer: store.Chosen, change: Change): boolean {
  if (change.kind === 'credits') return refusalOf(customer, change) === null;
  const { discount_group_id: groupId } = change;
  return customer.discount_group_id !== groupId || (groupId !== null && !customer.is_b2b);
}

/** Why the customer would not be changed; null: nothing speaks against it. */
function refusalOf(customer: store.Chosen | undefined, change: Change): string | null {
  if (!customer) return 'customer_not_found';
  if (customer.anonymised_at !== null) return 'customer_deleted';
  return change.kind === 'credits' && customer.credits < -change.delta ? 'insufficient_credit' : null;
}

async function requireGroup(id: number | null, exists: (id: number) => Promise<boolean>, pointer: string): Promise<void> {
  if (id !== null && !(await exists(id))) throw refuseValue('discount_group_not_found', pointer, `there is no discount group ${id}`);
}

export async function setDiscountGroups(
  ctx: Ctx,
  { customer_ids: ids, discount_group_id }: BodyOf<Endpoints['customers.bulk_discount_group']>,
) {
  await requireGroup(discount_group_id, (id) => holdDiscountGroup(ctx, id), '/discount_group_id');
  return each(ctx, ids, { kind: 'discount_group', discount_group_id }, ({ id, is_b2b }) =>
    updateB2b(ctx, id, { is_b2b: is_b2b || discount_group_id !== null, discount_group_id }),
  );
}

export function adjustAllCredits(ctx: Ctx, { customer_ids: ids, ...adjustment }: BodyOf<Endpoints['customers.bulk_credits']>) {
  return each(ctx, ids, { kind: 'credits', delta: adjustment.delta }, ({ id }) => adjustCredits(ctx, id, adjustment));
}

/** Does it to each of the customers to whom it can be done. */
async function each(ctx: Ctx, ids: readonly number[], change: Change, work: (customer: store.Chosen) => Promise<unknown>) {
  await store.lockChosen(ctx, ids);
  const customers = await store.selectChosen(ctx, ids, ctx.now);
  const results: { id: number; code?: string }[] = [];
  for (const id of ids) {
    const customer = customers.get(id);
    const code = refusalOf(customer, change);
    if (customer && code === null) await work(customer);
    results.push(code === null ? { id } : { id, code });
  }
  if (results.every(({ code }) => code !== undefined)) {
    ctx.audit({ resource: { type: 'customer', id: null }, changes: {}, summary: `Customers: none of ${ids.length} was changed` });
  }
  return { results };
}

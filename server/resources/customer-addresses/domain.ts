import type { CustomerAddress } from '../../../contract/customers.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { changesBetween, given, noteChanged, noteCreated, noteDeleted } from '../../verbs/changes.ts';
import type { Ctx } from '../../verbs/context.ts';
import { notFound } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { lockCustomer, lockUnraised } from '../customers/domain.ts';
import * as store from './store.ts';

export const recordVersions = {
  // An address has the version of its customer, which a change to it raises.
  customer_address: (db, { id, address_id }) => store.selectVersion(db, Number(id), Number(address_id)),
} satisfies RecordVersions;

export async function createAddress(
  ctx: Ctx,
  customerId: number,
  body: InputOf<Endpoints['customers.create_address']>['body'],
): Promise<CustomerAddress> {
  await lockCustomer(ctx, customerId);
  if (body.is_default) await store.clearDefault(ctx.db, customerId, body.address_type);
  const address = await store.insertAddress(ctx.db, customerId, body);
  noteCreated(ctx, 'customer_address', address, address.line1, customerId);
  return address;
}

export async function updateAddress(
  ctx: Ctx,
  customerId: number,
  id: number,
  body: InputOf<Endpoints['customers.update_address']>['body'],
): Promise<CustomerAddress> {
  await lockUnraised(ctx, customerId);
  const before = await addressOf(ctx, customerId, id);
  const after = { ...before, ...given(body) };
  const changes = changesBetween(before, after);
  if (Object.keys(changes).length > 0) {
    await lockCustomer(ctx, customerId);
    if (after.is_default) await store.clearDefault(ctx.db, customerId, after.address_type);
    const { id: _, ...values } = after;
    await store.updateAddress(ctx.db, id, values);
  }
  noteChanged(ctx, 'customer_address', id, changes, customerId);
  return after;
}

export async function deleteAddress(ctx: Ctx, customerId: number, id: number): Promise<undefined> {
  await lockCustomer(ctx, customerId);
  const address = await addressOf(ctx, customerId, id);
  await store.deleteAddress(ctx.db, id);
  noteDeleted(ctx, 'customer_address', address, address.line1, customerId);
}

async function addressOf(ctx: Ctx, customerId: number, id: number): Promise<CustomerAddress> {
  const address = await store.selectAddress(ctx.db, customerId, id);
  if (!address) throw notFound('customer address', id);
  return address;
}

export async function deleteAddresses(ctx: Ctx, customerId: number): Promise<void> {
  await store.deleteAddresses(ctx.db, customerId);
}

import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { InternalOrderStatus, InternalOrderStatusInput, InternalOrderStatusPatch } from '../../../contract/order-statuses.ts';
import { fold } from '../../../contract/values.ts';
import { nextSortOrder } from '../../db/queries/sort-order.ts';
import { sortKey } from '../../values/texts.ts';
import { noteCreated, noteDeleted } from '../../verbs/changes.ts';
import type { Ctx } from '../../verbs/context.ts';
import { listPage } from '../../verbs/list-pages.ts';
import { Refusal, refuseParameter, refuseValue } from '../../verbs/problem.ts';
import { changeRecord, getRecord, lockRecord } from '../../verbs/record-verbs.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import * as store from './store.ts';
import { statuses } from './store.ts';

export const recordVersions = {
  order_status: {
    version: statuses.version,
    derived: async ({ db }, { id }) => ({ order_count: await store.countOrdersOf(db, Number(id)) }),
  },
} satisfies RecordVersions;

export function listOrderStatuses(ctx: Ctx, query: InputOf<Endpoints['order_statuses.list']>['query']) {
  return listPage(query, statuses.order, store.countedStatuses(ctx, fold(query.search ?? '')));
}

export async function getOrderStatus(ctx: Ctx, id: number): Promise<InternalOrderStatus> {
  return { ...(await getRecord(ctx, statuses, id)), order_count: await store.countOrdersOf(ctx.db, id) };
}

export async function createOrderStatus(ctx: Ctx, wanted: InternalOrderStatusInput): Promise<InternalOrderStatus> {
  const sort_order = wanted.sort_order ?? (await nextSortOrder(ctx.db, 'order_statuses'));
  const status = await statuses.insertUnlessTaken(ctx.db, { ...wanted, sort_order }, 'name_folded');
  if (!status) throw nameTaken(wanted.name);
  noteCreated(ctx, 'order_status', status, status.name);
  return { ...status, order_count: 0 };
}

export async function updateOrderStatus(ctx: Ctx, id: number, patch: InternalOrderStatusPatch): Promise<InternalOrderStatus> {
  const status = await lockRecord(ctx, statuses, id);
  if (patch.name !== undefined && (await store.isNameTaken(ctx.db, sortKey(patch.name), id))) throw nameTaken(patch.name);
  return { ...(await changeRecord(ctx, statuses, status, patch)), order_count: await store.countOrdersOf(ctx.db, id) };
}

/** Deletes a status. If orders have it, the caller must say which status they get instead. */
export async function deleteOrderStatus(
  ctx: Ctx,
  id: number,
  { reassign_to: toId, clear }: InputOf<Endpoints['order_statuses.delete']>['query'],
): Promise<undefined> {
  if (clear && toId !== undefined) throw refuseParameter('invalid_value', 'clear', 'cannot be given together with reassign_to');
  if (toId === id) throw refuseParameter('invalid_value', 'reassign_to', 'must be another status');
  if (toId !== undefined && !(await statuses.hold(ctx.db, toId))) {
    throw refuseParameter('internal_status_not_found', 'reassign_to', `there is no internal status ${toId}`);
  }
  const status = { ...(await lockRecord(ctx, statuses, id)), order_count: await store.countOrdersOf(ctx.db, id) };
  if (status.order_count > 0) {
    if (toId === undefined && !clear) {
      const advice = 'send reassign_to=<id> to give them another status, or clear=true to give them none';
      throw new Refusal('in_use', `${status.order_count} orders have the status "${status.name}": ${advice}.`);
    }
    await store.moveOrders(ctx.db, id, toId ?? null, ctx.now);
  }
  await statuses.remove(ctx.db, id);
  noteDeleted(ctx, 'order_status', { ...status, ...(toId === undefined ? {} : { reassigned_to: toId }) }, status.name);
}

/** Whether the status exists; locks the row, so that the status stays until the transaction ends. */
export function holdOrderStatus(ctx: Ctx, id: number): Promise<boolean> {
  return statuses.hold(ctx.db, id);
}

function nameTaken(name: string): Refusal {
  return refuseValue('duplicate', '/name', `there is already a status "${name}"`);
}

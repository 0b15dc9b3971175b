import type { InputOf } from '../../../contract/endpoint.ts';
import type {
  InternalOrderStatus,
  InternalOrderStatusInput,
  InternalOrderStatusPatch,
  orderStatusesDelete,
  orderStatusesList,
} from '../../../contract/order-statuses.ts';
import { fold } from '../../../contract/values.ts';
import { changesBetween, given, noteChanged, noteCreated, noteDeleted } from '../../changes.ts';
import type { Ctx } from '../../context.ts';
import { rowVersion } from '../../db/row-version.ts';
import { listPage } from '../../pages.ts';
import { notFound, Refusal, refuseParameter, refuseValue } from '../../problem.ts';
import type { RecordVersions } from '../../record-versions.ts';
import * as store from './store.ts';

export const recordVersions: RecordVersions = {
  order_status: {
    version: rowVersion('order_statuses'),
    derived: async ({ db }, { id }) => ({ order_count: (await store.countOrdersByStatus(db, [Number(id)])).get(Number(id)) ?? 0 }),
  },
};

export function listOrderStatuses(ctx: Ctx, query: InputOf<typeof orderStatusesList>['query']) {
  return listPage(query, { name: 'sort_order', type: 'integer' }, store.orderStatuses(ctx, fold(query.search ?? '')));
}

export async function getOrderStatus(ctx: Ctx, id: number): Promise<InternalOrderStatus> {
  const [status] = await store.selectStatuses(ctx.db, [id]);
  if (!status) throw notFound('order status', id);
  return status;
}

export async function createOrderStatus(ctx: Ctx, { name, color, sort_order }: InternalOrderStatusInput): Promise<InternalOrderStatus> {
  const sortOrder = sort_order ?? Math.min((await store.selectLastSortOrder(ctx.db)) + 1, Number.MAX_SAFE_INTEGER);
  const status = await store.insertStatus(ctx.db, { name, color, sort_order: sortOrder, name_folded: fold(name) });
  if (!status) throw nameTaken(name);
  noteCreated(ctx, 'order_status', status, name);
  return { ...status, order_count: 0 };
}

export async function updateOrderStatus(ctx: Ctx, id: number, patch: InternalOrderStatusPatch): Promise<InternalOrderStatus> {
  const status = await lock(ctx, id);
  const wanted = given(patch);
  if (wanted.name !== undefined && (await store.isNameTaken(ctx.db, fold(wanted.name), id))) throw nameTaken(wanted.name);
  const changes = changesBetween(status, wanted);
  if (Object.keys(changes).length > 0) await store.updateStatus(ctx.db, id, wanted);
  noteChanged(ctx, 'order_status', id, changes);
  return { ...status, ...wanted };
}

/** One that orders have goes only where the caller says what becomes of them. */
export async function deleteOrderStatus(
  ctx: Ctx,
  id: number,
  { reassign_to: toId, clear }: InputOf<typeof orderStatusesDelete>['query'],
): Promise<undefined> {
  if (clear && toId !== undefined) throw refuseParameter('invalid_value', 'clear', 'not together with reassign_to');
  if (toId === id) throw refuseParameter('invalid_value', 'reassign_to', 'must be another status');
  if (toId !== undefined && !(await store.lockStatus(ctx, toId))) {
    throw refuseParameter('internal_status_not_found', 'reassign_to', `there is no internal status ${toId}`);
  }
  const status = await lock(ctx, id);
  if (status.order_count > 0) {
    if (toId === undefined && !clear) {
      const advice = 'send reassign_to=<id> to give them another status, or clear=true to give them none';
      throw new Refusal('in_use', `${status.order_count} orders have the status "${status.name}": ${advice}.`);
    }
    await store.moveOrders(ctx.db, id, toId ?? null, ctx.now);
  }
  await store.deleteStatus(ctx.db, id);
  noteDeleted(ctx, 'order_status', { ...status, ...(toId === undefined ? {} : { reassigned_to: toId }) }, status.name);
}

/** Whether orders may take it; it stays until the transaction ends. */
export function holdOrderStatus(ctx: Ctx, id: number): Promise<boolean> {
  return store.lockStatus(ctx, id);
}

async function lock(ctx: Ctx, id: number): Promise<InternalOrderStatus> {
  const status = await store.lockForChange(ctx, id);
  if (!status) throw notFound('order status', id);
  return status;
}

function nameTaken(name: string): Refusal {
  return refuseValue('duplicate', '/name', `there is already a status "${name}"`);
}

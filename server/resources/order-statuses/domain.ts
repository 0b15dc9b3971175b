import type { InputOf } from '../../../contract/endpoint.ts';
import type { InternalOrderStatus, orderStatusesCreate, orderStatusesList } from '../../../contract/order-statuses.ts';
import { fold } from '../../../contract/values.ts';
import type { Ctx } from '../../context.ts';
import type { SortColumn } from '../../db/keyset.ts';
import { pageForm, readingOf } from '../../pages.ts';
import { refuseValue } from '../../problem.ts';
import type { RecordVersions } from '../../record-versions.ts';
import * as store from './store.ts';

export const recordVersions: RecordVersions = {
  order_status: (db, { id }) => store.selectStatusVersion(db, Number(id)),
};

const sortColumns: Record<string, SortColumn> = { sort_order: { name: 'sort_order', type: 'integer' } };

export async function listOrderStatuses(ctx: Ctx, query: InputOf<typeof orderStatusesList>['query']) {
  const searchFolded = fold(query.search ?? '');
  const reading = readingOf(query, 'sort_order', sortColumns);
  const keys = await store.selectStatusKeys(ctx, searchFolded, reading);
  const total = await store.countStatuses(ctx, searchFolded);
  const ids = keys.map(({ id }) => id);
  const statuses = await store.selectStatuses(ctx.db, ids);
  const counts = await store.countOrdersByStatus(ctx.db, ids);
  const rows = statuses.map((status) => ({ ...status, order_count: counts.get(status.id) ?? 0 }));
  return pageForm(reading, total, keys, rows);
}

export async function createOrderStatus(ctx: Ctx, body: InputOf<typeof orderStatusesCreate>['body']): Promise<InternalOrderStatus> {
  const sortOrder = body.sort_order ?? (await store.selectLastSortOrder(ctx.db)) + 1;
  const wanted = { name: body.name, color: body.color, sort_order: sortOrder };
  const status = await store.insertStatus(ctx.db, { ...wanted, name_folded: fold(body.name) });
  if (!status) throw refuseValue('duplicate', '/name', `there is already a status "${body.name}"`);
  ctx.audit({
    resource: { type: 'order_status', id: status.id },
    changes: { name: [null, status.name], color: [null, status.color], sort_order: [null, status.sort_order] },
    summary: `Order status ${status.id} "${status.name}" created`,
  });
  return { ...status, order_count: 0 };
}

/** Whether orders may take it; it stays until the transaction ends. */
export function holdOrderStatus(ctx: Ctx, id: number): Promise<boolean> {
  return store.lockStatus(ctx, id);
}

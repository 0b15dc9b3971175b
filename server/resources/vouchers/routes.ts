import { getRecord, listRecords } from '../../verbs/record-verbs.ts';
import { isSearch, type Routes, read, write } from '../../verbs/route.ts';
import { createVoucher, deleteVoucher, updateVoucher } from './domain.ts';
import { vouchers } from './store.ts';

export const vouchersRoutes = {
  'vouchers.list': read((ctx, { query }) => listRecords(ctx, vouchers, query), { isHeavy: isSearch }),
  'vouchers.create': write((ctx, { body }) => createVoucher(ctx, body)),
  'vouchers.get': read((ctx, { params }) => getRecord(ctx, vouchers, params.id)),
  'vouchers.update': write((ctx, { params, body }) => updateVoucher(ctx, params.id, body)),
  'vouchers.delete': write((ctx, { params }) => deleteVoucher(ctx, params.id)),
} satisfies Partial<Routes>;

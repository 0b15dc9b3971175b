import { isSearch, type Routes, read, write } from '../../verbs/route.ts';
import * as vouchers from './domain.ts';

export const vouchersRoutes = {
  'vouchers.list': read((ctx, { query }) => vouchers.listVouchers(ctx, query), { isHeavy: isSearch }),
  'vouchers.create': write((ctx, { body }) => vouchers.createVoucher(ctx, body)),
  'vouchers.get': read((ctx, { params }) => vouchers.getVoucher(ctx, params.id)),
  'vouchers.update': write((ctx, { params, body }) => vouchers.updateVoucher(ctx, params.id, body)),
  'vouchers.delete': write((ctx, { params }) => vouchers.deleteVoucher(ctx, params.id)),
} satisfies Partial<Routes>;

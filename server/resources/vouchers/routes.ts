import type { Handlers } from '../../http/handlers.ts';
import * as vouchers from './domain.ts';

export const vouchersRoutes: Handlers = {
  'vouchers.list': (ctx, { query }) => vouchers.listVouchers(ctx, query),
  'vouchers.create': (ctx, { body }) => vouchers.createVoucher(ctx, body),
  'vouchers.get': (ctx, { params }) => vouchers.getVoucher(ctx, params.id),
  'vouchers.update': (ctx, { params, body }) => vouchers.updateVoucher(ctx, params.id, body),
  'vouchers.delete': (ctx, { params }) => vouchers.deleteVoucher(ctx, params.id),
};

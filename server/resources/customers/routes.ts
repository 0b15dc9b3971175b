import type { Handlers, HeavyReads } from '../../http/handlers.ts';
import * as customers from './domain.ts';

export const customersRoutes: Handlers = {
  'customers.list': (ctx, { query }) => customers.listCustomers(ctx, query),
  'customers.update_b2b': (ctx, { params, body }) => customers.updateB2b(ctx, params.id, body),
  'customers.create': (ctx, { body }) => customers.addCustomer(ctx, body),
  'customers.update': (ctx, { params, body }) => customers.updateCustomer(ctx, params.id, body),
  'customers.get': (ctx, { params }) => customers.getCustomer(ctx, params.id),
};

export const heavyCustomers: HeavyReads = {
  'customers.list': ({ search }) => search !== undefined && search !== '',
};

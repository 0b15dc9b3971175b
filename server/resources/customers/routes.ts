import type { Handlers } from '../../http/handlers.ts';
import * as customers from './domain.ts';

export const customersRoutes: Handlers = {
  'customers.list': (ctx, { query }) => customers.listCustomers(ctx, query),
  'customers.get': (ctx, { params }) => customers.getCustomer(ctx, params.id),
};

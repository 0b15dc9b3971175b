import { content, isSearch, type Routes, read, write } from '../../verbs/route.ts';
import * as customers from './domain.ts';
import { exportCustomers } from './export.ts';

export const customersRoutes = {
  'customers.list': read((ctx, { query }) => customers.listCustomers(ctx, query), { isHeavy: isSearch }),
  'customers.update_b2b': write((ctx, { params, body }) => customers.updateB2b(ctx, params.id, body)),
  'customers.create': write((ctx, { body }) => customers.addCustomer(ctx, body)),
  'customers.update': write((ctx, { params, body }) => customers.updateCustomer(ctx, params.id, body)),
  'customers.list_ids': read((ctx, { query }) => customers.listCustomerIds(ctx, query), { isHeavy: () => true }),
  'customers.export': content(({ services, query }) => exportCustomers(services, query)),
  'customers.get': read((ctx, { params }) => customers.getCustomer(ctx, params.id)),
} satisfies Partial<Routes>;

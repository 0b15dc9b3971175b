import { type Routes, write } from '../../verbs/route.ts';
import { deleteCustomer } from './domain.ts';

export const customerDeletionRoutes = {
  'customers.delete': write((ctx, { params }) => deleteCustomer(ctx, ctx.services.files, params.id)),
} satisfies Partial<Routes>;

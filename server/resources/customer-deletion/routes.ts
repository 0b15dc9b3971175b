import type { Handlers } from '../../http/handlers.ts';
import type { Services } from '../../services.ts';
import { deleteCustomer } from './domain.ts';

export const customerDeletionRoutes = ({ files }: Services): Handlers => ({
  'customers.delete': (ctx, { params }) => deleteCustomer(ctx, files, params.id),
});

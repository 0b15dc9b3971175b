import type { Handlers } from '../../http/handlers.ts';
import * as subscriptions from './domain.ts';

export const subscriptionsRoutes: Handlers = {
  'subscriptions.list': (ctx, { query }) => subscriptions.listSubscriptions(ctx, query),
  'subscriptions.get': (ctx, { params }) => subscriptions.getSubscription(ctx, params.id),
  'subscriptions.list_invoices': (ctx, { params }) => subscriptions.listInvoices(ctx, params.id),
  'subscriptions.activate': (ctx, { params, body }) => subscriptions.activateSubscription(ctx, params.id, body),
};

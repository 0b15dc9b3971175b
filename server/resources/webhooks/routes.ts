import { type Routes, read, write } from '../../verbs/route.ts';
import * as webhooks from './domain.ts';

export const webhooksRoutes = {
  'webhooks.list': read((ctx, { query }) => webhooks.listEndpoints(ctx, query)),
  'webhooks.create': write((ctx, { body }) => webhooks.createEndpoint(ctx, body)),
  'webhooks.get': read((ctx, { params }) => webhooks.getEndpoint(ctx, params.id)),
  'webhooks.update': write((ctx, { params, body }) => webhooks.updateEndpoint(ctx, params.id, body)),
  'webhooks.delete': write((ctx, { params }) => webhooks.deleteEndpoint(ctx, params.id)),
  'webhooks.rotate_secret': write((ctx, { params }) => webhooks.rotateSecret(ctx, params.id)),
  'webhooks.list_deliveries': read((ctx, { params, query }) => webhooks.listDeliveries(ctx, params.id, query)),
  'webhooks.retry_delivery': write((ctx, { params }) => webhooks.retryDelivery(ctx, params.id, params.delivery_id)),
} satisfies Partial<Routes>;

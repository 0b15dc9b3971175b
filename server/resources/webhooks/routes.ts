import type { Handlers } from '../../http/handlers.ts';
import { webhooks } from './domain.ts';

export function webhooksRoutes(isPrivate: (url: string) => boolean): Handlers {
  const verbs = webhooks(isPrivate);
  return {
    'webhooks.list': (ctx, { query }) => verbs.list(ctx, query),
    'webhooks.create': (ctx, { body }) => verbs.create(ctx, body),
    'webhooks.get': (ctx, { params }) => verbs.get(ctx, params.id),
    'webhooks.update': (ctx, { params, body }) => verbs.update(ctx, params.id, body),
    'webhooks.delete': (ctx, { params }) => verbs.remove(ctx, params.id),
    'webhooks.rotate_secret': (ctx, { params }) => verbs.rotateSecret(ctx, params.id),
    'webhooks.list_deliveries': (ctx, { params, query }) => verbs.listDeliveries(ctx, params.id, query),
    'webhooks.retry_delivery': (ctx, { params }) => verbs.retryDelivery(ctx, params.id, params.delivery_id),
  };
}

import type { Ctx } from '../../context.ts';
import { type Handlers, type InsideHandlers, OUTSIDE, type StepsHandlers } from '../../http/handlers.ts';
import type { PaymentProvider } from '../../providers/payments/provider.ts';
import * as subscriptions from './domain.ts';

/** Lets what a provider told of a subscription before it was known have its effect. */
type Replay = (ctx: Ctx, provider: PaymentProvider, externalId: string) => Promise<void>;

export function subscriptionsRoutes(provider: PaymentProvider, replay: Replay): Handlers {
  return {
    'subscriptions.list': (ctx, { query }) => subscriptions.listSubscriptions(ctx, query),
    'subscriptions.get': (ctx, { params }) => subscriptions.getSubscription(ctx, params.id),
    'subscriptions.list_invoices': (ctx, { params }) => subscriptions.listInvoices(ctx, params.id),
    'subscriptions.activate': (ctx, { params, body }) =>
      subscriptions.activateSubscription(ctx, params.id, body, (inside, externalId) => replay(inside, provider, externalId)),
  };
}

export function subscriptionsSteps(provider: PaymentProvider): StepsHandlers {
  return {
    'subscriptions.cancel': (steps, { params }) => subscriptions.cancelSubscription(provider, steps, params.id),
  };
}

export function subscriptionsInside(provider: PaymentProvider): InsideHandlers {
  return {
    'subscriptions.cancel': async (ctx, { params: { id } }) =>
      (await subscriptions.isCanceledOutside(provider, ctx, id)) ? OUTSIDE : subscriptions.cancelHere(ctx, id),
  };
}

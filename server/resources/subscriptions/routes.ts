import type { PaymentProvider } from '../../providers/payments/provider.ts';
import type { Ctx } from '../../verbs/context.ts';
import { isSearch, OUTSIDE, type Routes, read, steps, write } from '../../verbs/route.ts';
import * as subscriptions from './domain.ts';

/** Applies the events that a provider sent about a subscription before it was known. */
type Replay = (ctx: Ctx, provider: PaymentProvider, externalId: string) => Promise<void>;

export const subscriptionsRoutes = (replay: Replay) =>
  ({
    'subscriptions.list': read((ctx, { query }) => subscriptions.listSubscriptions(ctx, query), { isHeavy: isSearch }),
    'subscriptions.get': read((ctx, { params }) => subscriptions.getSubscription(ctx, params.id)),
    'subscriptions.list_invoices': read((ctx, { params }) => subscriptions.listInvoices(ctx, params.id)),
    'subscriptions.activate': write((ctx, { params, body }) =>
      subscriptions.activateSubscription(ctx, params.id, body, (inside, externalId) => replay(inside, ctx.services.payments, externalId)),
    ),
    'subscriptions.cancel': steps((asking, { params }) => subscriptions.cancelSubscription(asking.services.payments, asking, params.id), {
      inside: async (ctx, { params: { id } }) =>
        (await subscriptions.isCanceledOutside(ctx.services.payments, ctx, id)) ? OUTSIDE : subscriptions.cancelHere(ctx, id),
    }),
  }) satisfies Partial<Routes>;

import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { changingPageOf, changingQuery, timeSorts } from './paging.ts';
import { Cents, Id, Timestamp, wordsIn } from './values.ts';

/** `canceled` with one l; orders have `cancelled` (spec G12). */
export const subscriptionStatuses = ['active', 'past_due', 'canceled', 'incomplete', 'incomplete_expired', 'trialing', 'unpaid'] as const;
export const SubscriptionStatus = z.enum(subscriptionStatuses).meta({ id: 'SubscriptionStatus' });
export type SubscriptionStatus = z.infer<typeof SubscriptionStatus>;

export const billingIntervals = ['day', 'week', 'month', 'year'] as const;
export const BillingInterval = z.enum(billingIntervals);
export type BillingInterval = z.infer<typeof BillingInterval>;

export const cancellationPolicies = ['immediate', 'period_end'] as const;
/** Both are agreed terms that the shop keeps; the payment provider carries them out (docs/stripe.md). */
export const CancellationPolicy = z.enum(cancellationPolicies).meta({
  description:
    'When a cancellation by the customer takes effect, as agreed. The shop only keeps this term; the payment provider carries it out',
});
export const MaxBillingCycles = z.int().nullable().meta({
  description:
    'Number of payments after which the subscription ends, as agreed. The shop only keeps this term; the payment provider carries it out',
});
export type CancellationPolicy = z.infer<typeof CancellationPolicy>;

export const SubscriptionRow = z
  .object({
    id: Id,
    public_id: z.string(),
    status: SubscriptionStatus,
    product_name: z.string(),
    variant_label: z.string(),
    customer_id: Id.nullable(),
    customer_name: z.string(),
    customer_email: z.string(),
    provider: z.string(),
    external_subscription_id: z.string(),
    billing_interval: BillingInterval,
    billing_interval_count: z.int(),
    cancellation_policy: CancellationPolicy,
    max_billing_cycles: MaxBillingCycles,
    unit_amount: z.string().meta({ description: 'Formatted amount of money, for display' }),
    unit_amount_cents: Cents,
    currency: z.string(),
    quantity: z.int(),
    product_id: Id,
    variant_id: Id,
    current_period_start: Timestamp,
    current_period_end: Timestamp,
    cancel_at_period_end: z.boolean(),
    canceled_at: Timestamp.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'SubscriptionRow' });
export type SubscriptionRow = z.infer<typeof SubscriptionRow>;

export const SubscriptionDetail = SubscriptionRow.extend({
  ended_at: Timestamp.nullable(),
  initial_order_id: Id.nullable(),
  initial_order_public_id: z.string().nullable(),
  external_customer_id: z.string(),
  order_item_id: Id.nullable().meta({ description: 'The line of the initial order; null if the line was removed' }),
}).meta({ id: 'SubscriptionDetail' });
export type SubscriptionDetail = z.infer<typeof SubscriptionDetail>;

export const SubscriptionInvoice = z
  .object({
    id: Id,
    external_invoice_id: z.string(),
    external_payment_intent: z.string(),
    amount_total: z.string().meta({ description: 'Formatted amount of money, for display' }),
    amount_total_cents: Cents,
    amount_paid: z.string().meta({ description: 'Formatted amount of money, for display' }),
    amount_paid_cents: Cents,
    currency: z.string(),
    status: z.string(),
    period_start: Timestamp,
    period_end: Timestamp,
    hosted_invoice_url: z.string().nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'SubscriptionInvoice' });
export type SubscriptionInvoice = z.infer<typeof SubscriptionInvoice>;

export const subscriptionsEndpoints = endpointsOf(
  {
    id: 'subscriptions.list',
    method: 'GET',
    path: '/subscriptions',
    summary: 'List subscriptions',
    permission: 'admin_api.subscriptions.read',
    query: changingQuery(
      {
        q: wordsIn('the name or email of the customer, the name of the product, the public id, or be the id'),
        status: SubscriptionStatus.optional(),
        customer_id: z.int().optional(),
        product_id: z.int().optional(),
        order_id: z.int().optional().meta({ description: 'Only subscriptions that began with this order' }),
      },
      timeSorts,
    ),
    response: changingPageOf(SubscriptionRow),
  },
  {
    id: 'subscriptions.get',
    method: 'GET',
    path: '/subscriptions/{id}',
    summary: 'Get a subscription',
    permission: 'admin_api.subscriptions.read',
    record: 'subscription',
    response: SubscriptionDetail,
  },
  {
    id: 'subscriptions.list_invoices',
    method: 'GET',
    path: '/subscriptions/{id}/invoices',
    summary: 'List the invoices of a subscription, newest first',
    permission: 'admin_api.subscriptions.read',
    record: 'subscription',
    response: z.array(SubscriptionInvoice),
  },
  {
    id: 'subscriptions.cancel',
    method: 'POST',
    path: '/subscriptions/{id}/cancel',
    undo: {
      irreversible: 'The payment provider has ended the subscription, and its access ended with it. The customer can subscribe again.',
    },
    summary: 'Cancel a subscription at once, also at the payment provider',
    permission: 'admin_api.subscriptions.write',
    record: 'subscription',
    status: 204,
    refusals: ['provider_error'],
  },
);

import { z } from 'zod';
import { billingIntervals } from '../../../contract/subscriptions.ts';

/**
 * The parts of Stripe's objects that we read, in the shapes of all API versions since 2020, because a webhook endpoint keeps the version
 * with which it was created.
 */

const Text = z.string().refine((text) => !text.includes('\u0000'));
const Id = Text.min(1).max(255);

/** An id, or the object with that id. */
const Reference = z.union([Id, z.looseObject({ id: Id }).transform(({ id }) => id)]);
const Optional = Reference.nullish().transform((id) => id ?? null);

const LAST_SECOND = 253_402_300_799;
const Seconds = z
  .int()
  .min(0)
  .max(LAST_SECOND)
  .transform((seconds) => new Date(seconds * 1000).toISOString());
const OptionalSeconds = Seconds.nullish().transform((at) => at ?? null);

const Currency = z
  .string()
  .regex(/^[a-z]{3}$/i)
  .transform((code) => code.toUpperCase());
const Metadata = z
  .record(z.string(), z.string())
  .nullish()
  .transform((entries) => entries ?? {});

export const Event = z.object({
  object: z.literal('event'),
  id: Id,
  type: Text.regex(/^[a-z0-9_.]{1,100}$/),
  created: Seconds,
  data: z.object({ object: z.record(z.string(), z.unknown()), previous_attributes: z.unknown().optional() }),
});

const Recurring = z.object({ interval: z.enum(billingIntervals), interval_count: z.int().min(1).max(10_000) });
const Price = z.object({ unit_amount: z.int().nullish(), recurring: Recurring.nullish() });

const Item = z.object({
  quantity: z.int().min(0).optional(),
  price: Price.optional(),
  current_period_start: Seconds.optional(),
  current_period_end: Seconds.optional(),
});

export const Subscription = z.object({
  id: Id,
  customer: Reference,
  status: Text,
  currency: Currency,
  metadata: Metadata,
  cancel_at: OptionalSeconds,
  cancel_at_period_end: z.boolean(),
  canceled_at: OptionalSeconds,
  ended_at: OptionalSeconds,
  items: z.object({ data: z.array(Item) }),
  // Before version 2025-03-31 the period was a field of the subscription itself.
  current_period_start: Seconds.optional(),
  current_period_end: Seconds.optional(),
});

const Period = z.object({ start: Seconds, end: Seconds });
const Payment = z.object({ payment: z.object({ payment_intent: Optional }) });

export const Invoice = z.object({
  id: Id,
  currency: Currency,
  status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).nullable(),
  total: z.int(),
  amount_paid: z.int(),
  billing_reason: z.string().nullish(),
  created: Seconds,
  period_start: Seconds,
  period_end: Seconds,
  hosted_invoice_url: Text.max(2000)
    .nullish()
    .transform((url) => url ?? null),
  metadata: Metadata,
  lines: z.object({ data: z.array(z.object({ period: Period })) }).optional(),
  parent: z.object({ subscription_details: z.object({ subscription: Optional, metadata: Metadata }).nullish() }).nullish(),
  payments: z.object({ data: z.array(Payment) }).nullish(),
  // Only before version 2025-03-31.
  subscription: Optional,
  payment_intent: Optional,
});

export const InvoicePayment = z.object({ invoice: Reference, payment: z.object({ payment_intent: Optional }) });

export const PaymentIntent = z.object({
  id: Id,
  status: Text,
  amount: z.int(),
  amount_received: z.int().optional(),
  currency: Currency,
  metadata: Metadata,
});

export const Session = z.object({
  id: Id,
  amount_total: z.int().nullable(),
  currency: Currency.nullable(),
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
  client_reference_id: Text.max(255).nullish(),
  metadata: Metadata,
  customer: Optional,
  invoice: Optional,
  payment_intent: Optional,
  subscription: Optional,
});

export const Charge = z.object({
  id: Id,
  amount: z.int(),
  amount_captured: z.int().optional(),
  amount_refunded: z.int(),
  currency: Currency,
  metadata: Metadata,
  payment_intent: Optional,
  invoice: Optional,
});

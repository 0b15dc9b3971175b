import type { z } from 'zod';
import { type SubscriptionStatus, subscriptionStatuses } from '../../../contract/subscriptions.ts';
import type {
  InvoiceTold,
  Money,
  OrderReference,
  PaymentState,
  PaymentTold,
  ProviderEvent,
  RefundTold,
  SubscriptionTold,
  Told,
} from './provider.ts';
import * as shapes from './stripe-shapes.ts';

type Read = (object: unknown, type: string) => Told | null;

/** Readers by the beginning of an event's type; the first match counts. An event of any other type has no effect. */
const readers: readonly (readonly [prefix: string, read: Read])[] = [
  ['customer.subscription.', (object) => subscriptionTold(shapes.Subscription.parse(object))],
  ['invoice_payment.paid', (object) => invoicePaymentTold(shapes.InvoicePayment.parse(object))],
  ['invoice.', (object, type) => invoiceTold(shapes.Invoice.parse(object), type)],
  ['payment_intent.', (object, type) => paymentTold(shapes.PaymentIntent.parse(object), type)],
  ['checkout.session.', (object, type) => sessionTold(shapes.Session.parse(object), type)],
  ['charge.refunded', (object) => refundTold(shapes.Charge.parse(object))],
  ['charge.updated', (object) => refundTold(shapes.Charge.parse(object))],
];

/** Fields with personal data of the payer, which the shop does not need and does not keep. */
const PERSONAL = new Set([
  ...['name', 'email', 'phone', 'address', 'description', 'shipping', 'billing_details', 'receipt_email', 'customer_details'],
  ...['customer_name', 'customer_email', 'customer_phone', 'customer_address', 'customer_shipping', 'customer_tax_ids', 'custom_fields'],
  ...['shipping_details', 'collected_information', 'payment_method_details', 'last_payment_error', 'source', 'individual_name'],
]);

/** Types without effect although they begin like others: an upcoming invoice has no id yet. */
const IGNORED = new Set(['invoice.upcoming', 'customer.subscription.trial_will_end']);

/** Reads an event that Stripe sent; throws if the payload is not an event. */
export function readEvent(payload: string): ProviderEvent {
  const sent: unknown = JSON.parse(payload, (key, value: unknown) => (PERSONAL.has(key) ? undefined : value));
  const { id, type, created, data } = shapes.Event.parse(sent);
  const event = { id, type, toldAt: created, after: data.object, before: data.previous_attributes, kept: JSON.stringify(sent) };
  const reader = IGNORED.has(type) ? undefined : readers.find(([prefix]) => type.startsWith(prefix));
  if (!reader) return { ...event, told: null };
  try {
    return { ...event, told: reader[1](data.object, type) };
  } catch (error) {
    return { ...event, told: `its ${String(data.object['object'])} is not understood: ${placesOf(error)}` };
  }
}

function placesOf(error: unknown): string {
  if (!(error instanceof Error) || !('issues' in error) || !Array.isArray(error.issues)) throw error;
  return error.issues
    .map((issue: z.core.$ZodIssue) => `${issue.path.join('.')}: ${issue.message}`)
    .join('; ')
    .slice(0, 500);
}

function subscriptionTold(object: z.output<typeof shapes.Subscription>): SubscriptionTold {
  const [item] = object.items.data;
  const start = item?.current_period_start ?? object.current_period_start;
  const end = item?.current_period_end ?? object.current_period_end;
  const unitAmount = item?.price?.unit_amount;
  const { cancel_at: cancelAt } = object;
  return {
    kind: 'subscription',
    externalId: object.id,
    externalCustomerId: object.customer,
    status: statusOf(object.status),
    word: object.status,
    period: start !== undefined && end !== undefined ? { start, end } : null,
    // A cancellation date that is not after the end of the period means the same as `cancel_at_period_end`.
    cancelAtPeriodEnd: object.cancel_at_period_end || (cancelAt !== null && end !== undefined && cancelAt <= end),
    canceledAt: object.canceled_at,
    endedAt: object.ended_at,
    quantity: item?.quantity ?? null,
    unitPrice: typeof unitAmount === 'number' ? moneyOf(unitAmount, object.currency) : null,
    interval: item?.price?.recurring?.interval ?? null,
    intervalCount: item?.price?.recurring?.interval_count ?? null,
    order: orderIn(object.metadata),
  };
}

/** A `paused` subscription collects nothing and gives no access, like an `unpaid` one. */
function statusOf(word: string): SubscriptionStatus | null {
  return word === 'paused' ? 'unpaid' : (subscriptionStatuses.find((status) => status === word) ?? null);
}

function invoiceTold(object: z.output<typeof shapes.Invoice>, type: string): InvoiceTold {
  const details = object.parent?.subscription_details;
  return {
    kind: 'invoice',
    externalId: object.id,
    subscriptionId: details?.subscription ?? object.subscription,
    order: orderIn(object.metadata) ?? orderIn(details?.metadata ?? {}),
    paymentId: object.payments?.data.findLast(({ payment }) => payment.payment_intent)?.payment.payment_intent ?? object.payment_intent,
    total: moneyOf(object.total, object.currency),
    paid: moneyOf(object.amount_paid, object.currency),
    status: type === 'invoice.deleted' ? 'deleted' : (object.status ?? 'draft'),
    // The invoice's own period is the past one; its lines have the period that is paid for.
    period: latest(object.lines?.data.map(({ period }) => period) ?? []) ?? { start: object.period_start, end: object.period_end },
    url: object.hosted_invoice_url,
    createdAt: object.created,
    isInitial: object.billing_reason === 'subscription_create',
    hasFailed: type === 'invoice.payment_failed',
  };
}

function latest(periods: readonly { start: string; end: string }[]) {
  return periods.reduce<{ start: string; end: string } | null>((a, b) => (a === null || b.end > a.end ? b : a), null);
}

function invoicePaymentTold({ invoice, payment }: z.output<typeof shapes.InvoicePayment>): Told | null {
  return payment.payment_intent === null ? null : { kind: 'invoice_payment', invoiceId: invoice, paymentId: payment.payment_intent };
}

const paymentStates: Readonly<Record<string, PaymentState>> = {
  'payment_intent.processing': 'processing',
  'payment_intent.payment_failed': 'failed',
  'payment_intent.succeeded': 'succeeded',
};

function paymentTold(object: z.output<typeof shapes.PaymentIntent>, type: string): PaymentTold | null {
  const state = paymentStates[type];
  if (!state) return null;
  const amount = state === 'succeeded' ? (object.amount_received ?? object.amount) : object.amount;
  return {
    kind: 'payment',
    externalIds: [object.id],
    order: orderIn(object.metadata),
    state,
    amount: moneyOf(amount, object.currency),
    subscription: null,
  };
}

function sessionTold(object: z.output<typeof shapes.Session>, type: string): PaymentTold | null {
  const state = sessionState(object, type);
  if (state === null) return null;
  return {
    kind: 'payment',
    externalIds: [object.payment_intent ?? object.invoice ?? object.id, object.id],
    order: orderIn(object.metadata) ?? object.client_reference_id ?? null,
    state,
    amount: moneyOf(object.amount_total ?? 0, object.currency ?? 'XXX'),
    subscription: object.subscription === null ? null : { externalId: object.subscription, externalCustomerId: object.customer ?? '' },
  };
}

function sessionState({ payment_status: status }: z.output<typeof shapes.Session>, type: string): PaymentState | null {
  if (type === 'checkout.session.async_payment_failed') return 'failed';
  if (type === 'checkout.session.async_payment_succeeded') return 'succeeded';
  if (type !== 'checkout.session.completed') return null;
  return status === 'unpaid' ? 'processing' : 'succeeded';
}

function refundTold(object: z.output<typeof shapes.Charge>): RefundTold {
  const { payment_intent: payment, invoice, id } = object;
  return {
    kind: 'refund',
    externalIds: [payment ?? invoice ?? id, ...(invoice === null ? [] : [invoice]), id],
    order: orderIn(object.metadata),
    amount: moneyOf(object.amount_captured ?? object.amount, object.currency),
    refunded: moneyOf(object.amount_refunded, object.currency),
  };
}

/** The order that the shop front wrote into the metadata of the provider's object. */
function orderIn(metadata: Readonly<Record<string, string>>): OrderReference | null {
  const reference = metadata['order_id'] ?? metadata['order_public_id'] ?? metadata['public_id'];
  return reference === undefined || reference.includes('\u0000') ? null : reference;
}

const WHOLE = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
const THREE_DIGITS = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/** Stripe's own number of minor digits, which differs from ISO 4217 for ISK, MGA and UGX. */
function moneyOf(amount: number, currency: string): Money {
  return { amount, currency, exponent: WHOLE.has(currency) ? 0 : THREE_DIGITS.has(currency) ? 3 : 2 };
}

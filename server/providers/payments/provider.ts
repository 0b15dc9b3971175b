import type { BillingInterval, SubscriptionStatus } from '../../../contract/subscriptions.ts';

/** An amount as the provider counts it; `exponent` is its number of minor digits. */
export type Money = { amount: number; currency: string; exponent: number };

export type Period = { start: string; end: string };

/** The name of one of our orders in a provider's object, as the shop front wrote it there. */
export type OrderReference = string;

export type SubscriptionTold = {
  kind: 'subscription';
  externalId: string;
  externalCustomerId: string;
  /** Null: the provider's status has no counterpart here. */
  status: SubscriptionStatus | null;
  /** The provider's own name of the status. */
  word: string;
  period: Period | null;
  cancelAtPeriodEnd: boolean;
  canceledAt: string | null;
  endedAt: string | null;
  quantity: number | null;
  unitPrice: Money | null;
  interval: BillingInterval | null;
  intervalCount: number | null;
  order: OrderReference | null;
};

export type InvoiceStatus = 'draft' | 'open' | 'uncollectible' | 'paid' | 'void' | 'deleted';

export type InvoiceTold = {
  kind: 'invoice';
  externalId: string;
  /** Null: the invoice is not for a subscription. */
  subscriptionId: string | null;
  order: OrderReference | null;
  paymentId: string | null;
  total: Money;
  paid: Money;
  status: InvoiceStatus;
  period: Period;
  url: string | null;
  createdAt: string;
  /** Whether it is the first invoice of its subscription, which pays for the order. */
  isInitial: boolean;
  /** Whether the event reports a failed attempt to pay. */
  hasFailed: boolean;
};

/** Says which payment pays an invoice. */
export type InvoicePaymentTold = { kind: 'invoice_payment'; invoiceId: string; paymentId: string };

export type PaymentState = 'processing' | 'failed' | 'succeeded';

export type PaymentTold = {
  kind: 'payment';
  /** The ids by which the payment may be known, the best one first. */
  externalIds: readonly [string, ...string[]];
  order: OrderReference | null;
  state: PaymentState;
  amount: Money;
  /** The subscription that the same order has started. */
  subscription: { externalId: string; externalCustomerId: string } | null;
};

export type RefundTold = {
  kind: 'refund';
  externalIds: readonly [string, ...string[]];
  order: OrderReference | null;
  amount: Money;
  /** The part of the amount that has been refunded so far. */
  refunded: Money;
};

export type Told = SubscriptionTold | InvoiceTold | InvoicePaymentTold | PaymentTold | RefundTold;

export type ProviderEvent = {
  id: string;
  type: string;
  /** When the provider created the event, to the second. */
  toldAt: string;
  /**
   * What the event says, in our terms. Null: it has no effect here. A text: it should have an effect but cannot be understood; the text
   * says why.
   */
  told: Told | string | null;
  /** The provider's object after the change, and the parts of it that differed before. */
  after: unknown;
  before: unknown;
  /** The stored form of the event, which can be read again; it contains no personal data. */
  kept: string;
};

export type PaymentProvider = {
  name: string;
  /** Null if there are no credentials. */
  cancelSubscription: ((externalId: string) => Promise<void>) | null;
  /** The header that carries an event's signature; without it the body is not read. */
  signatureHeader: string;
  /** Null if the secret that signs the events is not configured. */
  verify: ((payload: Buffer, header: (name: string) => string | undefined) => Promise<void>) | null;
  /** Throws if the payload is not an event. */
  read(payload: string): ProviderEvent;
};

/** The request was not signed by the provider, or was signed too long ago. */
export class NotGenuine extends Error {}

/** The provider did not answer, or refused. */
export class ProviderFailed extends Error {}

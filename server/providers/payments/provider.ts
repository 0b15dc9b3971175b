import type { BillingInterval, SubscriptionStatus } from '../../../contract/subscriptions.ts';

/** An amount as the provider counts it: `exponent` digits of it are behind the point. */
export type Money = { amount: number; currency: string; exponent: number };

export type Period = { start: string; end: string };

/** How a provider's object names an order of ours: by what the shop front wrote into it. */
export type OrderReference = string;

export type SubscriptionTold = {
  kind: 'subscription';
  externalId: string;
  externalCustomerId: string;
  /** Null: a word that we have no status for. */
  status: SubscriptionStatus | null;
  /** The provider's own word. */
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
  /** Null: of something else. */
  subscriptionId: string | null;
  order: OrderReference | null;
  paymentId: string | null;
  total: Money;
  paid: Money;
  status: InvoiceStatus;
  period: Period;
  url: string | null;
  createdAt: string;
  /** Whether it is the first of its subscription, which pays for the order. */
  isInitial: boolean;
  /** Whether the event tells of an attempt to pay that failed. */
  hasFailed: boolean;
};

/** Which payment pays an invoice. */
export type InvoicePaymentTold = { kind: 'invoice_payment'; invoiceId: string; paymentId: string };

export type PaymentState = 'processing' | 'failed' | 'succeeded';

export type PaymentTold = {
  kind: 'payment';
  /** The names it may be known by, the best first. */
  externalIds: readonly [string, ...string[]];
  order: OrderReference | null;
  state: PaymentState;
  amount: Money;
  /** A subscription that the same order has started. */
  subscription: { externalId: string; externalCustomerId: string } | null;
};

export type RefundTold = {
  kind: 'refund';
  externalIds: readonly [string, ...string[]];
  order: OrderReference | null;
  amount: Money;
  /** Of the amount, all that was given back so far. */
  refunded: Money;
};

export type Told = SubscriptionTold | InvoiceTold | InvoicePaymentTold | PaymentTold | RefundTold;

export type ProviderEvent = {
  id: string;
  type: string;
  /** When the provider made it, to the second. */
  toldAt: string;
  /** Null: of no consequence here; a text: it should be, but says it in a way that is not understood. */
  told: Told | string | null;
  /** The provider's object as it is after what happened, and as much of it as was different before. */
  after: unknown;
  before: unknown;
  /** What is kept of it, to be read again: nothing that tells of a person. */
  kept: string;
};

export type PaymentProvider = {
  name: string;
  /** Null without credentials. */
  cancelSubscription: ((externalId: string) => Promise<void>) | null;
  /** What the signature of an event comes in, without which nothing is read. */
  signatureHeader: string;
  /** Null without the secret that its events are signed with. */
  verify: ((payload: Buffer, header: (name: string) => string | undefined) => Promise<void>) | null;
  /** Throws where the payload is no event at all. */
  read(payload: string): ProviderEvent;
};

/** What came in was not signed by the provider, or too long ago. */
export class NotGenuine extends Error {}

/** The provider did not answer, or refused. */
export class ProviderFailed extends Error {}

import type { Generated } from 'kysely';

/** Subscriptions, and what payment providers report about them, in the form that tables.ts describes. */

export type SubscriptionTables = {
  subscriptions: SubscriptionsTable;
  subscription_invoices: SubscriptionInvoicesTable;
  provider_payments: ProviderPaymentsTable;
  webhook_events: WebhookEventsTable;
};

type SubscriptionsTable = {
  id: Generated<number>;
  public_id: string;
  status: string;
  product_id: number;
  variant_id: number;
  product_name: string;
  variant_label: string;
  customer_id: number | null;
  customer_name: string;
  customer_email: string;
  /** Folded name and email of the customer, name of the product and public id, one per line; null until `plain-texts.ts` has written it. */
  search_folded: Generated<string | null>;
  provider: string;
  external_subscription_id: string;
  external_customer_id: string;
  billing_interval: string;
  billing_interval_count: number;
  cancellation_policy: string;
  max_billing_cycles: number | null;
  unit_amount_cents: number;
  currency: string;
  quantity: number;
  current_period_start: string;
  current_period_end: string;
  cancel_at_period_end: number;
  canceled_at: string | null;
  ended_at: string | null;
  initial_order_id: number | null;
  /** The order line that was bought; null if an edit has removed it. */
  order_item_id: number | null;
  /** When the provider created the newest event that has taken effect here. */
  told_at: string | null;
  last_event_id: string | null;
  created_at: string;
  updated_at: string;
  row_version: Generated<number>;
  /** The number of the last change (`change-cursors.ts`). */
  changed_in: Generated<number>;
};

type SubscriptionInvoicesTable = {
  id: Generated<number>;
  subscription_id: number;
  external_invoice_id: string;
  /** Empty: there is none, or the provider has not reported it yet. */
  external_payment_intent: string;
  /** 1: the invoice that pays for the order. */
  is_initial: number;
  amount_total_cents: number;
  amount_paid_cents: number;
  currency: string;
  status: string;
  period_start: string;
  period_end: string;
  hosted_invoice_url: string | null;
  created_at: string;
  /** When the provider created the newest event that has taken effect. */
  told_at: string | null;
};

/** A payment of an order as its provider reports it; an order may need several attempts. */
type ProviderPaymentsTable = {
  id: Generated<number>;
  provider: string;
  /** Id of the payment, or of the invoice that it pays. */
  external_id: string;
  order_id: number;
  state: 'processing' | 'failed' | 'succeeded';
  amount_cents: number;
  refunded_cents: number;
  currency: string;
  /** When the provider created the newest event about the payment's state, and the newest one about refunds. */
  told_at: string;
  refund_told_at: string | null;
};

type WebhookEventsTable = {
  provider: string;
  event_id: string;
  type: string;
  /** When the provider created the event. */
  told_at: string;
  outcome: 'success' | 'ignored' | 'waiting';
  /** External id of a subscription or invoice that the shop does not know yet. */
  waits_for: string | null;
  /** The stored form of the event, without personal data. */
  payload: string;
  received_at: string;
};

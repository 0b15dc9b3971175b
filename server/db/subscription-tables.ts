import type { Generated } from 'kysely';

/** Subscriptions and what payment providers tell of them; written as tables.ts says. */

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
  /** The line that was bought; null once an edit has removed it. */
  order_item_id: number | null;
  /** When the provider made the newest event that has had its effect here. */
  told_at: string | null;
  last_event_id: string | null;
  created_at: string;
  updated_at: string;
  row_version: Generated<number>;
};

type SubscriptionInvoicesTable = {
  id: Generated<number>;
  subscription_id: number;
  external_invoice_id: string;
  /** Empty: none, or not told yet. */
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
  /** When the provider made the newest event that has had its effect. */
  told_at: string | null;
};

/** One payment of an order as its provider tells it: an order may need several attempts. */
type ProviderPaymentsTable = {
  id: Generated<number>;
  provider: string;
  /** Of the payment or of the invoice that it pays. */
  external_id: string;
  order_id: number;
  state: 'processing' | 'failed' | 'succeeded';
  amount_cents: number;
  refunded_cents: number;
  currency: string;
  /** When the provider made the newest event of its state, and of what was given back. */
  told_at: string;
  refund_told_at: string | null;
};

type WebhookEventsTable = {
  provider: string;
  event_id: string;
  type: string;
  /** When the provider made it. */
  told_at: string;
  outcome: 'success' | 'ignored' | 'waiting';
  /** External id of the subscription or invoice that this shop does not know yet. */
  waits_for: string | null;
  /** As received. */
  payload: string;
  received_at: string;
};

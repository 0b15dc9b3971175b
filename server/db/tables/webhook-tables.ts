import type { Generated } from 'kysely';

/** Webhook endpoints and deliveries, in the form that tables.ts describes. */

export type WebhookTables = {
  webhook_endpoints: WebhookEndpointsTable;
  webhook_subscriptions: WebhookSubscriptionsTable;
  webhook_deliveries: WebhookDeliveriesTable;
};

type WebhookEndpointsTable = {
  id: Generated<number>;
  url: string;
  url_folded: string;
  active: number;
  disabled_reason: string | null;
  /** `whsec_…`; stored in clear, because signing needs it. */
  secret: string;
  previous_secret: string | null;
  previous_until: string | null;
  created_at: string;
  updated_at: string;
  row_version: Generated<number>;
};

type WebhookSubscriptionsTable = { event: string; endpoint_id: number };

type WebhookDeliveriesTable = {
  id: Generated<number>;
  endpoint_id: number;
  message_id: string;
  type: string;
  payload: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  /** When the delivery may be sent, by the database's clock; while it is being sent, when the sender's lease ends. */
  due_ms: number;
  lease: string | null;
  response_status: number | null;
  last_error: string | null;
  created_at: string;
  ended_at: string | null;
  /** Id of the request that caused the event; null: no request did. */
  request_id: string | null;
};

import type { Generated } from 'kysely';

/** Who is told of events, and how far that has come; written as tables.ts says. */

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
  /** `whsec_…`; kept as it is, for signing. */
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
  /** When it may be sent, by the database's clock; of one that is being sent: when its lease ends. */
  due_ms: number;
  lease: string | null;
  response_status: number | null;
  last_error: string | null;
  created_at: string;
  ended_at: string | null;
  /** Of the request that it comes of; null: of none. */
  request_id: string | null;
};

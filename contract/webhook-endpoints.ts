import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { eventTypes } from './events.ts';
import { cursorPageOf, cursorQuery } from './paging.ts';
import { Id, Search, Timestamp, text } from './values.ts';

/**
 * Webhook endpoints: receivers that the shop tells of its events by signed HTTP requests (spec WH1;
 * standardwebhooks.com).
 */

const ALL_EVENTS = '*';
export const webhookEvents = [...eventTypes, ALL_EVENTS] as const;

const Url = text({ max: 2000, trim: true }).superRefine((value, ctx) => {
  const problem = urlProblem(value);
  if (problem !== null) ctx.addIssue({ code: 'custom', message: problem, params: { code: 'invalid_value' } });
});

function urlProblem(value: string): string | null {
  if (!URL.canParse(value)) return 'must be an absolute URL such as https://example.com/hooks';
  const { protocol, username, password, hash } = new URL(value);
  if (protocol !== 'https:' && protocol !== 'http:') return 'must be a URL with https: or http:';
  if (username !== '' || password !== '') return 'must be a URL without user name and password';
  return hash === '' ? null : 'must be a URL without a fragment';
}

const Events = z
  .array(z.enum(webhookEvents))
  .min(1, { error: () => 'must have at least one event, or "*" for all' })
  .transform((list) => [...new Set(list)]);

export const WebhookEndpoint = z
  .object({
    id: Id,
    url: z.string(),
    events: z.array(z.enum(webhookEvents)),
    active: z.boolean(),
    /** Why the server switched the endpoint off; null if it did not. */
    disabled_reason: z.string().nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'WebhookEndpoint' });
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

const WithSecret = WebhookEndpoint.extend({
  secret: z.string().nullable().meta({
    description:
      'The signing secret `whsec_…`, shown once; null when a repeated request with the same Idempotency-Key gets the stored response',
  }),
}).meta({ id: 'NewWebhookEndpoint' });

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

export const WebhookDelivery = z
  .object({
    id: Id,
    endpoint_id: Id,
    /** `webhook-id` of the request; the same in every attempt. */
    message_id: z.string(),
    type: z.string(),
    status: z.enum(deliveryStatuses),
    attempts: z.int(),
    next_attempt_in_seconds: z.int().nullable(),
    response_status: z.int().nullable().meta({ description: 'HTTP status of the response to the last attempt' }),
    last_error: z.string().nullable(),
    payload: z.string().meta({ description: 'The request body as it is sent' }),
    created_at: Timestamp,
    delivered_at: Timestamp.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

const read = 'admin_api.webhooks.read';
const write = 'admin_api.webhooks.write';

export const webhookEndpointsEndpoints = endpointsOf(
  {
    id: 'webhooks.list',
    method: 'GET',
    path: '/webhook-endpoints',
    summary: 'List webhook endpoints',
    permission: read,
    query: cursorQuery({ search: Search.optional() }),
    response: cursorPageOf(WebhookEndpoint),
  },
  {
    id: 'webhooks.create',
    method: 'POST',
    path: '/webhook-endpoints',
    summary: 'Add a webhook endpoint; its signing secret is shown once',
    permission: write,
    body: z.object({ url: Url, events: Events, active: z.boolean().default(true) }),
    status: 201,
    response: WithSecret,
    secretFields: ['secret'],
    location: '/webhook-endpoints/{id}',
  },
  {
    id: 'webhooks.get',
    method: 'GET',
    path: '/webhook-endpoints/{id}',
    summary: 'Get a webhook endpoint',
    permission: read,
    record: 'webhook_endpoint',
    response: WebhookEndpoint,
  },
  {
    id: 'webhooks.update',
    method: 'PATCH',
    path: '/webhook-endpoints/{id}',
    summary: 'Change a webhook endpoint, or switch it off or on',
    permission: write,
    record: 'webhook_endpoint',
    body: z.object({ url: Url.optional(), events: Events.optional(), active: z.boolean().optional() }),
    response: WebhookEndpoint,
  },
  {
    id: 'webhooks.delete',
    method: 'DELETE',
    path: '/webhook-endpoints/{id}',
    summary: 'Remove a webhook endpoint with its deliveries',
    permission: write,
    record: 'webhook_endpoint',
    status: 204,
  },
  {
    id: 'webhooks.rotate_secret',
    method: 'POST',
    path: '/webhook-endpoints/{id}/rotate-secret',
    summary: 'Create a new signing secret; for 24 hours requests are signed with the old secret too',
    permission: write,
    record: 'webhook_endpoint',
    response: WithSecret,
    secretFields: ['secret'],
  },
  {
    id: 'webhooks.list_deliveries',
    method: 'GET',
    path: '/webhook-endpoints/{id}/deliveries',
    summary: 'List the deliveries of a webhook endpoint, sent and pending, newest first',
    permission: read,
    record: 'webhook_endpoint',
    query: z.object({
      status: z.enum(deliveryStatuses).optional(),
      before_id: Id.optional(),
      limit: z.int().min(1).max(100).default(50),
    }),
    response: z.array(WebhookDelivery),
  },
  {
    id: 'webhooks.retry_delivery',
    method: 'POST',
    path: '/webhook-endpoints/{id}/deliveries/{delivery_id}/retry',
    summary: 'Send a delivery again at once',
    permission: write,
    record: 'webhook_delivery',
    response: WebhookDelivery,
  },
);

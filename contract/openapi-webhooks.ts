import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { events } from './events.ts';
import { REQUEST_ID, Timestamp } from './values.ts';

/** What the shop posts to webhook endpoints: one request an event (decisions.md §2, Outbound webhooks). */
export function webhooksOf(tag: string): Record<string, { post: ZodOpenApiOperationObject }> {
  return Object.fromEntries(
    Object.entries(events).map(([type, { summary, data }]) => [
      type,
      {
        post: {
          operationId: `webhook.${type}`,
          tags: [tag],
          summary,
          description: `${summary}. Sent to the webhook endpoints that want \`${type}\`, at least once.`,
          security: [],
          requestParams: { header: WebhookHeaders },
          requestBody: {
            required: true,
            content: { 'application/json': { schema: z.object({ type: z.literal(type), timestamp: Timestamp, data }) } },
          },
          responses: {
            '2XX': { description: 'Taken, within 15 s' },
            default: { description: 'Not taken: tried again later, unless it is 410, which switches the endpoint off' },
          },
        },
      },
    ]),
  );
}

const WebhookHeaders = z.object({
  'webhook-id': z.string().meta({ description: 'Id of the message, the same at each attempt' }),
  'webhook-timestamp': z.string().meta({ description: 'Of this attempt, Unix seconds' }),
  'webhook-signature': z
    .string()
    .meta({ description: '`v1,` and the base64 HMAC-SHA256 of "id.timestamp.body"; several, parted by spaces, while the secret changes' }),
  'x-request-id': z
    .string()
    .regex(REQUEST_ID)
    .optional()
    .meta({ description: 'Id of the request that caused it, the same at each attempt; missing where no request did' }),
});

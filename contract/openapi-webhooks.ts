import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { events } from './events.ts';
import { REQUEST_ID, Timestamp } from './values.ts';

/** The requests that the shop posts to webhook endpoints: one request for each event (spec WH2). */
export function webhooksOf(tag: string): Record<string, { post: ZodOpenApiOperationObject }> {
  return Object.fromEntries(
    Object.entries(events).map(([type, { summary, data }]) => [
      type,
      {
        post: {
          operationId: `webhook.${type}`,
          tags: [tag],
          summary,
          description: `${summary}. Sent at least once to every webhook endpoint that subscribed to \`${type}\`.`,
          security: [],
          requestParams: { header: WebhookHeaders },
          requestBody: {
            required: true,
            content: { 'application/json': { schema: z.object({ type: z.literal(type), timestamp: Timestamp, data }) } },
          },
          responses: {
            '2XX': { description: 'Accepted; the response must come within 15 s' },
            default: { description: 'Not accepted: the shop tries again later; after 410 it switches the endpoint off instead' },
          },
        },
      },
    ]),
  );
}

const WebhookHeaders = z.object({
  'webhook-id': z.string().meta({ description: 'Id of the message, the same in each attempt' }),
  'webhook-timestamp': z.string().meta({ description: 'Time of this attempt, in Unix seconds' }),
  'webhook-signature': z.string().meta({
    description:
      '`v1,` and the base64 HMAC-SHA256 of "id.timestamp.body"; for 24 hours after the secret was rotated two of them, separated by a space',
  }),
  'x-request-id': z
    .string()
    .regex(REQUEST_ID)
    .optional()
    .meta({ description: 'Id of the request that caused the event, the same in each attempt; missing if no request caused it' }),
});

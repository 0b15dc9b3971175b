import { Refusal } from '../problem.ts';
import type { Webhook } from '../resources/provider-events/receive.ts';
import { tooMany } from './auth.ts';
import { readBytes } from './body.ts';
import type { Exchange, Outcome } from './pipeline.ts';
import { createRateLimiter } from './rate-limit.ts';

export const WEBHOOKS = '/webhooks/';
const BODY_LIMIT_BYTES = 1024 * 1024;
/** Each leaves a line in the log, and anybody can send one. */
const REJECTED_PER_MINUTE = 60;
const NOT_GENUINE = new Set(['signature_invalid', 'malformed_json']);

/** Calls of others to `/webhooks/<name>`: no token, but a signature over the raw body. */
export function createWebhooks(webhooks: Readonly<Record<string, Webhook>>): (exchange: Exchange) => Promise<Outcome> {
  const known = new Map(Object.entries(webhooks));
  const rejected = createRateLimiter(REJECTED_PER_MINUTE);
  return async (exchange) => {
    const { request, pathname, requestId, ip } = exchange;
    const name = pathname.slice(WEBHOOKS.length);
    const webhook = known.get(name);
    if (!webhook) throw new Refusal('route_not_found', `There is no ${pathname}.`);
    exchange.endpointId = `webhooks.${name}`;
    if (request.method !== 'POST') {
      exchange.setHeader('Allow', 'POST');
      throw new Refusal('method_not_allowed', `${pathname} takes POST.`);
    }
    const body = await readBytes(request, BODY_LIMIT_BYTES);
    const header = (wanted: string): string | undefined => {
      const value = request.headers[wanted];
      return Array.isArray(value) ? value.join(', ') : value;
    };
    const call = { body, header, requestId, ip };
    try {
      return { status: 200, headers: {}, body: JSON.stringify(await webhook.receive(call)) };
    } catch (error) {
      if (!(error instanceof Refusal) || !NOT_GENUINE.has(error.code)) throw error;
      const { allowed, resetSeconds } = rejected.take(ip);
      if (!allowed) throw tooMany(resetSeconds, 'webhooks');
      await webhook.noteRejected(call, error);
      throw error;
    }
  };
}

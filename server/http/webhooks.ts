import { Refusal } from '../problem.ts';
import type { Webhook } from '../resources/provider-events/receive.ts';
import { tooMany } from './auth.ts';
import { readBytes } from './body.ts';
import type { Exchange, Outcome } from './pipeline.ts';
import { createRateLimiter, tellLimit } from './rate-limit.ts';

export const WEBHOOKS = '/webhooks/';
/** Whoever has not shown a signature yet gets so much of the server: events are smaller, and come at once. */
const BODY_LIMIT_BYTES = 1024 * 1024;
const COMES_WITHIN_MS = 10_000;
const AT_ONCE = { ofAll: 64, ofOneAddress: 32 };
/** Each leaves a line in the log, and anybody can send one. */
const REJECTED_PER_MINUTE = 60;
const NOT_GENUINE = new Set(['signature_invalid', 'malformed_json']);

/** Calls of others to `/webhooks/<name>`: no token, but a signature over the raw body. */
export function createWebhooks(webhooks: Readonly<Record<string, Webhook>>): (exchange: Exchange) => Promise<Outcome> {
  const known = new Map(Object.entries(webhooks));
  const rejected = createRateLimiter(REJECTED_PER_MINUTE);
  const reading = new Map<string, number>();
  const readBody = async ({ request, ip }: Exchange): Promise<Buffer> => {
    const ofOne = reading.get(ip) ?? 0;
    const ofAll = reading.values().reduce((sum, count) => sum + count, 0);
    if (ofOne >= AT_ONCE.ofOneAddress || ofAll >= AT_ONCE.ofAll)
      throw new Refusal('busy', 'Too many webhooks are coming in; try again in a moment.');
    reading.set(ip, ofOne + 1);
    try {
      return await readBytes(request, BODY_LIMIT_BYTES, COMES_WITHIN_MS);
    } finally {
      const left = (reading.get(ip) ?? 1) - 1;
      if (left > 0) reading.set(ip, left);
      else reading.delete(ip);
    }
  };
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
    const header = (wanted: string): string | undefined => {
      const value = request.headers[wanted];
      return Array.isArray(value) ? value.join(', ') : value;
    };
    const refuse = async (body: Buffer, error: unknown): Promise<never> => {
      if (!(error instanceof Refusal) || !NOT_GENUINE.has(error.code)) throw error;
      const taken = rejected.take(ip);
      tellLimit(exchange.setHeader, 'webhooks', REJECTED_PER_MINUTE, taken);
      if (!taken.allowed) throw tooMany(taken.resetSeconds, 'webhooks');
      await webhook.noteRejected({ body, header, requestId, ip }, error);
      throw error;
    };
    // What cannot be genuine is refused before its body has come in.
    try {
      webhook.checkHeaders(header);
    } catch (error) {
      return refuse(Buffer.alloc(0), error);
    }
    const body = await readBody(exchange);
    try {
      return { status: 200, headers: {}, body: JSON.stringify(await webhook.receive({ body, header, requestId, ip })) };
    } catch (error) {
      return refuse(body, error);
    }
  };
}

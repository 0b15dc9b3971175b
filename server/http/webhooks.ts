import type { Router } from '@koa/router';
import type { Webhook } from '../resources/provider-events/receive.ts';
import type { Services } from '../services.ts';
import { Refusal } from '../verbs/problem.ts';
import { countRequest } from './rate-limit.ts';
import { sendText } from './send.ts';
import { unprovenBodies } from './unproven-bodies.ts';
import { headerOf, type Middleware, type Wire, type WireState } from './wire.ts';

/** Each rejected request leaves a line in the log, and anybody can send one. */
const REJECTED_PER_MINUTE = 60;
const NOT_GENUINE = new Set(['signature_invalid', 'malformed_json']);

/** Receives webhooks of others at `/webhooks/<name>`: they carry no token but a signature over the raw body. */
export function addWebhooks(
  router: Router<WireState>,
  { rateLimits }: Pick<Services, 'rateLimits'>,
  webhooks: Readonly<Record<string, Webhook>>,
): void {
  const rejected = { name: 'webhooks', limiter: rateLimits.limiter('webhooks'), perMinute: REJECTED_PER_MINUTE };
  const read = unprovenBodies();
  for (const [name, webhook] of Object.entries(webhooks)) {
    const callOf = (ctx: Wire, body: Buffer) => {
      const { requestId, ip } = ctx.state;
      return { body, header: (wanted: string) => headerOf(ctx, wanted), requestId, ip };
    };
    const refuse = async (ctx: Wire, body: Buffer, error: unknown): Promise<never> => {
      if (!(error instanceof Refusal) || !NOT_GENUINE.has(error.code)) throw error;
      countRequest(ctx, rejected, ctx.state.ip);
      await webhook.noteRejected(callOf(ctx, body), error);
      throw error;
    };
    /** A request whose headers cannot be genuine is refused before its body is read. */
    const headers: Middleware = async (ctx, next) => {
      ctx.state.answeredBy = `webhooks.${name}`;
      try {
        webhook.checkHeaders((wanted) => headerOf(ctx, wanted));
      } catch (error) {
        await refuse(ctx, Buffer.alloc(0), error);
      }
      return next();
    };
    const receive: Middleware = async (ctx) => {
      const body = await read(ctx);
      try {
        sendText(ctx, 200, JSON.stringify(await webhook.receive(callOf(ctx, body))));
      } catch (error) {
        await refuse(ctx, body, error);
      }
    };
    router.post(`/webhooks/${name}`, headers, receive);
  }
}

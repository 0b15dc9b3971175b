import { NotGenuine, type PaymentProvider, type ProviderEvent } from '../../providers/payments/provider.ts';
import type { Services } from '../../services.ts';
import { Refusal } from '../../verbs/problem.ts';
import { writeLog } from '../audit/domain.ts';
import { applyEvent } from './domain.ts';

export type WebhookCall = { body: Buffer; header(name: string): string | undefined; requestId: string; ip: string };

/** The handler of a path below `/webhooks/`. */
export type Webhook = {
  /** Throws if the headers alone show that the call is not genuine. */
  checkHeaders(header: WebhookCall['header']): void;
  receive(call: WebhookCall): Promise<{ received: true; duplicate?: true }>;
  /** Writes a log line for a call that was refused for its signature or its form. */
  noteRejected(call: WebhookCall, reason: Refusal): Promise<void>;
};

/** Receives the events of a payment provider: checks the signature, applies the event in one transaction, then answers. */
export function receiveFrom(provider: PaymentProvider, services: Services): Webhook {
  const { store } = services;
  return {
    checkHeaders: (header) => checkHeaders(provider, header),
    async receive(call) {
      const event = await readGenuine(provider, call);
      const result = await services.transact(`webhooks.${provider.name}`, (ctx) => applyEvent(ctx, provider, event), {
        requestId: call.requestId,
        ip: call.ip,
        path: `/webhooks/${provider.name}`,
      });
      return result === 'known' ? { received: true, duplicate: true } : { received: true };
    },

    async noteRejected({ requestId, ip }, reason) {
      const now = new Date().toISOString();
      const action = `${provider.name}.rejected`;
      const detail = { code: reason.code, request_id: requestId, ip };
      await store.write((db) => writeLog({ db, now }, { source: 'webhook', action, status: 'rejected', summary: reason.message, detail }));
    },
  };
}

function checkHeaders({ name, verify, signatureHeader }: PaymentProvider, header: WebhookCall['header']): void {
  if (!verify) throw notTaken(name);
  if (!header(signatureHeader))
    throw new Refusal('signature_invalid', `The header ${signatureHeader} with the signature of ${name} is missing.`);
}

function notTaken(name: string): Refusal {
  return new Refusal('route_not_found', `Webhooks of ${name} are not accepted, because the secret of their signatures is not configured.`);
}

async function readGenuine({ name, verify, read }: PaymentProvider, { body, header }: WebhookCall): Promise<ProviderEvent> {
  if (!verify) throw notTaken(name);
  try {
    await verify(body, header);
  } catch (cause) {
    if (!(cause instanceof NotGenuine)) throw cause;
    throw new Refusal('signature_invalid', `The signature of ${name} is not valid for this body: ${cause.message}`, { cause });
  }
  try {
    return read(body.toString());
  } catch (cause) {
    throw new Refusal('malformed_json', `The body is not an event of ${name}.`, { cause });
  }
}

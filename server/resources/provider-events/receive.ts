import { NotGenuine, type PaymentProvider, type ProviderEvent } from '../../providers/payments/provider.ts';
import type { Services } from '../../services.ts';
import { Refusal } from '../../verbs/problem.ts';
import { writeLog } from '../audit/domain.ts';
import { land } from './domain.ts';

export type WebhookCall = { body: Buffer; header(name: string): string | undefined; requestId: string; ip: string };

/** What a path below `/webhooks/` does. */
export type Webhook = {
  /** Throws where no body could make the call genuine. */
  checkHeaders(header: WebhookCall['header']): void;
  receive(call: WebhookCall): Promise<{ received: true; duplicate?: true }>;
  /** Notes a call that was refused for its signature or its form. */
  noteRejected(call: WebhookCall, reason: Refusal): Promise<void>;
};

/** Takes the events of a payment provider: signature, then everything else in one transaction, then the answer. */
export function receiveFrom(provider: PaymentProvider, services: Services): Webhook {
  const { store } = services;
  return {
    checkHeaders: (header) => checkHeaders(provider, header),
    async receive(call) {
      const event = await readGenuine(provider, call);
      const result = await services.transact(`webhooks.${provider.name}`, (ctx) => land(ctx, provider, event), {
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
  if (!header(signatureHeader)) throw new Refusal('signature_invalid', `There is no signature: ${name} sends one as ${signatureHeader}.`);
}

function notTaken(name: string): Refusal {
  return new Refusal('route_not_found', `The webhooks of ${name} are not taken: the secret of their signatures is not set.`);
}

async function readGenuine({ name, verify, read }: PaymentProvider, { body, header }: WebhookCall): Promise<ProviderEvent> {
  if (!verify) throw notTaken(name);
  try {
    await verify(body, header);
  } catch (cause) {
    if (!(cause instanceof NotGenuine)) throw cause;
    throw new Refusal('signature_invalid', `The body is not as ${name} signed it: ${cause.message}`, { cause });
  }
  try {
    return read(body.toString());
  } catch (cause) {
    throw new Refusal('malformed_json', `The body is not an event of ${name}.`, { cause });
  }
}

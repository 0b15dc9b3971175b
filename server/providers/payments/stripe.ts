import type { ServerConfig } from '../../config.ts';
import { requestIdHeader } from '../../process/request-id.ts';
import { outgoingSpan } from '../outgoing-span.ts';
import { redact, redactCause } from '../redaction.ts';
import { NotGenuine, type PaymentProvider, ProviderFailed } from './provider.ts';
import { readEvent } from './stripe-events.ts';

const TOLERANCE_SECONDS = 300;
const TIMEOUT_MS = 20_000;
const SIGNATURE = 'stripe-signature';

/** Stripe through its own package, which is loaded at its first use, because it takes 40 MB and a tenth of a second or more. */
export function createStripe({ stripe: { secretKey, webhookSecret, apiBase } }: Pick<ServerConfig, 'stripe'>): PaymentProvider {
  const load = async () => (await import('stripe')).default;
  let client: Promise<InstanceType<Awaited<ReturnType<typeof load>>>> | undefined;

  async function connect(key: string) {
    const Stripe = await load();
    const { protocol, hostname, port } = new URL(apiBase);
    return new Stripe(key, {
      host: hostname,
      port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
      protocol: protocol === 'http:' ? 'http' : 'https',
      maxNetworkRetries: 1,
      timeout: TIMEOUT_MS,
      telemetry: false,
    });
  }

  async function cancelSubscription(key: string, externalId: string): Promise<void> {
    const Stripe = await load();
    client ??= connect(key);
    try {
      const { subscriptions } = await client;
      await outgoingSpan('stripe subscriptions.cancel', apiBase, {}, () =>
        subscriptions.cancel(externalId, {}, { headers: requestIdHeader() }),
      );
    } catch (error) {
      // The subscription does not exist or is already canceled; Stripe gives the same error for both.
      if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing') return;
      throw new ProviderFailed(failureOf(error, key), { cause: redactCause(error, [key]) });
    }
  }

  async function verify(secret: string, payload: Buffer, signature: string): Promise<void> {
    const Stripe = await load();
    const { signature: signatures } = Stripe.webhooks;
    if (!signatures) throw new Error('the stripe package cannot check signatures');
    try {
      signatures.verifyHeader(payload, signature, secret, TOLERANCE_SECONDS);
    } catch (error) {
      // This also covers errors of the package itself, such as for an empty signature.
      throw new NotGenuine(failureOf(error, secret), { cause: redactCause(error, [secret]) });
    }
  }

  return {
    name: 'stripe',
    signatureHeader: SIGNATURE,
    cancelSubscription: secretKey === undefined ? null : (externalId) => cancelSubscription(secretKey, externalId),
    verify: webhookSecret === undefined ? null : (payload, header) => verify(webhookSecret, payload, header(SIGNATURE) ?? ''),
    read: readEvent,
  };
}

/** Only the first sentence of the error, without advice to developers; anything that looks like a key is hidden too. */
function failureOf(error: unknown, secret: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const sentence = /^[^\n]*?[.!?](?=\s|$)/.exec(message)?.[0] ?? message.split('\n')[0] ?? '';
  return redact(sentence.replaceAll(/\b[sr]k_\w+/g, '***'), [secret]);
}

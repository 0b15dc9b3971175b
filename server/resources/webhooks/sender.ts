import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { readsOf, type Store } from '../../db/open.ts';
import { asRequest, requestIdHeader } from '../../process/request-id.ts';
import { VERSION } from '../../process/version.ts';
import type { Poster, Posting } from '../../providers/webhooks/post.ts';
import { notify } from '../notifications/domain.ts';
import { claimDue, type DueDelivery, isAnyDue, settleDelivery } from './queue-store.ts';
import { nextDelayMs } from './rules.ts';
import { signatureOf } from './signing.ts';
import { lockEndpoint, suspendDeliveries, updateEndpoint } from './store.ts';

const AT_ONCE = 20;
/** Longer than an attempt can take, so that two servers never send the same delivery. */
const LEASE_MS = 60_000;
/** When the server stops, requests under way get this much time to be answered. */
const GRACE_MS = 5000;
const GONE = 410;

type Deps = { store: Store; log: Logger; poster: Poster; stopping: AbortSignal };

/** Returns the function that each tick calls: it sends the deliveries that are due. Any number of servers may call it. */
export function webhookSender(deps: Deps): () => Promise<void> {
  const { store: data, stopping } = deps;
  const cutOff = new AbortController();
  stopping.addEventListener('abort', () => setTimeout(() => cutOff.abort(), GRACE_MS).unref(), { once: true });
  return async () => {
    if (!(await isAnyDue(readsOf(data)))) return;
    while (!stopping.aborted) {
      const lease = randomUUID();
      const due = await data.write((db) => claimDue({ db, dialect: data.dialect }, { lease, leaseMs: LEASE_MS, limit: AT_ONCE }));
      if (due.length === 0) return;
      await Promise.all(due.map((delivery) => asRequest(delivery.request_id, () => deliver(deps, delivery, lease, cutOff.signal))));
    }
  };
}

async function deliver({ store: data, log, poster }: Deps, delivery: DueDelivery, lease: string, cutOff: AbortSignal): Promise<void> {
  const posting = await poster.post({ url: delivery.url, headers: headersOf(delivery), body: delivery.payload }, cutOff);
  const at = new Date().toISOString();
  const isDelivered = posting.error === null;
  const isGone = posting.status === GONE;
  const delayMs = isDelivered || isGone ? null : nextDelayMs(delivery.attempts, Math.random(), posting.retryAfterMs);
  const status = isDelivered ? 'delivered' : delayMs === null ? 'failed' : 'pending';
  await data.write(async (db) => {
    const settled = { status, responseStatus: posting.status, error: posting.error, at, dueInMs: delayMs ?? 0 } as const;
    const kept = await settleDelivery({ db, dialect: data.dialect }, { id: delivery.id, lease }, settled);
    if (kept && status === 'failed') await disable(data, db, delivery, posting, at);
  });
  const facts = { delivery: delivery.id, endpoint: delivery.endpoint_id, attempt: delivery.attempts, status: posting.status };
  if (isDelivered) log.info(facts, 'webhook delivered');
  else
    log.warn(
      { ...facts, reason: posting.error },
      status === 'failed'
        ? 'webhook not delivered and given up; its endpoint is switched off'
        : 'webhook not delivered; it will be tried again',
    );
}

function headersOf({ message_id, payload, secret, previous_secret, previous_until }: DueDelivery): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000);
  const isOldValid = previous_secret !== null && previous_until !== null && previous_until > new Date().toISOString();
  const secrets = isOldValid ? [secret, previous_secret] : [secret];
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': `Backroom/${VERSION}`,
    'webhook-id': message_id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf(secrets, { id: message_id, timestamp, body: payload }),
    ...requestIdHeader(),
  };
}

/** Switches off an endpoint that answered 410 Gone or has taken no delivery for days, and notifies the admins. */
async function disable(
  data: Store,
  db: Parameters<typeof lockEndpoint>[0]['db'],
  delivery: DueDelivery,
  posting: Posting,
  now: string,
): Promise<void> {
  const endpoint = await lockEndpoint({ db, dialect: data.dialect }, delivery.endpoint_id);
  if (!endpoint || endpoint.active === 0) return;
  const reason = posting.status === GONE ? 'it answered 410 Gone' : `${delivery.attempts} attempts failed, the last: ${posting.error}`;
  await updateEndpoint(db, endpoint.id, { active: 0, disabled_reason: reason, updated_at: now });
  await suspendDeliveries(db, endpoint.id);
  await notify({ db, now }, [
    {
      type: 'webhook_endpoint_disabled',
      title: 'Webhook endpoint switched off',
      message: `${endpoint.url} was switched off: ${reason}`,
      metadata: {
        ...{ webhook_endpoint_id: endpoint.id, reason, url: endpoint.url },
        ...(posting.status === GONE ? { gone: true } : { attempts: delivery.attempts, error: posting.error }),
      },
    },
  ]);
}

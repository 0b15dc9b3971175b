import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RawAnswer, TestApp } from './app.ts';

/** Events and answers as Stripe's documentation describes them. */

export const STRIPE_KEY = 'sk_test_key_of_the_tests';
export const STRIPE_SECRET = 'whsec_of_the_tests_0123456789';

type Json = Record<string, unknown>;
let made = 0;
const next = (): number => ++made;

export const seconds = (iso: string): number => Date.parse(iso) / 1000;
const AT = seconds('2026-03-01T12:00:00Z');
const MONTH = 31 * 86_400;

export function subscriptionObject(values: Json & { item?: Json } = {}): Json & { id: string } {
  const { item, ...others } = values;
  const id = `sub_${next()}`;
  return {
    id,
    object: 'subscription',
    application: null,
    billing_mode: { type: 'flexible' },
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    collection_method: 'charge_automatically',
    created: AT,
    currency: 'eur',
    customer: `cus_${made}`,
    ended_at: null,
    items: {
      object: 'list',
      data: [
        {
          id: `si_${made}`,
          object: 'subscription_item',
          current_period_start: AT,
          current_period_end: AT + MONTH,
          price: {
            id: 'price_1',
            object: 'price',
            currency: 'eur',
            unit_amount: 1990,
            unit_amount_decimal: '1990',
            recurring: { interval: 'month', interval_count: 1, usage_type: 'licensed' },
          },
          quantity: 1,
          subscription: id,
          ...item,
        },
      ],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    metadata: {},
    start_date: AT,
    status: 'active',
    trial_end: null,
    ...others,
  };
}

/** An invoice as Stripe sends it; `subscription` null: it belongs to no subscription. */
export function invoiceObject(subscription: string | null, values: Json = {}): Json & { id: string } {
  const id = `in_${next()}`;
  return {
    id,
    object: 'invoice',
    amount_due: 1990,
    amount_paid: 1990,
    amount_remaining: 0,
    billing_reason: 'subscription_cycle',
    created: AT,
    currency: 'eur',
    customer: 'cus_1',
    hosted_invoice_url: `https://invoice.stripe.com/i/${id}`,
    lines: {
      object: 'list',
      data: [{ id: `il_${made}`, object: 'line_item', amount: 1990, period: { start: AT, end: AT + MONTH } }],
      has_more: false,
    },
    livemode: false,
    metadata: {},
    parent:
      subscription === null
        ? null
        : { type: 'subscription_details', quote_details: null, subscription_details: { metadata: {}, subscription } },
    period_start: AT,
    period_end: AT,
    status: 'paid',
    total: 1990,
    ...values,
  };
}

export function paymentIntentObject(values: Json = {}): Json & { id: string } {
  const id = `pi_${next()}`;
  return {
    id,
    object: 'payment_intent',
    amount: 1000,
    amount_received: 1000,
    currency: 'eur',
    latest_charge: `ch_${made}`,
    metadata: {},
    status: 'succeeded',
    ...values,
  };
}

export function chargeObject(values: Json = {}): Json & { id: string } {
  return {
    id: `ch_${next()}`,
    object: 'charge',
    amount: 1000,
    amount_captured: 1000,
    amount_refunded: 0,
    captured: true,
    currency: 'eur',
    metadata: {},
    paid: true,
    payment_intent: null,
    refunded: false,
    status: 'succeeded',
    ...values,
  };
}

export function sessionObject(values: Json = {}): Json & { id: string } {
  return {
    id: `cs_test_${next()}`,
    object: 'checkout.session',
    amount_subtotal: 1000,
    amount_total: 1000,
    client_reference_id: null,
    currency: 'eur',
    customer: null,
    invoice: null,
    metadata: {},
    mode: 'payment',
    payment_intent: `pi_${made}`,
    payment_status: 'paid',
    status: 'complete',
    subscription: null,
    ...values,
  };
}

export type StripeEvent = { id: string; type: string; created: number } & Json;

export function eventOf(type: string, object: Json, values: { id?: string; at?: string; before?: Json } = {}): StripeEvent {
  const { id = `evt_${next()}`, at, before } = values;
  return {
    id,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: at === undefined ? AT : seconds(at),
    data: { object, ...(before ? { previous_attributes: before } : {}) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
}

/** The `Stripe-Signature` of a body: HMAC-SHA256 of `<timestamp>.<body>`. */
export function signatureOf(body: string, { secret = STRIPE_SECRET, at = Date.now() }: { secret?: string; at?: number } = {}): string {
  const timestamp = Math.floor(at / 1000);
  return `t=${timestamp},v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

export async function deliver(app: Pick<TestApp, 'request'>, event: object, headers?: Record<string, string>): Promise<RawAnswer> {
  const raw = JSON.stringify(event, null, 2);
  return app.request({
    method: 'POST',
    path: '/webhooks/stripe',
    raw,
    headers: headers ?? { 'stripe-signature': signatureOf(raw) },
    token: null,
  });
}

/** How the double answers requests about one subscription. */
type Mood = 'fine' | 'missing' | 'refuses' | 'fails' | 'hangs up';

export type StripeDouble = {
  url: string;
  /** Method and path of each request that had the right key. */
  requests: string[];
  /** The `X-Request-Id` of each of these requests. */
  requestIds: (string | string[] | undefined)[];
  answer(subscription: string, mood: Mood): void;
  close(): Promise<void>;
};

const errors: Record<'missing' | 'refuses' | 'fails', { status: number; error: Json }> = {
  missing: {
    status: 404,
    error: { type: 'invalid_request_error', code: 'resource_missing', param: 'id', message: 'No such subscription.' },
  },
  refuses: {
    status: 400,
    error: { type: 'invalid_request_error', message: 'This subscription cannot be canceled by sk_test_key_of_the_tests.' },
  },
  fails: { status: 500, error: { type: 'api_error', message: 'An unknown error occurred.' } },
};

/** The part of Stripe's API that the shop uses, on the loopback interface: `DELETE /v1/subscriptions/{id}`. */
export async function startStripe(): Promise<StripeDouble> {
  const moods = new Map<string, Mood>();
  const requests: string[] = [];
  const requestIds: StripeDouble['requestIds'] = [];
  const server: Server = createServer((request, response) => {
    request.resume();
    const send = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json', 'request-id': `req_${next()}`, 'stripe-should-retry': 'false' });
      response.end(JSON.stringify(body));
    };
    if (request.headers.authorization !== `Bearer ${STRIPE_KEY}`) {
      return send(401, { error: { type: 'invalid_request_error', message: 'Invalid API Key provided.' } });
    }
    requests.push(`${request.method} ${request.url}`);
    requestIds.push(request.headers['x-request-id']);
    const id = /^\/v1\/subscriptions\/([^/?]+)$/.exec(request.url ?? '')?.[1];
    if (request.method !== 'DELETE' || id === undefined) {
      return send(404, { error: { type: 'invalid_request_error', message: 'Unrecognized request URL.' } });
    }
    const mood = moods.get(id) ?? 'fine';
    if (mood === 'hangs up') return void request.socket.destroy();
    if (mood !== 'fine') return send(errors[mood].status, { error: errors[mood].error });
    moods.set(id, 'missing');
    return send(200, subscriptionObject({ id, status: 'canceled', canceled_at: AT, ended_at: AT }));
  });
  // Not five seconds: a busy client would send its next request over a connection that is just being closed.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    requestIds,
    answer: (id, mood) => void moods.set(id, mood),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

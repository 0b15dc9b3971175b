import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { Router } from '@koa/router';
import Koa from 'koa';
import { rawBody } from '../../server/http/body.ts';
import type { WireState } from '../../server/http/wire.ts';
import { Refusal } from '../../server/verbs/problem.ts';
import { onBothStores, STOPPED, startApp } from '../helpers/app.ts';
import { until } from '../helpers/machines.ts';
import { deliver, eventOf, paymentIntentObject, STRIPE_SECRET, signatureOf } from '../helpers/stripe-double.ts';

onBothStores(
  'acceptance of inbound webhooks',
  (app) => {
    const logged = async () => (await app().client.logs.list({ source: 'webhook' })).logs;
    const post = (raw: string | Buffer, signature?: string) =>
      app().request({
        method: 'POST',
        path: '/webhooks/stripe',
        raw,
        headers: signature === undefined ? {} : { 'stripe-signature': signature },
        token: null,
      });

    test('WI1: a signed event needs no token and makes one line in the log', async () => {
      const event = eventOf('customer.created', { id: 'cus_1', object: 'customer' });
      const answer = await deliver(app(), event);
      assert.deepEqual([answer.status, answer.body], [200, { received: true }]);
      const [entry] = await logged();
      assert.deepEqual([entry?.source, entry?.action, entry?.status], ['webhook', 'stripe.customer.created', 'ignored']);
      assert.equal(JSON.parse(entry?.detail ?? '').event_id, event.id);
    });

    test('LG2: a missing, wrong or old signature or a changed body is refused and logged', async () => {
      const raw = JSON.stringify(eventOf('payment_intent.succeeded', paymentIntentObject()));
      const minutes = (n: number) => Date.now() - n * 60_000;
      const refused: [string, string | undefined][] = [
        [raw, undefined],
        [raw, ''],
        [raw, 'nonsense'],
        [raw, 't=,v1='],
        [raw, signatureOf(raw, { secret: 'whsec_of_somebody_else' })],
        [raw, signatureOf(raw, { at: minutes(6) })],
        [raw, signatureOf(raw).replace('v1=', 'v0=')],
        [raw.replace('"amount":1000', '"amount":9000'), signatureOf(raw)],
        ['', signatureOf(raw)],
      ];
      for (const [body, signature] of refused) {
        const before = (await app().client.logs.list({ source: 'webhook' })).total;
        const answer = await post(body, signature);
        assert.equal(answer.status, 400, answer.text);
        assert.equal((answer.body as { code: string }).code, 'signature_invalid');
        assert.equal(answer.headers['ratelimit-policy'], '"webhooks";q=60;w=60');
        assert.match(answer.headers['ratelimit'] ?? '', /^"webhooks";r=\d+;t=\d+$/);
        const { total, logs } = await app().client.logs.list({ source: 'webhook' });
        assert.equal(total, before + 1);
        assert.deepEqual([logs[0]?.action, logs[0]?.status], ['stripe.rejected', 'rejected']);
      }
      assert.equal((await post(raw, signatureOf(raw, { at: minutes(4) }))).status, 200, 'four minutes old');
      assert.ok(!JSON.stringify(await logged()).includes(STRIPE_SECRET));
    });

    test('an unsigned request is refused before its body; signed ones are 503 beyond a number of unfinished bodies', async () => {
      const { port, hostname } = new URL(app().url);
      const sockets: Socket[] = [];
      /** Announces a body and never sends it; answers the status. */
      const begin = (headers: string): Promise<string> => {
        const socket = connect(Number(port), hostname);
        sockets.push(socket);
        socket.on('error', () => undefined);
        socket.write(`POST /webhooks/stripe HTTP/1.1\r\nHost: shop\r\nContent-Length: 1000\r\n${headers}\r\n`);
        return new Promise((resolve) => socket.once('data', (chunk) => resolve(chunk.toString('latin1').slice(9, 12))));
      };
      assert.equal(await begin(''), '400');
      const signed = `Stripe-Signature: ${signatureOf('x')}\r\n`;
      const answers = Array.from({ length: 40 }, () => begin(signed));
      assert.equal(await Promise.race(answers), '503');
      for (const socket of sockets) socket.destroy();
      await until(
        'they are let go of',
        async () => (await deliver(app(), eventOf('customer.created', { id: 'cus_1', object: 'customer' }))).status === 200,
      );
    });

    test('a body that does not arrive in time is refused', async () => {
      const waiting = new Koa<WireState>();
      const refused = Promise.withResolvers<unknown>();
      const router = new Router<WireState>().post('/', (ctx, next) => Promise.resolve(rawBody(2000, 20)(ctx, next)).catch(refused.resolve));
      waiting.use(router.routes());
      const server = waiting.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const socket = connect(port, '127.0.0.1');
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{');
      const refusal = await refused.promise;
      assert.ok(refusal instanceof Refusal && refusal.code === 'malformed_json', String(refusal));
      socket.destroy();
      server.close();
    });

    test('a signed body that is no event is 400 and logged; an event with odd values is ignored', async () => {
      for (const raw of ['', 'null', '[]', '{"object":"event"}', '{', '{"object":"v2.core.event","id":"evt_1"}', '\u0000']) {
        const answer = await post(raw, signatureOf(raw));
        assert.equal(answer.status, 400, `${raw} ${answer.text}`);
        assert.equal((await logged())[0]?.status, 'rejected');
      }
      const odd = eventOf('customer.subscription.updated', { id: 'sub_\u0000', object: 'subscription', status: 7 });
      assert.equal((await deliver(app(), odd)).status, 200);
      const [entry] = await logged();
      assert.deepEqual([entry?.status, entry?.action], ['ignored', 'stripe.customer.subscription.updated']);
      assert.match(entry?.summary ?? '', /is not understood: .*status/);
      assert.equal((await deliver(app(), { ...eventOf('a.b', {}), id: 'evt_\u0000' })).status, 400);
    });

    test('G3: other methods are 405, unknown names 404, bodies over 1 MiB 413', async () => {
      const get = await app().request({ path: '/webhooks/stripe', token: null });
      assert.deepEqual([get.status, get.headers['allow']], [405, 'POST']);
      for (const path of ['/webhooks/paypal', '/webhooks/', '/webhooks/stripe/', '/webhooks/constructor']) {
        assert.equal((await app().request({ method: 'POST', path, raw: '{}', token: null })).status, 404, path);
      }
      assert.equal((await post(Buffer.alloc(1024 * 1024 + 1, 32), 't=1,v1=0')).status, 413);
    });
  },
  { env: { STRIPE_WEBHOOK_SECRET: STRIPE_SECRET } },
);

test('a flood of unsigned requests gets 429, and only the others are logged', async (t) => {
  const app = await startApp('sqlite', { env: { STRIPE_WEBHOOK_SECRET: STRIPE_SECRET }, rateClock: STOPPED });
  t.after(() => app.close());
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => app.request({ method: 'POST', path: '/webhooks/stripe', raw: '{}', token: null })),
  );
  const limited = answers.filter(({ status }) => status === 429);
  assert.equal(limited.length, 40);
  assert.ok(limited.every(({ headers }) => Number(headers['retry-after']) >= 1));
  assert.ok(limited.every(({ headers }) => /^"webhooks";r=0;t=\d+$/.test(headers['ratelimit'] ?? '')));
  assert.equal((await app.client.logs.list({ source: 'webhook' })).total, 60);
  const event = eventOf('customer.created', { id: 'cus_1', object: 'customer' });
  assert.equal((await deliver(app, event)).status, 200, 'a signed event is still accepted');
});

test('without a configured secret webhooks are 404', async (t) => {
  const app = await startApp('sqlite');
  t.after(() => app.close());
  const answer = await deliver(app, eventOf('customer.created', { id: 'cus_1', object: 'customer' }));
  assert.equal(answer.status, 404);
  assert.match(answer.text, /secret/);
});

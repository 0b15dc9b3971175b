import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer, makeOrder } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun } from '../helpers/runs.ts';
import { deliver, eventOf, paymentIntentObject, STRIPE_SECRET } from '../helpers/stripe-double.ts';

onBothStores(
  'admin log',
  (app) => {
    test('LG2, O20: each successful admin write leaves an entry, newest first; a refused one none', async () => {
      const { client } = app();
      const { id } = await makeCustomer(app());
      const order = await makeOrder(app());
      await client.customers.create_note(id, { body: 'called back' });
      await client.orders.update_delivery_date(order.id, { delivery_date: '2026-12-24' });
      await refused(client.customers.create_note(id, { body: ' ' }), 422, 'blank');
      const { logs } = await client.logs.list();
      assert.deepEqual(
        logs.slice(0, 2).map(({ source, action, status }) => ({ source, action, status })),
        [
          { source: 'admin', action: 'admin.orders.update_delivery_date', status: 'success' },
          { source: 'admin', action: 'admin.customers.create_note', status: 'success' },
        ],
      );
    });

    test('an entry names the admin whose act it was, by the name of then, and the run that did it for them', async () => {
      const { client, clientFor } = app();
      const { id } = await makeCustomer(app());
      const colleague = await person(app(), { permissions: ['admin_api.customers.write'], name: 'Ida' });
      await clientFor(colleague.token).customers.create_note(id, { body: 'called back' });
      await client.admins.update(colleague.adminId, { name: 'Ida Berg' });
      const run = await claimedRun(app());
      assert.equal((await run.call('POST', `/customers/${id}/notes`, { body: 'by a run' })).status, 201);
      const notes = (await client.logs.list()).logs.filter(({ action }) => action === 'admin.customers.create_note');
      const owner = z.object({ id: z.int(), name: z.string() }).parse(await client.me.get());
      assert.deepEqual(
        notes.slice(0, 2).map(({ source, admin_id, admin_name, run_id }) => ({ source, admin_id, admin_name, run_id })),
        [
          { source: 'ai_task', admin_id: owner.id, admin_name: owner.name, run_id: run.runId },
          { source: 'admin', admin_id: colleague.adminId, admin_name: 'Ida', run_id: null },
        ],
      );
    });

    test('PG2: pages of 50, without per_page in or out', async () => {
      const { client } = app();
      const { id } = await makeCustomer(app());
      for (let i = 0; i < 60; i++) await client.customers.create_note(id, { body: `note ${i}` });
      const first = await client.logs.list();
      assert.deepEqual(Object.keys(first).sort(), ['logs', 'next_cursor', 'page', 'total', 'total_pages']);
      assert.equal(first.logs.length, 50);
      assert.equal(first.page, 1);
      assert.equal(first.total_pages, Math.ceil(first.total / 50));
      const second = await client.logs.list({ page: 2 });
      assert.equal(second.logs.length, Math.min(50, first.total - 50));
      const ids = [...first.logs, ...second.logs].map((entry) => entry.id);
      assert.equal(new Set(ids).size, ids.length);
      assert.deepEqual((await client.logs.list({ cursor: first.next_cursor ?? '' })).logs, second.logs);
      assert.deepEqual((await client.logs.list({ page: 900 })).logs, []);
      await refused(client.logs.list({ page: 0 }), 422, 'out_of_range');
    });

    test('LG1: by source; an unknown one finds nothing', async () => {
      const { client } = app();
      await deliver(app(), eventOf('payment_intent.succeeded', paymentIntentObject()));
      const found = await client.logs.list({ source: 'webhook' });
      const [entry] = found.logs;
      assert.deepEqual(
        [found.total, entry?.action, entry?.status, entry?.admin_id],
        [1, 'stripe.payment_intent.succeeded', 'ignored', null],
      );
      assert.deepEqual((await client.logs.list({ source: 'carrier-pigeon' })).total, 0);
    });

    test('AU7: the log needs admin_api.logs.read', async () => {
      await refused(
        app()
          .clientFor((await person(app())).token)
          .logs.list(),
        403,
        'forbidden',
      );
      await app()
        .clientFor((await person(app(), { permissions: ['admin_api.logs.read'] })).token)
        .logs.list();
    });
  },
  { env: { STRIPE_WEBHOOK_SECRET: STRIPE_SECRET } },
);

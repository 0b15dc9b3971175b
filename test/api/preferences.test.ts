import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeVariant } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { phoneOrder } from '../helpers/phone-orders.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('notification preferences', (app) => {
  test('PR1: all events are on by default; each admin switches their own', async () => {
    const { client } = app();
    const colleague = app().clientFor((await person(app(), { role: 'owner' })).token);
    assert.deepEqual(await client.preferences.list(), [
      { event_type: 'order_placed', label: 'New order', email_enabled: true, scope: 'all', unless_set: 'all' },
      { event_type: 'inquiry_received', label: 'New inquiry', email_enabled: true, scope: 'all', unless_set: 'all' },
      { event_type: 'task_run_failed', label: 'A run of a task failed', email_enabled: true, scope: 'own', unless_set: 'own' },
      {
        event_type: 'task_run_interrupted',
        label: 'A run of a task was interrupted',
        email_enabled: true,
        scope: 'own',
        unless_set: 'own',
      },
      { event_type: 'task_run_stuck', label: 'A run of a task may be stuck', email_enabled: true, scope: 'own', unless_set: 'own' },
      {
        event_type: 'task_paused',
        label: 'A task was paused in the trial of its new version',
        email_enabled: true,
        scope: 'own',
        unless_set: 'own',
      },
      {
        event_type: 'task_missed',
        label: 'A task did not start when it should have',
        email_enabled: true,
        scope: 'own',
        unless_set: 'own',
      },
    ]);
    assert.deepEqual(await client.preferences.update('order_placed', { email_enabled: false }), { email_enabled: false });
    assert.deepEqual(
      (await client.preferences.list()).map((one) => one.email_enabled),
      [false, true, true, true, true, true, true],
    );
    assert.deepEqual(
      (await colleague.preferences.list()).map((one) => one.email_enabled),
      [true, true, true, true, true, true, true],
    );
    assert.deepEqual(await client.preferences.update('order_placed', { email_enabled: true }), { email_enabled: true });
    assert.equal((await client.preferences.list())[0]?.email_enabled, true);
  });

  test('who has chosen can go back to being told as if nothing had been chosen', async () => {
    const { preferences } = app().client;
    const scopeOf = async (type: string) => {
      const one = (await preferences.list()).find(({ event_type }) => event_type === type);
      return [one?.email_enabled, one?.scope];
    };
    await preferences.update('task_missed', { email_enabled: false });
    await preferences.update('task_missed', { email_enabled: true });
    assert.deepEqual(await scopeOf('task_missed'), [true, 'all']);
    for (let n = 0; n < 2; n += 1) await preferences.reset('task_missed');
    assert.deepEqual(await scopeOf('task_missed'), [true, 'own']);
    await preferences.update('order_placed', { email_enabled: false });
    await preferences.reset('order_placed');
    assert.deepEqual(await scopeOf('order_placed'), [true, 'all']);
    const [entry] = (await app().client.audit_log.list({ resource_type: 'notification_preference' })).data;
    assert.deepEqual(entry?.changes, { order_placed: [false, null] });
  });

  test('PR1: an event that the admin may not see is not listed and 403; an unknown event is 404', async () => {
    const { token } = await person(app(), { permissions: ['admin_api.orders.write'] });
    const client = app().clientFor(token);
    assert.deepEqual(
      (await client.preferences.list()).map((one) => one.event_type),
      ['order_placed'],
    );
    await refused(client.preferences.update('inquiry_received', { email_enabled: false }), 403, 'forbidden');
    await refused(client.preferences.update('moon_landing', { email_enabled: false }), 404, 'not_found');
    await refused(client.preferences.reset('inquiry_received'), 403, 'forbidden');
    await refused(client.preferences.reset('moon_landing'), 404, 'not_found');
  });

  test('PR1: a new order is mailed to the admins who may read orders and have not switched the mail off', async () => {
    const { client, clientFor } = app();
    const willing = await person(app(), { permissions: ['admin_api.orders.read'] });
    const unwilling = await person(app(), { permissions: ['admin_api.orders.read'] });
    const outsider = await person(app(), { permissions: ['admin_api.products.read'] });
    await clientFor(unwilling.token).preferences.update('order_placed', { email_enabled: false });
    const variant = await makeVariant(app(), { stock: 3 });
    const { public_id } = await client.orders.create(phoneOrder([{ variant_id: variant.id, quantity: 1 }]));
    const mails = (await client.mails.list({ per_page: 100 })).data.filter(({ template }) => template === 'order_placed');
    const to = mails.map(({ to_address }) => to_address);
    const emailOf = async ({ token }: { token: string }) => (await clientFor(token).me.get()).email;
    assert.ok(to.includes(await emailOf(willing)));
    assert.ok(!to.includes(await emailOf(unwilling)));
    assert.ok(!to.includes(await emailOf(outsider)));
    assert.ok(mails.every(({ subject }) => subject.includes(public_id)));
  });

  test('PR2: email_enabled is a boolean and must be sent', async () => {
    const path = '/admin/api/me/notification-preferences/order_placed';
    const missing = await app().request({ method: 'PUT', path, body: {} });
    assert.equal(missing.status, 422);
    const text = await app().request({ method: 'PUT', path, body: { email_enabled: 'yes' } });
    assert.equal(text.status, 422);
  });
});

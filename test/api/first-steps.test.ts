import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { onBothStores, type TestApp } from '../helpers/app.ts';
import { makeOrder, makeProduct } from '../helpers/builders.ts';
import { PasskeyBrowser } from '../helpers/passkey-browser.ts';
import { person } from '../helpers/people.ts';
import { claimedRun, makeTask } from '../helpers/runs.ts';
import { expireLinks } from '../helpers/stored-rows/people.ts';
import { machineCode } from '../helpers/stored-rows/sessions.ts';

const SENDER = { name: 'Kiln', line1: 'Hauptplatz 1', city: 'Wien', postal_code: '1010', country: 'AT' };
const SOURCE = { name: 'Tidy', description: '', source_code: 'log(1)', permissions: [], parameters: [] };

/** The steps that are done, and those that are not, as the admin is told. */
async function stepsOf({ dashboard }: TestApp['client']): Promise<{ done: string[]; open: string[] } | null> {
  const { first_steps: steps } = await dashboard.get();
  const names = (isDone: boolean) => (steps ?? []).filter(({ done }) => done === isDone).map(({ step }) => step);
  return steps && { done: names(true), open: names(false) };
}

onBothStores('the first steps of a shop', (app) => {
  test('DA5: each step is done by what is stored, and open again when that is taken back', async () => {
    const { client, store } = app();
    const all = ['shop', 'product', 'courier', 'mail', 'passkey', 'person', 'task'];
    const done = async (...names: string[]) =>
      assert.deepEqual(await stepsOf(client), { done: names, open: all.filter((name) => !names.includes(name)) });
    await done();
    await client.settings.update({ shop_name: 'Kiln & Clay' });
    await done('shop');
    const { id: product } = await makeProduct(app());
    await done('shop', 'product');
    await client.settings.update({ courier: { sender: SENDER } });
    await done('shop', 'product', 'courier');
    await client.settings.update({ courier: { provider: 'easypost' } });
    await done('shop', 'product');
    await client.settings.update({ courier: { easypost_api_key: 'EZTK-test' } });
    await done('shop', 'product', 'courier');
    await client.settings.update({ smtp: { host: 'smtp.example.org', from: 'shop@example.org' } });
    await done('shop', 'product', 'courier', 'mail');
    await client.admin_invitations.create({ email: 'eszter@example.org', name: 'Eszter', role: 'owner', send_mail: false });
    await done('shop', 'product', 'courier', 'mail', 'person');
    await expireLinks(store);
    await done('shop', 'product', 'courier', 'mail');
    const { id: second } = await client.admins.create({ name: 'Eszter', email: 'eszter@example.org', role: 'owner' });
    const { task_id: task } = await client.ai_tasks.create(SOURCE);
    const { passkey_code } = await client.me.redeem_sign_in_link({ code: await machineCode(store, (await client.me.get()).id) });
    assert.equal((await new PasskeyBrowser(app()).enrol(passkey_code ?? '')).status, 201);
    await done(...all);
    await client.admins.update(second, { active: false });
    await client.ai_tasks.delete(task);
    await client.products.delete(product);
    await client.settings.update({ smtp: null, shop_name: 'Backroom', courier: { provider: 'manual', sender: null } });
    await done('passkey');
  });

  test('DA5: an admin is told of what they may do alone; a shop with ten orders has no first steps any more', async () => {
    const { client } = app();
    for (const [permissions, open] of [
      [
        ['admin_api.products.write', 'admin_api.ai_tasks.write'],
        ['product', 'task'],
      ],
      [['admin_api.settings.write'], ['shop', 'courier']],
      [['admin_api.settings.read', 'admin_api.products.read'], []],
    ] as const) {
      const { token } = await person(app(), { permissions: ['admin_api.dashboard.read', ...permissions] });
      assert.deepEqual(await stepsOf(app().clientFor(token)), { done: [], open });
    }
    const run = await claimedRun(app(), {}, await makeTask(app(), { permissions: ['admin_api.dashboard.read'] }));
    const { body } = await run.call('GET', '/dashboard');
    assert.equal(z.object({ first_steps: z.unknown() }).parse(body).first_steps, null, 'a run');
    for (let made = 0; made < 9; made++) await makeOrder(app());
    assert.ok(await stepsOf(client), 'nine orders');
    const { id } = await makeOrder(app());
    assert.equal(await stepsOf(client), null, 'ten orders');
    await client.orders.update_test_flag(id, { is_test: true });
    assert.ok(await stepsOf(client), 'an order that tries things out does not count');
  });
});

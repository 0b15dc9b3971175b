import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpointList } from '../../contract/index.ts';
import { adminPermissions, RUNNER_PERMISSION } from '../../contract/permissions.ts';
import { OWNER_TOKEN, onBothStores, STOPPED } from '../helpers/app.ts';
import { makeAddress, makeCustomer, makeOrder, makeVariant } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { makeTask, openRun } from '../helpers/runs.ts';

/** What other shops' back offices had to mend in 2026 (advisories of Vendure), tried on this one. */
onBothStores(
  'attacks that other shops have had',
  (app) => {
    const newestEntry = async () => (await app().client.audit_log.list({ per_page: 1 })).data[0]?.id;

    test('who is weaker can neither rotate, nor reset, nor end what a stronger admin signs in with', async () => {
      const { client, clientFor } = app();
      const owner = await person(app(), { role: 'owner', name: 'Strong' });
      const everything = adminPermissions.filter((one) => !one.startsWith('admin_api.admins.') && one !== RUNNER_PERMISSION);
      for (const weaker of [
        await person(app(), { permissions: everything }),
        // An owner's token with a list of its own is no owner's.
        await person(app(), { role: 'owner', list: everything }),
      ]) {
        const theirs = clientFor(weaker.token);
        const before = await newestEntry();
        await refused(theirs.admins.create_token(owner.adminId, { name: 'mine' }), 403, 'forbidden');
        await refused(theirs.admins.create_sign_in_link(owner.adminId, {}), 403, 'forbidden');
        await refused(theirs.admins.update(owner.adminId, { email: 'mine@example.com' }), 403, 'forbidden');
        await refused(theirs.admins.update(weaker.adminId, { role: 'owner' }), 403, 'forbidden');
        await refused(theirs.admins.delete(owner.adminId), 403, 'forbidden');
        await refused(theirs.admin_invitations.create({ email: 'mine@example.com' }), 403, 'forbidden');
        await refused(theirs.me.revoke_token(owner.tokenId), 404, 'not_found');
        // Where the links of others go is theirs who may make such links.
        await refused(theirs.settings.update({ public_url: 'https://mine.example' }), 403, 'forbidden');
        const smtp = { host: '127.0.0.1', port: 1, from: 'mine@example.com' };
        await refused(theirs.settings.update({ smtp }), 403, 'forbidden');
        assert.equal(await newestEntry(), before);
      }
      assert.equal((await clientFor(owner.token).me.get()).id, owner.adminId);
      assert.equal((await client.admins.get(owner.adminId)).email.endsWith('@example.com'), true);
    });

    test('a token makes none that may more, and none of them outlives a change of what its admin may', async () => {
      const { client, clientFor } = app();
      const clerk = await person(app(), { permissions: ['admin_api.orders.read', 'admin_api.customers.write'] });
      const theirs = clientFor(clerk.token);
      const { token: more } = await theirs.me.create_token({ name: 'more', permissions: ['admin_api.orders.write'] });
      await refused(clientFor(more ?? '').orders.bulk_status({ ids: [1], status: 'shipped' }), 403, 'forbidden');
      const { token } = await theirs.me.create_token({ name: 'same', permissions: ['admin_api.customers.write'] });
      const second = clientFor(token ?? '');
      await second.customers.list();
      await client.admins.update(clerk.adminId, { permissions: ['admin_api.orders.read'] });
      await refused(second.customers.list(), 403, 'forbidden');
    });

    test('orders at the same time sell what is there and no piece more', async () => {
      const { client } = app();
      const variant = await makeVariant(app(), { stock: 5, allow_backorder: false });
      const sold = await Promise.allSettled(Array.from({ length: 20 }, () => makeOrder(app(), {}, [{ variant, quantity: 1 }])));
      const orders = sold.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      assert.equal(orders.length, 5);
      for (const one of sold) if (one.status === 'rejected') await refused(Promise.reject(one.reason), 409, 'insufficient_stock');
      assert.equal((await client.products.get_variant(variant.id)).stock, 0);
      // The same by edits of orders that are there.
      await client.products.change_stock(variant.id, { delta: 3, reason: 'found' });
      const edits = await Promise.allSettled(
        orders.map(async ({ id }) => {
          const { items } = await client.orders.get(id);
          return client.orders.edit(id, { items: items.map((item) => ({ id: item.id, quantity: 2 })) });
        }),
      );
      assert.equal(edits.filter(({ status }) => status === 'fulfilled').length, 3);
      assert.equal((await client.products.get_variant(variant.id)).stock, 0);
    });

    test('a draft is nothing to who is not signed in, and to who may not read pages', async () => {
      const { client, request } = app();
      const { id } = await client.pages.create({ slug: 'secret-plans', title: 'Secret plans' });
      await client.pages.save_draft(id, { content: '<p>not yet</p>' });
      const clerk = await person(app(), { permissions: ['admin_api.orders.write'] });
      const reads = endpointList.filter((one) => one.permission === 'admin_api.pages.read');
      assert.ok(reads.length >= 6);
      for (const { method, path } of reads) {
        const asked = { method, path: `/admin/api${path.replaceAll(/\{\w+\}/g, String(id))}`, ...(method === 'GET' ? {} : { body: {} }) };
        const [guest, stranger] = [await request({ ...asked, token: null }), await request({ ...asked, token: clerk.token })];
        assert.deepEqual([guest.status, stranger.status], [401, 403], path);
        assert.doesNotMatch(guest.text + stranger.text, /not yet|Secret plans/);
      }
    });

    test('what belongs to one record is not reached, changed or deleted through another one', async () => {
      const { client, request } = app();
      const parents = { order: (await makeOrder(app())).id, customer: (await makeCustomer(app())).id, task: await makeTask(app()) };
      const child = await children();
      const below = endpointList.filter(({ path, ownRun }) => !ownRun && /\{\w*id\}.*\{\w*id\}/.test(path));
      assert.ok(below.length > 40);
      const before = await newestEntry();
      for (const { method, path } of below) {
        const parent = Object.entries(child).find(([prefix]) => path.startsWith(prefix));
        assert.ok(parent, `no record of another one for ${path}`);
        const [prefix, others] = parent;
        const at = { '/orders': parents.order, '/customers': parents.customer, '/ai-tasks': parents.task }[prefix] ?? others['parent'];
        let n = 0;
        const filled = path.replaceAll(/\/([\w-]+)\/\{(\w+)\}/g, (_, folder: string) => {
          n += 1;
          const id = n === 1 ? at : others[folder];
          assert.ok(id, `no ${folder} of another record for ${path}`);
          return `/${folder}/${id}`;
        });
        const answer = await request({
          method,
          path: `/admin/api${filled}`,
          ...(method === 'GET' ? {} : { body: {} }),
          token: OWNER_TOKEN,
        });
        assert.equal(answer.status, 404, `${method} ${filled}: ${answer.text}`);
      }
      assert.equal(await newestEntry(), before);

      async function children(): Promise<Record<string, Record<string, number>>> {
        const order = (await makeOrder(app())).id;
        const customer = (await makeCustomer(app())).id;
        const { taskId, runId } = await openRun(app());
        const {
          task: { current_version_id: version },
        } = await client.ai_tasks.get(taskId);
        const { shipment } = await client.orders.create_shipment(order, {});
        const hook = await client.webhooks.create({ url: 'https://known-attacks.invalid/hook', events: ['customer.created'] });
        await makeCustomer(app());
        const [delivery] = await client.webhooks.list_deliveries(hook.id);
        const other = await client.webhooks.create({ url: 'https://known-attacks.invalid/other', events: ['order.created'] });
        return {
          '/orders': {
            payments: (await client.orders.create_payment(order, { label: 'cash', amount_cents: 1 })).id,
            shipments: shipment.id,
            comments: (await client.orders.create_comment(order, { body: 'theirs' })).id,
          },
          '/customers': {
            addresses: (await makeAddress(app(), customer)).id,
            notes: (await client.customers.create_note(customer, { body: 'theirs' })).id,
            files: 1,
          },
          '/ai-tasks': {
            versions: version ?? 0,
            runs: runId,
            hooks: (await client.ai_tasks.create_hook(taskId, { name: 'theirs' })).id,
            schedules: (await client.ai_tasks.create_schedule(taskId, { cron: '0 9 * * *' })).id,
            triggers: (await client.ai_tasks.create_trigger(taskId, { event: 'order.created' })).id,
            comments: (await client.ai_tasks.create_comment(taskId, version ?? 0, { line: 1, text: 'theirs' })).id,
            prompts: 1,
            artifacts: 1,
            checkpoints: 1,
            'gathered-starts': 1,
          },
          '/admins': { parent: (await person(app())).adminId, sessions: 1 },
          '/webhook-endpoints': { parent: other.id, deliveries: delivery?.id ?? 0 },
        };
      }
    });
  },
  { rateClock: STOPPED },
);

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission } from '../../contract/permissions.ts';
import type { TimelineEntry } from '../../contract/timeline.ts';
import { connectAgent } from '../helpers/agents.ts';
import { onBothStores } from '../helpers/app.ts';
import { grantCredits, makeCustomer, makeOrder } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, makeTask } from '../helpers/runs.ts';

const ofEntry = ({ kind, action }: TimelineEntry) => `${kind} ${action}`;

onBothStores('timelines', (app) => {
  const clientOf = async (permissions: Permission[], name?: string) =>
    app().clientFor((await person(app(), { permissions, ...(name ? { name } : {}) })).token);

  /** An order that somebody has worked on. */
  async function workedOn() {
    const { client } = app();
    const order = await makeOrder(app());
    await client.orders.update_status(order.id, { status: 'processing' });
    const comment = await client.orders.create_comment(order.id, { body: 'Call first' });
    await client.orders.update_comment(order.id, comment.id, { body: 'Call at noon' });
    const kept = await client.orders.create_payment(order.id, { label: 'Deposit', amount_cents: 100, note: 'cash' });
    const gone = await client.orders.create_payment(order.id, { label: 'Rest', amount_cents: 200 });
    await client.orders.update_payment(order.id, kept.id, { paid: true });
    await client.orders.delete_payment(order.id, gone.id);
    await client.orders.edit(order.id, { internal_notes: 'Ring twice', payment_adjustment_note: 'the buyer asked', notify_customer: true });
    await client.orders.create_locker_shipment(order.id, 'packeta', { provider_shipment_id: 'Z-1' });
    return { ...order, comment, kept };
  }

  test('TI1: an order shows what was made of it and what was changed, newest first, with who and why', async () => {
    const { id, comment, kept } = await workedOn();
    const { data, next_cursor } = await app().client.orders.timeline(id);
    assert.equal(next_cursor, null);
    assert.deepEqual(
      data.map(ofEntry).filter((one) => !/^change orders.\w+_payment$/.test(one)),
      [
        'shipment orders.create_locker_shipment',
        'change orders.edit',
        'mail mails.send',
        'payment orders.delete_payment',
        'payment orders.update_payment',
        'payment orders.create_payment',
        'comment orders.create_comment',
        'change orders.update_status',
        'change orders.create',
      ],
    );
    assert.deepEqual(
      data.map(({ at }) => at),
      data.map(({ at }) => at).toSorted((a, b) => b.localeCompare(a)),
    );
    const at = (action: string) => data.find((entry) => entry.action === action);
    const owner = { type: 'admin', admin_id: 1, name: at('orders.edit')?.actor?.name, run_id: null, task_id: null, task_name: null };
    for (const action of ['orders.edit', 'orders.update_status', 'orders.create_payment', 'orders.create', 'orders.create_locker_shipment'])
      assert.deepEqual(at(action)?.actor, owner, action);
    assert.deepEqual(at('orders.update_status')?.changes, { status: ['pending', 'processing'] });
    assert.deepEqual([at('orders.edit')?.note, at('orders.edit')?.changes['internal_notes']], ['the buyer asked', [null, 'Ring twice']]);
    assert.deepEqual(at('orders.create_comment')?.comment?.body, 'Call at noon');
    assert.equal(at('orders.create_comment')?.id, comment.id);
    assert.deepEqual([at('orders.create_payment')?.id, at('orders.create_payment')?.note], [kept.id, 'cash']);
    assert.equal(at('orders.create_payment')?.payment?.paid, true);
    const paid = data.find(({ kind, action }) => kind === 'payment' && action === 'orders.update_payment');
    assert.deepEqual(paid?.changes['paid'], [false, true]);
    assert.equal(at('mails.send')?.mail?.template, 'order_updated');
  });

  test('TI1: pages follow one another without a gap or a repeat, also where something comes meanwhile; a kind leaves its own', async () => {
    const { id } = await workedOn();
    const { orders } = app().client;
    const whole = (await orders.timeline(id)).data;
    const read: TimelineEntry[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof orders.timeline>> = await orders.timeline(id, { per_page: 2, ...(cursor ? { cursor } : {}) });
      read.push(...page.data);
      cursor = page.next_cursor;
      if (read.length === 2) await orders.create_comment(id, { body: 'meanwhile' });
    }
    assert.deepEqual(read, whole);
    for (const kind of ['comment', 'change', 'payment', 'shipment', 'mail'] as const) {
      const { data } = await orders.timeline(id, { kind });
      assert.ok(data.length > 0, kind);
      const expected = whole.filter((entry) => entry.kind === kind);
      assert.deepEqual(data.slice(kind === 'comment' ? 1 : 0), expected, kind);
    }
    const { next_cursor } = await orders.timeline(id, { per_page: 2 });
    await refused(orders.timeline(id, { kind: 'mail', cursor: next_cursor ?? '' }), 422, 'invalid_value');
    await refused(orders.timeline(id, { cursor: 'x' }), 422, 'invalid_value');
    await refused(orders.timeline(999_999), 404, 'not_found');
  });

  test('TI2: without the logs, neither changes nor mails nor who made a record are shown', async () => {
    const { id } = await workedOn();
    const reader = await clientOf(['admin_api.orders.read']);
    const { data } = await reader.orders.timeline(id);
    assert.deepEqual(data.map(ofEntry), [
      'shipment orders.create_locker_shipment',
      'change orders.edit',
      'payment orders.create_payment',
      'comment orders.create_comment',
      'change orders.create',
    ]);
    // An edit and a comment say themselves whose they are.
    assert.deepEqual(
      data.map(({ actor }) => actor?.type ?? null),
      [null, 'admin', null, 'admin', null],
    );
    assert.deepEqual(data[1]?.changes, {});
    for (const kind of ['mail', 'run'] as const) assert.deepEqual((await reader.orders.timeline(id, { kind })).data, []);
    await refused((await clientOf(['admin_api.logs.read'])).orders.timeline(id), 403, 'forbidden');
  });

  test('TI1, TI2: what a run did names the run, and the task for who may read tasks; no run sees the logs', async () => {
    const { id } = await makeOrder(app());
    const task = await makeTask(app(), { name: 'Mark late', permissions: ['admin_api.orders.write', 'admin_api.orders.read'] });
    const run = await claimedRun(app(), {}, task);
    assert.equal((await run.call('PATCH', `/orders/${id}/status`, { status: 'processing' })).status, 204);
    assert.equal((await run.call('POST', `/orders/${id}/comments`, { body: 'late' })).status, 201);
    const seen = await run.call('GET', `/orders/${id}/timeline`);
    assert.doesNotMatch(seen.text, /update_status/);
    const { data } = await app().client.orders.timeline(id, { kind: 'run' });
    assert.deepEqual(data.map(ofEntry), ['change orders.create_comment', 'change orders.update_status']);
    const actorOf = ({ actor }: TimelineEntry) => [actor?.type, actor?.run_id, actor?.task_id, actor?.task_name];
    assert.deepEqual(data.map(actorOf), [
      ['task', run.runId, task, 'Mark late'],
      ['task', run.runId, task, 'Mark late'],
    ]);
    const [comment] = (await app().client.orders.timeline(id, { kind: 'comment' })).data;
    assert.deepEqual(comment && actorOf(comment), ['task', run.runId, task, 'Mark late']);
    const support = await clientOf(['admin_api.orders.read', 'admin_api.logs.read']);
    const [change] = (await support.orders.timeline(id, { kind: 'run' })).data;
    assert.deepEqual(change && actorOf(change), ['task', run.runId, null, null]);
  });

  test('TI1, TI2: a customer shows notes, credits, access, files, orders, inquiries and mails, each to who may read it', async () => {
    const { client } = app();
    const customer = await makeCustomer(app(), { name: 'Ann', email: 'timeline@example.com' });
    const { id } = customer;
    await client.customers.update(id, { phone: '+43 1 234' });
    await client.customers.create_note(id, { body: 'Prefers mail' });
    await grantCredits(app(), id, 50);
    const group = await client.access_groups.create({ slug: `timeline-${id}`, name: 'Readers' });
    const grant = await client.access_groups.create_grant(group.id, { customer_id: id, expires_at: null, note: 'a guest' });
    await client.customers.upload_file(id, { file: { filename: 'contract.pdf', content: 'x' }, note: 'signed' });
    await client.customers.create_address(id, { line1: '1 High St', city: 'Ghent', postal_code: '9000', country: 'BE' });
    const order = await makeOrder(app(), { customer });
    await client.orders.edit(order.id, { internal_notes: 'Ring twice', notify_customer: true });
    await client.inquiries.create({ name: 'Ann', email: 'timeline@example.com', subject: 'Where', body: 'is it?' });
    const { data } = await client.customers.timeline(id);
    const expected = [
      'inquiry inquiries.create',
      'mail mails.send',
      'order orders.create',
      'change customers.create_address',
      'file customers.upload_file',
      'access access_groups.create_grant',
      'credit customers.adjust_credits',
      'comment customers.create_note',
      'change customers.update',
      'change customers.create',
    ];
    assert.deepEqual([...new Set(data.map(ofEntry))], expected);
    const at = (kind: string) => data.find((entry) => entry.kind === kind);
    assert.deepEqual([at('access')?.access?.group_name, at('access')?.note, at('access')?.actor?.admin_id], ['Readers', 'a guest', 1]);
    assert.deepEqual(at('credit')?.credit, { kind: 'manual_grant', delta: 50 });
    assert.deepEqual([at('file')?.file?.name, at('file')?.note, at('file')?.actor?.type], ['contract.pdf', 'signed', 'admin']);
    assert.equal(at('order')?.order?.public_id, order.public_id);
    assert.equal(at('inquiry')?.actor?.type, 'customer');
    await client.access_groups.revoke_grant(grant.id);
    const [revoked] = (await client.customers.timeline(id, { kind: 'access' })).data;
    assert.equal(revoked?.action, 'access_groups.revoke_grant');
    const reader = await clientOf(['admin_api.customers.read']);
    assert.deepEqual(
      [...new Set((await reader.customers.timeline(id)).data.map(({ kind }) => kind))],
      ['file', 'credit', 'comment', 'change'],
    );
    const more = await clientOf(['admin_api.customers.read', 'admin_api.orders.read', 'admin_api.inquiries.read']);
    assert.deepEqual(
      (await more.customers.timeline(id)).data.slice(0, 2).map(({ kind }) => kind),
      ['inquiry', 'order'],
    );
  });

  test('TI2, MC4: an agent that is not shown people gets no text about them', async () => {
    const { id } = await workedOn();
    const permissions: Permission[] = ['admin_api.orders.read', 'admin_api.logs.read'];
    const blind = await connectAgent(app(), { permissions });
    const sighted = await connectAgent(app(), { permissions, sees_personal_data: true });
    const call = { operation: 'orders.timeline', params: { id } };
    const texts = /Call at noon|Ring twice|the buyer asked/;
    assert.match((await sighted.tool('call', call)).text, texts);
    const { isError, text } = await blind.tool('call', call);
    assert.equal(isError, false, text);
    assert.doesNotMatch(text, texts);
    assert.match(text, /orders.update_payment/);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWNER_TOKEN, onBothStores } from '../helpers/app.ts';
import { makeCustomer, makeOrder } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, field, makeTask } from '../helpers/runs.ts';

onBothStores('comments and mentions', (app) => {
  const writes = ['admin_api.orders.write', 'admin_api.customers.write'] as const;
  const news = async (who: { token: string }) =>
    (await app().clientFor(who.token).notifications.list()).notifications.filter(({ type }) => type === 'mentioned');
  const writer = (name: string) => person(app(), { name, permissions: [...writes] });

  test('NO2: who wrote a comment changes and deletes it, nobody else but an owner', async () => {
    const [ann, bob] = [await writer('Ann'), await writer('Bob')];
    const orders = (who: { token: string }) => app().clientFor(who.token).orders;
    const { id } = await makeOrder(app());
    const made = await orders(ann).create_comment(id, { body: ' Call first \n' });
    const { created_at, ...rest } = made;
    assert.deepEqual(rest, {
      ...{ id: made.id, order_id: id, author_id: ann.adminId, author: 'Ann', run_id: null, body: 'Call first', edited_at: null },
    });
    assert.deepEqual(await orders(bob).get_comment(id, made.id), made);
    await refused(orders(bob).update_comment(id, made.id, { body: 'x' }), 403, 'forbidden');
    await refused(orders(bob).delete_comment(id, made.id), 403, 'forbidden');
    await refused(app().client.orders.update_comment(id, made.id, { body: 'x' }), 403, 'forbidden');
    const edited = await orders(ann).update_comment(id, made.id, { body: 'Call at noon' });
    assert.deepEqual([edited.body, edited.created_at, edited.edited_at !== null], ['Call at noon', created_at, true]);
    assert.deepEqual(await orders(ann).update_comment(id, made.id, { body: 'Call at noon' }), edited);
    await app().client.orders.delete_comment(id, made.id);
    await refused(orders(ann).get_comment(id, made.id), 404, 'not_found');
    const other = await makeOrder(app());
    const second = await orders(ann).create_comment(id, { body: 'Two' });
    await refused(orders(ann).get_comment(other.id, second.id), 404, 'not_found');
    await orders(ann).delete_comment(id, second.id);
    await refused(orders(ann).create_comment(id, { body: ' ' }), 422, 'blank');
    await refused(orders(ann).create_comment(999_999, { body: 'x' }), 404, 'not_found');
  });

  test('AL1, NO2: each act on a comment is an entry about its order', async () => {
    const { id } = await makeOrder(app());
    const comment = await app().client.orders.create_comment(id, { body: 'One' });
    await app().client.orders.update_comment(id, comment.id, { body: 'Two' });
    await app().client.orders.delete_comment(id, comment.id);
    const { data } = await app().client.audit_log.list({ resource_type: 'order', resource_id: id });
    const name = `comment ${comment.id}`;
    assert.deepEqual(
      data.slice(0, 3).map(({ action, changes }) => [action, changes[name]]),
      [
        ['orders.delete_comment', ['Two', null]],
        ['orders.update_comment', ['One', 'Two']],
        ['orders.create_comment', [null, 'One']],
      ],
    );
  });

  test('ET5, NO2: a comment that another has changed meanwhile is not changed with If-Match', async () => {
    const { id } = await makeOrder(app());
    const comment = await app().client.orders.create_comment(id, { body: 'One' });
    const path = `/admin/api/orders/${id}/comments/${comment.id}`;
    const { headers } = await app().request({ path, token: OWNER_TOKEN });
    const patch = (body: string) =>
      app().request({ method: 'PATCH', path, body: { body }, headers: { 'if-match': String(headers['etag']) }, token: OWNER_TOKEN });
    assert.equal((await patch('Two')).status, 200);
    assert.equal((await patch('Three')).status, 412);
  });

  test('NO1, NO2: the author of a note changes it, and a note says so', async () => {
    const [ann, bob] = [await writer('Ann'), await writer('Bob')];
    const customers = (who: { token: string }) => app().clientFor(who.token).customers;
    const { id } = await makeCustomer(app());
    const note = await customers(ann).create_note(id, { body: 'One' });
    assert.deepEqual([note.author, note.author_id, note.run_id, note.edited_at], ['Ann', ann.adminId, null, null]);
    await refused(customers(bob).update_note(id, note.id, { body: 'x' }), 403, 'forbidden');
    const edited = await customers(ann).update_note(id, note.id, { body: 'Two' });
    assert.equal(edited.body, 'Two');
    assert.deepEqual(await customers(bob).get_note(id, note.id), edited);
    assert.notEqual(edited.edited_at, null);
    await customers(bob).delete_note(id, note.id);
  });

  test('NO3: who is mentioned is notified once, with a link and nothing of the text', async () => {
    const [ann, bob, cy] = [await writer('Ann'), await writer('Bob'), await writer('Cy')];
    const { id, public_id } = await makeOrder(app());
    const orders = app().clientFor(ann.token).orders;
    const body = `<@${bob.adminId}> and <@${bob.adminId}> and <@${ann.adminId}>: a secret of the buyer`;
    const comment = await orders.create_comment(id, { body });
    await orders.update_comment(id, comment.id, { body: `${body} <@${cy.adminId}>` });
    const [told, ...others] = await news(bob);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [told?.type, told?.severity, told?.title, told?.message, told?.link],
      ['mentioned', 'info', 'Ann mentioned you', `In a comment on order ${public_id}.`, `/orders?open=${id}&tab=history`],
    );
    assert.deepEqual(told?.metadata, { admin_id: ann.adminId, order_id: id, comment_id: comment.id, public_id, by: 'Ann' });
    assert.equal((await news(cy)).length, 1);
    assert.deepEqual(await news(ann), []);
    const customer = await makeCustomer(app());
    await app()
      .clientFor(ann.token)
      .customers.create_note(customer.id, { body: `<@${cy.adminId}>` });
    assert.equal((await news(cy))[0]?.link, `/customers/${customer.id}`);
    const error = await refused(orders.create_comment(id, { body: 'hello <@999999>' }), 422, 'admin_not_found');
    assert.equal(error.errors[0]?.pointer, '/body');
    const many = Array.from({ length: 21 }, (_, n) => `<@${n + 1}>`).join(' ');
    await refused(orders.create_comment(id, { body: many }), 422, 'out_of_range');
  });

  test('NO2, DR1: a run comments for its admin; a dry run keeps no comment and tells nobody', async () => {
    const bob = await writer('Bob');
    const { id } = await makeOrder(app());
    const task = await makeTask(app(), { permissions: ['admin_api.orders.write', 'admin_api.orders.read'] });
    const post = async (dry_run: boolean) => {
      const run = await claimedRun(app(), { dry_run }, task);
      const answer = await run.call('POST', `/orders/${id}/comments`, { body: `late <@${bob.adminId}>` });
      assert.equal(answer.status, 201, answer.text);
      await run.report([{ kind: 'finalize', status: 'success', end_reason: 'completed', result: null }]);
      return { runId: run.runId, commentId: Number(field(answer.body, 'id')) };
    };
    const tried = await post(true);
    await refused(app().client.orders.get_comment(id, tried.commentId), 404, 'not_found');
    assert.deepEqual(await news(bob), []);
    const { runId, commentId } = await post(false);
    const comment = await app().client.orders.get_comment(id, commentId);
    assert.equal(comment.run_id, runId);
    const [told] = await news(bob);
    assert.equal(told?.metadata?.['run_id'], runId);
  });
});

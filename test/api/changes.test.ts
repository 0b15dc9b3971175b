import assert from 'node:assert/strict';
import { test } from 'node:test';
import { request } from 'undici';
import { OWNER_TOKEN, onBothStores, RUNNER_TOKEN } from '../helpers/app.ts';
import { makeCustomer, makeOrder } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { claimedRun, codeOf } from '../helpers/runs.ts';
import { holdAuditEntry } from '../helpers/stored-rows/changes.ts';

const PATH = '/admin/api/changes';

onBothStores('stream of changes', (app, engine) => {
  async function follow(token: string = OWNER_TOKEN, lastEventId?: string) {
    const stopped = new AbortController();
    const headers = { authorization: `Bearer ${token}`, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) };
    const answer = await request(`${app().url}${PATH}`, { headers, signal: stopped.signal });
    const chunks = answer.body[Symbol.asyncIterator]();
    let text = '';
    /** Reads on until the text has what is asked for; false if the stream has ended before. */
    const reads = async (found: () => boolean): Promise<boolean> => {
      while (!found()) {
        const { done, value } = await chunks.next();
        if (done) return false;
        text += String(value);
      }
      return true;
    };
    assert.ok(await reads(() => text.includes(': ok\n\n')));
    const told = (type: string, id: number | null) => text.includes(`event: change\ndata: ${JSON.stringify({ type, id })}\n\n`);
    return {
      answer,
      stop: () => stopped.abort(),
      told,
      tells: async (type: string, id: number | null) => assert.ok(await reads(() => told(type, id)), `${type} ${id} in ${text}`),
      resets: async () => assert.ok(await reads(() => text.includes('event: reset\ndata: {}\n\n')), text),
      ends: async () => assert.equal(await reads(() => false), false),
      place: () => [...text.matchAll(/^id: (\S+)$/gm)].at(-1)?.[1] ?? '',
      text: () => text,
    };
  }

  test('SS1: it begins at once, with the headers of an event stream and a place to come back to', async () => {
    const stream = await follow();
    const { headers, statusCode } = stream.answer;
    assert.deepEqual([statusCode, headers['content-type'], headers['x-accel-buffering']], [200, 'text/event-stream; charset=utf-8', 'no']);
    assert.match(stream.text(), /^retry: 2000\nid: \d+-\d+\n: ok\n\n/);
    stream.stop();
  });

  test('every reader is told of what it may read: what is created, changed and deleted', async () => {
    const seller = await person(app(), { permissions: ['admin_api.orders.read'] });
    const [owner, clerk] = [await follow(), await follow(seller.token)];
    const customer = await makeCustomer(app());
    await owner.tells('customer', customer.id);
    const order = await makeOrder(app());
    await owner.tells('order', order.id);
    await clerk.tells('order', order.id);
    assert.equal(clerk.told('customer', customer.id), false, 'the clerk may not read customers');
    const { id } = await app().client.pages.create({ slug: 'changes', title: 'Changes' });
    await owner.tells('page', id);
    const later = await follow();
    await app().client.pages.delete(id);
    await later.tells('page', id);
    await app().client.settings.update({ shop_name: 'Changed' });
    await later.tells('settings', null);
    for (const stream of [owner, clerk, later]) stream.stop();
  });

  test('a refused write is not told', async () => {
    const stream = await follow();
    const customer = await makeCustomer(app());
    const taken = await app().request({ method: 'POST', path: '/admin/api/pages', body: { slug: 'Not valid', title: 'x' } });
    assert.equal(taken.status, 422);
    await stream.tells('customer', customer.id);
    assert.doesNotMatch(stream.text(), /"page"/);
    stream.stop();
  });

  test('the end of a run and a notification are told, which no audit entry names', async () => {
    const run = await claimedRun(app());
    const stream = await follow();
    await run.report([{ kind: 'finalize', status: 'error', error_message: 'it broke' }]);
    await stream.tells('run', run.runId);
    const [told] = (await app().client.notifications.list({ limit: 1 })).notifications;
    assert.match(told?.type ?? '', /^ai_task_run_/);
    await stream.tells('notification', told?.id ?? 0);
    stream.stop();
    const next = await claimedRun(app(), {}, run.taskId);
    const later = await follow();
    await next.report([{ kind: 'finalize', status: 'error', error_message: 'it broke again' }]);
    await later.tells('run', next.runId);
    const [grown] = (await app().client.notifications.list({ limit: 1 })).notifications;
    assert.deepEqual([grown?.id, grown?.count], [told?.id, 2], 'it has joined the one that nobody has read');
    await later.tells('notification', told?.id ?? 0);
    later.stop();
  });

  test('a notification for some admins is told to those alone, also to one who comes back', async () => {
    const [ann, eve] = [await person(app()), await person(app())];
    const [ofAnn, ofEve] = [await follow(ann.token), await follow(eve.token)];
    const places = [ofAnn.place(), ofEve.place()];
    const { id } = await app().client.notifications.create({ title: 'For Ann', body: 'Hello', admins: [ann.adminId] });
    await ofAnn.tells('notification', id);
    await app().clientFor(ann.token).notifications.mark_read(id);
    const next = await app().client.notifications.create({ title: 'For all', body: 'Hello' });
    await ofEve.tells('notification', next.id);
    assert.equal(ofEve.told('notification', id), false);
    const [annAgain, eveAgain] = [await follow(ann.token, places[0]), await follow(eve.token, places[1])];
    await annAgain.tells('notification', id);
    await eveAgain.tells('notification', next.id);
    assert.equal(eveAgain.told('notification', id), false);
    for (const stream of [ofAnn, ofEve, annAgain, eveAgain]) stream.stop();
  });

  // SQLite has one writer, so its entries commit in the order of their ids.
  if (engine === 'postgres') {
    test('a change that commits after a later one is told too, also to a client that left between them', async () => {
      const stream = await follow();
      const slow = await holdAuditEntry(app().store, 777_777);
      const customer = await makeCustomer(app());
      await stream.tells('customer', customer.id);
      const place = stream.place();
      await slow.commit();
      await stream.tells('customer', 777_777);
      stream.stop();
      const back = await follow(OWNER_TOKEN, place);
      await back.tells('customer', 777_777);
      back.stop();
    });
  }

  test('a client that comes back is told of what happened meanwhile', async () => {
    const first = await follow();
    const before = await makeCustomer(app());
    await first.tells('customer', before.id);
    const place = first.place();
    first.stop();
    const meanwhile = await makeCustomer(app());
    const second = await follow(OWNER_TOKEN, place);
    await second.tells('customer', meanwhile.id);
    assert.doesNotMatch(second.text(), /reset/);
    const after = await makeCustomer(app());
    await second.tells('customer', after.id);
    second.stop();
  });

  test('a place that is unknown or too long ago: the client is told to read everything again', async () => {
    for (const place of ['end', 'x', '1', `1-${Date.now() - 2 * 3_600_000}`]) {
      const stream = await follow(OWNER_TOKEN, place);
      await stream.resets();
      stream.stop();
    }
  });

  test('it ends when its token is revoked, or loses a permission', async () => {
    const [leaving, losing] = [await person(app()), await person(app(), { permissions: ['admin_api.orders.read'] })];
    const [ofLeaving, ofLosing] = [await follow(leaving.token), await follow(losing.token)];
    await app().clientFor(leaving.token).me.revoke_token(leaving.tokenId);
    await ofLeaving.ends();
    await app().client.admins.update(losing.adminId, { permissions: [] });
    await ofLosing.ends();
  });

  test('only admins read it, with GET alone, and at most 50 at a time with one token', async () => {
    const run = await claimedRun(app());
    for (const token of [run.claim.token, run.claim.report_token, RUNNER_TOKEN])
      assert.deepEqual(codeOf(await app().request({ path: PATH, token })), [403, 'forbidden']);
    assert.equal((await app().request({ path: PATH, token: null })).status, 401);
    assert.equal((await app().request({ path: PATH, method: 'HEAD' })).status, 405);
    const { token } = await person(app());
    const streams = await Promise.all(Array.from({ length: 50 }, () => follow(token)));
    assert.deepEqual(codeOf(await app().request({ path: PATH, token })), [429, 'rate_limited']);
    for (const stream of streams) stream.stop();
  });
});

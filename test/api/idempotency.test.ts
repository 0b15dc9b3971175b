import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer, makeOrder } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { codeOf, countRows, field, makeTask } from '../helpers/runs.ts';

onBothStores('Idempotency-Key', (app) => {
  const adjust = (id: number, key: string, body: object = { delta: 10 }, token?: string) =>
    app().request({
      method: 'POST',
      path: `/admin/api/customers/${id}/credits/adjust`,
      body,
      headers: { 'idempotency-key': key },
      ...(token ? { token } : {}),
    });
  const creditsOf = async (id: number) => (await app().client.customers.get_credits(id)).credits;

  test('IK2: a repeat gets the first answer, marked as replayed, and changes nothing', async () => {
    const taskId = await makeTask(app());
    const start = () =>
      app().request({ method: 'POST', path: `/admin/api/ai-tasks/${taskId}/runs`, body: {}, headers: { 'idempotency-key': '"open-1"' } });
    const first = await start();
    const rows = await countRows(app());
    const second = await start();
    assert.equal(first.headers['idempotency-replayed'], undefined);
    assert.equal(second.headers['idempotency-replayed'], 'true');
    for (const name of ['status', 'text'] as const) assert.equal(second[name], first[name]);
    for (const name of ['etag', 'location']) assert.equal(second.headers[name], first.headers[name]);
    assert.ok(first.headers['location'] && first.headers['etag']);
    assert.deepEqual(await countRows(app()), rows);
  });

  test('IK2: a 204 is replayed too', async () => {
    const { id } = await makeOrder(app());
    const patch = () =>
      app().request({
        method: 'PATCH',
        path: `/admin/api/orders/${id}/status`,
        body: { status: 'shipped' },
        headers: { 'idempotency-key': 'k' },
      });
    assert.equal((await patch()).status, 204);
    await app().client.orders.update_status(id, { status: 'pending' });
    const again = await patch();
    assert.deepEqual([again.status, again.text, again.headers['idempotency-replayed']], [204, '', 'true']);
    assert.equal((await app().client.orders.get(id)).status, 'pending');
  });

  test('IK1: a quoted key and a bare one are the same key', async () => {
    const { id } = await makeCustomer(app());
    await adjust(id, 'same');
    assert.equal((await adjust(id, '"same"')).headers['idempotency-replayed'], 'true');
    assert.equal(await creditsOf(id), 10);
  });

  test('IK3: another body under the same key is 422 idempotency_key_reused', async () => {
    const { id } = await makeCustomer(app());
    await adjust(id, 'reused');
    assert.deepEqual(codeOf(await adjust(id, 'reused', { delta: 11 })), [422, 'idempotency_key_reused']);
    assert.equal(await creditsOf(id), 10);
  });

  test('IK1: a key belongs to one admin and path', async () => {
    const [a, b] = [await makeCustomer(app()), await makeCustomer(app())];
    const { token } = await person(app(), { permissions: ['admin_api.customers.write'] });
    for (const answer of [await adjust(a.id, 'mine'), await adjust(b.id, 'mine'), await adjust(a.id, 'mine', { delta: 10 }, token)]) {
      assert.deepEqual([answer.status, answer.headers['idempotency-replayed']], [200, undefined]);
    }
    assert.deepEqual([await creditsOf(a.id), await creditsOf(b.id)], [20, 10]);
  });

  test('IK5: only a success is stored: a refused request can be repeated', async () => {
    const { id } = await makeCustomer(app());
    assert.equal((await adjust(id, 'later', { delta: -5 })).status, 422);
    await adjust(id, 'grant', { delta: 5 });
    const again = await adjust(id, 'later', { delta: -5 });
    assert.deepEqual([again.status, again.headers['idempotency-replayed']], [200, undefined]);
    assert.equal(await creditsOf(id), 0);
  });

  test('IK4: of simultaneous requests with one key one is carried out, the others get its answer', async () => {
    const { id } = await makeCustomer(app());
    const quoted = await Promise.all(Array.from({ length: 8 }, () => adjust(id, '"at once"')));
    assert.deepEqual(new Set(quoted.map(({ status, text }) => `${status} ${text}`)).size, 1);
    assert.equal(quoted.filter(({ headers }) => headers['idempotency-replayed'] === 'true').length, 7);
    assert.equal(await creditsOf(id), 10);
  });

  test('IK4: simultaneous requests with one key and If-Match all succeed', async () => {
    const { id } = await makeOrder(app());
    const etag = (await app().request({ path: `/admin/api/orders/${id}` })).headers['etag'] ?? '';
    for (const status of ['shipped', 'pending']) {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () =>
          app().request({
            method: 'PATCH',
            path: `/admin/api/orders/${id}/status`,
            body: { status },
            headers: { 'idempotency-key': `${status}-key`, 'if-match': status === 'shipped' ? etag : '*' },
          }),
        ),
      );
      assert.deepEqual(
        answers.map((answer) => answer.status),
        Array.from({ length: 8 }, () => 204),
      );
      assert.equal(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true').length, 7);
    }
  });

  test('IK4: simultaneous requests with one key and If-Match all succeed when nothing changes', async () => {
    const taskId = await makeTask(app());
    const path = `/admin/api/ai-tasks/${taskId}`;
    const etag = (await app().request({ path })).headers['etag'] ?? '';
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        app().request({ method: 'PATCH', path, body: {}, headers: { 'idempotency-key': 'nothing', 'if-match': etag } }),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array.from({ length: 8 }, () => 200),
    );
    assert.equal(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true').length, 7);
  });

  test('IK1: a key that is empty, too long or not visible ASCII is 400 malformed_header', async () => {
    const { id } = await makeCustomer(app());
    for (const key of ['', '""', 'k'.repeat(256), 'a b', '"unclosed', 'ü']) {
      assert.deepEqual(codeOf(await adjust(id, key)), [400, 'malformed_header'], key.slice(0, 10));
    }
    assert.equal((await adjust(id, 'k'.repeat(255))).status, 200);
    assert.equal(await creditsOf(id), 10);
  });

  test('order of checks: a replay comes before 404 and after 403', async () => {
    const { id } = await makeCustomer(app());
    const note = await app().client.customers.create_note(id, { body: 'x' });
    const remove = (token?: string) =>
      app().request({
        method: 'DELETE',
        path: `/admin/api/customers/${id}/notes/${note.id}`,
        headers: { 'idempotency-key': 'gone' },
        ...(token ? { token } : {}),
      });
    assert.equal((await remove()).status, 204);
    assert.deepEqual([(await remove()).status, (await remove()).headers['idempotency-replayed']], [204, 'true']);
    assert.equal((await remove((await person(app())).token)).status, 403);
  });

  test('IK2, IK5: a success stores its answer with its change, a refusal stores neither', async () => {
    const { id } = await makeCustomer(app());
    const rows = await countRows(app());
    await adjust(id, 'refused', { delta: -1 });
    assert.deepEqual(await countRows(app()), rows);
    const done = await adjust(id, 'done');
    const after = await countRows(app());
    assert.equal(after['idempotency'], (rows['idempotency'] ?? 0) + 1);
    assert.equal(after['credit_transactions'], (rows['credit_transactions'] ?? 0) + 1);
    assert.equal(field(done.body, 'credits'), 10);
  });
});

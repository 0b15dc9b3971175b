import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer, makeOrder } from '../helpers/builders.ts';
import { codeOf, countRows, field, makeTask, openRun } from '../helpers/runs.ts';

onBothStores('ETag, If-Match and the audit of writes', (app) => {
  const get = (path: string, headers: Record<string, string> = {}) => app().request({ path: `/admin/api${path}`, headers });
  const status = (id: number, value: string, headers: Record<string, string>) =>
    app().request({ method: 'PATCH', path: `/admin/api/orders/${id}/status`, body: { status: value }, headers });

  test('ET3: a record has an ETag; If-None-Match answers 304 without a body until it changes', async () => {
    const { id } = await makeOrder(app());
    const { etag = '' } = (await get(`/orders/${id}`)).headers;
    assert.match(etag, new RegExp(`^"order-${id}-\\d+"$`));
    for (const header of [etag, `W/${etag}`, '*', `"other", ${etag}`]) {
      const answer = await get(`/orders/${id}`, { 'if-none-match': header });
      assert.deepEqual(
        [answer.status, answer.text, answer.headers['etag'], answer.headers['content-type']],
        [304, '', etag, undefined],
        header,
      );
    }
    await app().client.orders.update_status(id, { status: 'shipped' });
    const changed = await get(`/orders/${id}`, { 'if-none-match': etag });
    assert.equal(changed.status, 200);
    assert.notEqual(changed.headers['etag'], etag);
  });

  test('ET1: a write answers the new ETag of the record, also with 204', async () => {
    const { id } = await makeOrder(app());
    const changed = await status(id, 'shipped', {});
    assert.equal(changed.status, 204);
    assert.equal(changed.headers['content-type'], undefined);
    assert.equal(changed.headers['etag'], (await get(`/orders/${id}`)).headers['etag']);
  });

  test('ET2: a stale If-Match is 412 with the current ETag, and changes nothing', async () => {
    const { id } = await makeOrder(app());
    const { etag: old = '' } = (await get(`/orders/${id}`)).headers;
    const { etag: current = '' } = (await status(id, 'shipped', { 'if-match': old })).headers;
    const rows = await countRows(app());
    for (const header of [old, `W/${current}`, '"x"', '']) {
      const refused = await status(id, 'pending', { 'if-match': header });
      assert.deepEqual(codeOf(refused), [412, 'precondition_failed'], header);
      assert.equal(field(refused.body, 'current_etag'), current);
    }
    assert.deepEqual(await countRows(app()), rows);
    assert.equal((await app().client.orders.get(id)).status, 'shipped');
    assert.equal((await status(id, 'pending', { 'if-match': `"x", ${current}` })).status, 204);
    assert.equal((await status(id, 'shipped', { 'if-match': '*' })).status, 204);
  });

  test('order of checks: 404 before 412 before 422', async () => {
    assert.equal((await status(999_999, 'nonsense', { 'if-match': '"x"' })).status, 404);
    const { id } = await makeOrder(app());
    assert.equal((await status(id, 'nonsense', { 'if-match': '"x"' })).status, 412);
    assert.equal((await status(id, 'nonsense', {})).status, 422);
  });

  test('ET2: of simultaneous writes with the same If-Match one succeeds', async () => {
    const { id } = await makeOrder(app());
    const { etag = '' } = (await get(`/orders/${id}`)).headers;
    const answers = await Promise.all(
      ['processing', 'shipped', 'delivered', 'processing', 'shipped'].map((value) => status(id, value, { 'if-match': etag })),
    );
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [204, 412, 412, 412, 412]);
  });

  test('G18: 201 has Location and the ETag of the new record', async () => {
    const task = await app().request({
      method: 'POST',
      path: '/admin/api/ai-tasks',
      body: { name: 'T', description: '', source_code: 'x', permissions: [], parameters: [] },
    });
    const taskId = Number(field(task.body, 'task_id'));
    assert.equal(task.headers['location'], `/admin/api/ai-tasks/${taskId}`);
    assert.equal(task.headers['etag'], (await get(`/ai-tasks/${taskId}`)).headers['etag']);
    const version = await app().request({
      method: 'POST',
      path: `/admin/api/ai-tasks/${taskId}/versions`,
      body: { source_code: 'y', permissions: [], parameters: [] },
    });
    const run = await app().request({ method: 'POST', path: `/admin/api/ai-tasks/${taskId}/runs`, body: {} });
    for (const { headers } of [version, run]) {
      const read = await app().request({ path: headers['location'] ?? '' });
      assert.equal(read.status, 200, headers['location'] ?? 'none');
      assert.equal(headers['etag'], read.headers['etag']);
    }
  });

  test('ET1: a DELETE of a record answers no ETag', async () => {
    const { id } = await makeCustomer(app());
    const note = await app().client.customers.create_note(id, { body: 'x' });
    const answer = await app().request({ method: 'DELETE', path: `/admin/api/customers/${id}/notes/${note.id}` });
    assert.deepEqual([answer.status, answer.headers['etag']], [204, undefined]);
  });

  test('Audit: a write leaves one audit entry and one log entry with actor, changes and request', async () => {
    const { id } = await makeOrder(app());
    await status(id, 'shipped', { 'x-request-id': `audited-${id}` });
    const { data } = await app().client.audit_log.list();
    const audit = data.filter(({ request_id }) => request_id === `audited-${id}`);
    assert.equal(audit.length, 1);
    const [entry] = audit;
    assert.deepEqual(
      [entry?.actor.type, entry?.actor.id, entry?.action, entry?.resource, entry?.changes],
      ['admin', 1, 'orders.update_status', { type: 'order', id }, { status: ['pending', 'shipped'] }],
    );
    const { logs: log } = await app().client.logs.list();
    assert.deepEqual([log[0]?.source, log[0]?.action, log[0]?.status], ['admin', 'admin.orders.update_status', 'success']);
    const events = await app().store.reader.selectFrom('domain_events').selectAll().orderBy('id', 'desc').limit(1).execute();
    assert.deepEqual([events[0]?.type, events[0]?.lineage_id], ['order.status_changed', null]);
  });

  test('Audit: a refused write leaves nothing', async () => {
    const { id } = await makeOrder(app());
    const { taskId, runId } = await openRun(app(), { executor: 'external' });
    await app().client.ai_tasks.cancel_run(taskId, runId);
    const deleted = await makeTask(app());
    await app().client.ai_tasks.delete(deleted);
    const rows = await countRows(app());
    const refusals: [string, string, unknown, number][] = [
      ['PATCH', `/orders/${id}/status`, { status: 'x' }, 422],
      ['PATCH', `/orders/${id}/internal-status`, { internal_status_id: 999 }, 422],
      ['POST', `/ai-tasks/${taskId}/runs/${runId}/cancel`, {}, 409],
      ['POST', `/ai-tasks/${deleted}/runs`, {}, 409],
      ['POST', `/ai-tasks/${deleted}/versions`, { source_code: 'x', permissions: [], parameters: [] }, 409],
      ['POST', `/ai-tasks/${taskId}/runs`, { resume_run_id: 999_999 }, 422],
    ];
    for (const [method, path, body, expected] of refusals)
      assert.equal((await app().request({ method, path: `/admin/api${path}`, body })).status, expected, path);
    assert.deepEqual(await countRows(app()), rows);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer, makeOrder } from '../helpers/builders.ts';
import { type ClaimedRun, claimedRun, claimRun, codeOf, countRows, emptyQueue, field, lapse, makeTask } from '../helpers/runs.ts';
import { storeUsage } from '../helpers/stored-rows/runs.ts';

onBothStores('the journal of a run', (app) => {
  const tasks = () => app().client.ai_tasks;
  const notes = async (id: number) => (await app().client.customers.list_notes(id)).map(({ body }) => body);
  const journalRows = async () => (await countRows(app()))['journal'] ?? 0;

  /** Lets the lease end and claims the run for its next attempt. */
  async function again(run: ClaimedRun): Promise<ClaimedRun> {
    await lapse(app(), run);
    return { ...run, ...(await claimRun(app(), run)) };
  }

  async function resumable(body = {}): Promise<ClaimedRun> {
    await emptyQueue(app());
    return claimedRun(app(), body, await makeTask(app(), {}, { on_interrupt: 'resume', max_attempts: 10 }));
  }

  test('Keys: a call of a run without a well-formed key is 400', async () => {
    const run = await claimedRun(app());
    for (const key of [undefined, 'x', '0/abc/0', `0/${'g'.repeat(64)}/0`, `-1/${'a'.repeat(64)}/0`, `0/${'a'.repeat(64)}/1e3`]) {
      const answer = await app().request({
        path: '/admin/api/customers',
        token: run.claim.token,
        headers: key === undefined ? {} : { 'idempotency-key': `"${key}"` },
      });
      assert.deepEqual(codeOf(answer), [400, 'malformed_header'], String(key));
    }
  });

  test('Fencing: once a claim has ended, every request with its token is 409 run_fenced, also a malformed or forbidden one', async () => {
    const run = await resumable();
    const ask = (path: string, key?: string) =>
      app().request({ path: `/admin/api${path}`, token: run.claim.token, headers: key === undefined ? {} : { 'idempotency-key': key } });
    assert.equal((await run.call('GET', '/customers')).status, 200);
    assert.deepEqual(codeOf(await run.call('GET', '/nowhere')), [404, 'route_not_found']);
    assert.deepEqual(codeOf(await run.call('GET', '/ai-tasks')), [403, 'forbidden']);
    assert.deepEqual(codeOf(await ask('/customers')), [400, 'malformed_header']);
    await lapse(app(), run);
    for (const answer of [
      await run.call('GET', '/customers'),
      await run.call('GET', '/customers', undefined, { occurrence: 1 }),
      await run.call('GET', '/nowhere'),
      await run.call('DELETE', '/customers'),
      await run.call('GET', '/ai-tasks'),
      await ask('/customers'),
      await ask('/ai-tasks'),
    ]) {
      assert.deepEqual(codeOf(answer), [409, 'run_fenced']);
    }
  });

  test('Replay: a repeated read or write gets the stored answer with its first time, and nothing is written again', async () => {
    const { id } = await makeCustomer(app());
    const run = await resumable();
    const write = await run.call('POST', `/customers/${id}/notes`, { body: 'hello' });
    const read = await run.call('GET', `/customers/${id}/notes`);
    await app().client.customers.create_note(id, { body: 'meanwhile' });
    const next = await again(run);
    const rows = await countRows(app());
    for (const side of [run, next].slice(1)) {
      const replayedRead = await side.call('GET', `/customers/${id}/notes`);
      const replayedWrite = await side.call('POST', `/customers/${id}/notes`, { body: 'hello' });
      for (const [before, after] of [
        [read, replayedRead],
        [write, replayedWrite],
      ] as const) {
        assert.deepEqual([after.status, after.text], [before.status, before.text]);
        assert.equal(after.headers['idempotency-replayed'], 'true');
        for (const name of ['backroom-time', 'etag', 'location']) assert.equal(after.headers[name], before.headers[name], name);
      }
    }
    assert.deepEqual(await countRows(app()), rows);
    assert.deepEqual((await notes(id)).sort(), ['hello', 'meanwhile']);
  });

  test('Keys: an identical call with the next occurrence number is a new call', async () => {
    const { id } = await makeCustomer(app());
    const run = await resumable();
    const call = (side: ClaimedRun, occurrence: number) => side.call('POST', `/customers/${id}/notes`, { body: 'twice' }, { occurrence });
    await call(run, 0);
    await call(run, 1);
    assert.equal((await notes(id)).length, 2);
    const next = await again(run);
    for (const occurrence of [0, 1]) assert.equal((await call(next, occurrence)).headers['idempotency-replayed'], 'true');
    assert.equal((await call(next, 2)).headers['idempotency-replayed'], undefined);
    assert.equal((await notes(id)).length, 3);
  });

  test('Keys: simultaneous calls with the same key are carried out once', async () => {
    const { id } = await makeCustomer(app());
    const run = await resumable();
    const answers = await Promise.all(Array.from({ length: 6 }, () => run.call('POST', `/customers/${id}/credits/adjust`, { delta: 5 })));
    assert.equal(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
    assert.equal((await app().client.customers.get_credits(id)).credits, 5);
  });

  test('Replay: a search, which runs outside a transaction, is journalled once, also when it is refused', async () => {
    const search = `heavy${Date.now()}`;
    await makeCustomer(app(), { name: search });
    const run = await resumable();
    const path = `/customers?search=${search}`;
    const answers = await Promise.all(Array.from({ length: 4 }, () => run.call('GET', path)));
    assert.equal(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
    assert.equal(field(answers[0]?.body, 'total'), 1);
    const refused = await run.call('GET', `${path}&cursor=none`);
    assert.deepEqual(codeOf(refused), [422, 'invalid_value']);
    await makeCustomer(app(), { name: search });
    const next = await again(run);
    const rows = await journalRows();
    for (const [asked, before] of [
      [path, answers[0]],
      [`${path}&cursor=none`, refused],
    ] as const) {
      const replayed = await next.call('GET', asked);
      assert.deepEqual([replayed.status, replayed.text, replayed.headers['idempotency-replayed']], [before?.status, before?.text, 'true']);
    }
    assert.equal(await journalRows(), rows);
    assert.equal(field((await next.call('GET', path, undefined, { occurrence: 1 })).body, 'total'), 2);
  });

  test('Rows: a refused write is rolled back and journalled; a call without permission is not journalled', async () => {
    const { id } = await makeCustomer(app());
    const run = await resumable();
    const before = await countRows(app());
    const first = await run.call('POST', `/customers/${id}/credits/adjust`, { delta: -5 });
    assert.deepEqual(codeOf(first), [422, 'insufficient_credit']);
    assert.deepEqual(await countRows(app()), { ...before, journal: (before['journal'] ?? 0) + 1 });
    await app().client.customers.adjust_credits(id, { delta: 100 });
    const next = await again(run);
    const second = await next.call('POST', `/customers/${id}/credits/adjust`, { delta: -5 });
    assert.deepEqual([second.status, second.text, second.headers['idempotency-replayed']], [422, first.text, 'true']);
    const rows = await journalRows();
    assert.equal((await next.call('GET', '/products')).status, 403);
    assert.equal(await journalRows(), rows);
    assert.equal((await app().client.customers.get_credits(id)).credits, 100);
  });

  test('Epochs: a call with the key of another epoch is refused and writes nothing', async () => {
    const { id } = await makeCustomer(app());
    const run = await resumable();
    const rows = await countRows(app());
    assert.deepEqual(codeOf(await run.call('POST', `/customers/${id}/notes`, { body: 'x' }, { epoch: 1 })), [409, 'run_fenced']);
    await run.report([{ kind: 'checkpoint', state: {}, epoch: 0 }]);
    assert.deepEqual(codeOf(await run.call('POST', `/customers/${id}/notes`, { body: 'x' }, { epoch: 0 })), [409, 'run_fenced']);
    assert.deepEqual(await countRows(app()), rows);
    assert.equal((await run.call('POST', `/customers/${id}/notes`, { body: 'x' }, { epoch: 1 })).status, 201);
  });

  test('resume_mismatch: a write that differs from a journalled one shows both bodies and writes nothing', async () => {
    const { id } = await makeCustomer(app());
    const run = await resumable();
    await run.call('POST', `/customers/${id}/notes`, { body: 'first way' });
    const next = await again(run);
    const rows = await countRows(app());
    const answer = await next.call('POST', `/customers/${id}/notes`, { body: 'second way' });
    assert.deepEqual(codeOf(answer), [409, 'resume_mismatch']);
    assert.equal(field(field(answer.body, 'earlier'), 'body'), '{"body":"first way"}');
    assert.equal(field(field(answer.body, 'now'), 'body'), '{"body":"second way"}');
    assert.deepEqual(await countRows(app()), rows);
    assert.equal((await next.call('POST', `/customers/${id}/notes`, { body: 'first way' })).headers['idempotency-replayed'], 'true');
    assert.equal(
      (await next.call('POST', `/customers/${id}/notes`, { body: 'second way' })).status,
      201,
      'it is accepted once the journalled write has been repeated',
    );
    assert.deepEqual((await notes(id)).sort(), ['first way', 'second way']);
  });

  test('resume: "journal":"drop" continues without the answers since the checkpoint', async () => {
    const { id } = await makeCustomer(app());
    const run = await claimedRun(app());
    await run.call('POST', `/customers/${id}/notes`, { body: 'first way' });
    await lapse(app(), run);
    await emptyQueue(app());
    const { run_id } = await tasks().start_run(run.taskId, { resume_run_id: run.runId, journal: 'drop' });
    const next = await claimRun(app(), { taskId: run.taskId, runId: run_id, path: `/admin/api/ai-tasks/${run.taskId}/runs/${run_id}` });
    assert.equal((await next.call('POST', `/customers/${id}/notes`, { body: 'second way' })).status, 201);
    assert.match((await tasks().get_run(run.taskId, run_id)).log, /dropped/);
  });

  test('Checkpoint: it ends the epoch and deletes its answers; a repeat changes nothing', async () => {
    const run = await resumable();
    await run.call('GET', '/customers');
    const rows = await journalRows();
    const checkpoint = (epoch: number, n: number) => run.report([{ kind: 'checkpoint', state: { n }, epoch }]);
    assert.equal((await checkpoint(0, 1)).status, 204);
    assert.equal(await journalRows(), rows - 1);
    assert.equal((await checkpoint(0, 99)).status, 204, 'a repeat');
    assert.equal((await tasks().get_run(run.taskId, run.runId)).last_checkpoint, '{"n":1}');
    assert.equal((await checkpoint(5, 99)).status, 422, 'an epoch in the future');
    const next = await again(run);
    assert.deepEqual([next.claim.epoch, next.claim.checkpoint], [1, { n: 1 }]);
    assert.equal(
      (await next.call('GET', '/customers')).headers['idempotency-replayed'],
      undefined,
      'calls of the new epoch are carried out',
    );
  });

  test('record: a checkpoint of a recorded run deletes no answers', async () => {
    const run = await resumable({ record: true });
    await run.call('GET', '/customers');
    const rows = await journalRows();
    await run.report([{ kind: 'checkpoint', state: {}, epoch: 0 }]);
    assert.equal(await journalRows(), rows);
  });

  test('Answers over 64 KiB are stored compressed and replayed unchanged', async () => {
    const { id } = await makeCustomer(app());
    for (let i = 0; i < 10; i++) await app().client.customers.create_note(id, { body: `${i}`.repeat(9000) });
    const run = await resumable();
    const first = await run.call('GET', `/customers/${id}/notes`);
    assert.ok(first.text.length > 64 * 1024);
    const second = await (await again(run)).call('GET', `/customers/${id}/notes`);
    assert.deepEqual([second.headers['idempotency-replayed'], second.text === first.text], ['true', true]);
    const { journal_bytes } = await app()
      .store.reader.selectFrom('lineages')
      .select('journal_bytes')
      .where('id', '=', run.claim.lineage_id)
      .executeTakeFirstOrThrow();
    assert.ok(journal_bytes < 64 * 1024);
  });

  test('Rows: the bodies of writes count towards the size of the journal, also when refused', async () => {
    const { id } = await makeCustomer(app());
    const run = await resumable();
    const bytes = async () => {
      const { reader } = app().store;
      const lineage = reader.selectFrom('lineages').select('journal_bytes').where('id', '=', run.claim.lineage_id);
      return (await lineage.executeTakeFirstOrThrow()).journal_bytes;
    };
    const before = await bytes();
    const SMALL = 3000;
    for (let n = 0; n < 25; n += 1)
      assert.equal((await run.call('POST', `/customers/${id}/notes`, { body: `${n}`.padEnd(SMALL) })).status, 201);
    const small = (await bytes()) - before;
    assert.ok(small > 20 * SMALL && small < 30 * SMALL, `small bodies are counted in groups: ${small}`);
    const refused = await run.call('POST', `/customers/${id}/notes`, { body: 'x'.repeat(500_000) });
    assert.equal(refused.status, 422);
    assert.ok((await bytes()) > 500_000);
  });

  test('Events: a repeated PATCH with its key adds nothing; the next attempt repeats log lines but not result events', async () => {
    const run = await resumable();
    const key = `0/${'a'.repeat(64)}/0`;
    const batch = [
      { kind: 'result', status: 'ok', item: 'a', details: {}, key },
      { kind: 'log', line: 'l' },
    ];
    await run.report(batch, 'batch-1');
    assert.equal((await run.report(batch, 'batch-1')).headers['idempotency-replayed'], 'true');
    const next = await again(run);
    await next.report(batch, 'batch-2');
    const lines = (await tasks().get_run(run.taskId, run.runId)).log.split('\n').map((line) => JSON.parse(line));
    assert.deepEqual(lines, [
      { kind: 'result', status: 'ok', item: 'a', details: {} },
      { kind: 'log', line: 'l' },
      { kind: 'log', line: 'attempt 2 from checkpoint 0' },
      { kind: 'log', line: 'l' },
    ]);
  });

  test('once: the first stored value is kept for the whole lineage', async () => {
    const run = await resumable();
    const remember = (side: ClaimedRun, body: object) =>
      app().request({ method: 'POST', path: `/admin/api/runner/runs/${run.runId}/memory`, body, token: side.claim.report_token });
    assert.deepEqual((await remember(run, { name: 'list' })).body, { stored: false, value: null });
    const answers = await Promise.all([1, 2, 3].map((value) => remember(run, { name: 'list', value: { value } })));
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    const next = await again(run);
    assert.deepEqual((await remember(next, { name: 'list', value: 'late' })).text, answers[0]?.text);
    assert.equal((await remember(run, { name: 'list' })).status, 409, 'its claim has ended');
    assert.equal((await remember(next, { name: 'a\u0000', value: 1 })).status, 422);
    assert.deepEqual((await remember(next, { name: 'ü', value: 'a\u0000\ud800' })).body, { stored: true, value: 'a\u0000\ud800' });
    assert.equal(
      (await app().request({ method: 'POST', path: `/admin/api/runner/runs/${run.runId}/memory`, body: { name: 'x' } })).status,
      403,
      'an admin has no such memory',
    );
  });

  test('once stores 64 MiB for a lineage; a value beyond that is refused, and stored values stay', async () => {
    const run = await resumable();
    const remember = (body: object) =>
      app().request({ method: 'POST', path: `/admin/api/runner/runs/${run.runId}/memory`, body, token: run.claim.report_token });
    await remember({ name: 'first', value: 'kept' });
    const MAX_BYTES = 64 * 1024 * 1024;
    await storeUsage(app().store, run.claim.lineage_id, { memory_bytes: MAX_BYTES - 4 });
    assert.deepEqual(codeOf(await remember({ name: 'more', value: 'abc' })), [409, 'memory_full']);
    assert.deepEqual((await remember({ name: 'fits', value: 'ab' })).body, { stored: true, value: 'ab' });
    assert.deepEqual((await remember({ name: 'first', value: 'late' })).body, { stored: true, value: 'kept' });
  });

  test('Effects: they list every successful write of a run in order with its changes, but no reads and refusals', async () => {
    const { id } = await makeCustomer(app());
    const run = await resumable();
    await run.call('GET', `/customers/${id}`);
    await run.call('POST', `/customers/${id}/credits/adjust`, { delta: 7 });
    await run.call('POST', `/customers/${id}/credits/adjust`, { delta: -8 });
    await run.call('POST', `/customers/${id}/notes`, { body: 'n' });
    const effects = await tasks().list_effects(run.taskId, run.runId);
    assert.deepEqual(
      effects.map(({ method, path, status, resource }) => [method, path, status, resource.type]),
      [
        ['POST', `/customers/${id}/credits/adjust`, 200, 'customer'],
        ['POST', `/customers/${id}/notes`, 201, 'customer_note'],
      ],
    );
    assert.deepEqual(effects[0]?.changes, { credits: [0, 7] });
    const rest = await tasks().list_effects(run.taskId, run.runId, { after: effects[0]?.call ?? 0, limit: 1 });
    assert.deepEqual(rest, effects.slice(1));
    const { data } = await app().client.audit_log.list();
    assert.deepEqual(
      data.filter(({ actor }) => actor.run_id === run.runId).map(({ actor, action }) => [actor.type, actor.id, action]),
      [
        ['task', 1, 'customers.create_note'],
        ['task', 1, 'customers.adjust_credits'],
      ],
    );
    const next = await again(run);
    assert.equal(next.claim.writes_made, 2);
  });

  test('LI2: a bulk write counts as one write, however many records it changes', async () => {
    const orders = [await makeOrder(app()), await makeOrder(app())];
    const taskId = await makeTask(app(), { permissions: ['admin_api.orders.write'] }, { on_interrupt: 'resume' });
    const run = await claimedRun(app(), {}, taskId);
    const answer = await run.call('POST', '/orders/bulk-status', { ids: orders.map(({ id }) => id), status: 'processing' });
    assert.equal(answer.status, 200, answer.text);
    assert.equal((await tasks().list_effects(run.taskId, run.runId)).length, 2);
    assert.equal((await again(run)).claim.writes_made, 1);
  });

  test('Fencing: each call in flight while the run is cancelled is carried out whole or refused', async () => {
    const { id } = await makeCustomer(app());
    const run = await resumable();
    const calls = Array.from({ length: 12 }, (_, i) => run.call('POST', `/customers/${id}/notes`, { body: `n${i}` }));
    const cancelled = tasks().cancel_run(run.taskId, run.runId);
    const answers = await Promise.all(calls);
    await cancelled;
    const done = answers.filter(({ status }) => status === 201).length;
    assert.equal(done + answers.filter((answer) => codeOf(answer)[1] === 'run_fenced').length, 12);
    assert.equal((await notes(id)).length, done);
    assert.equal((await tasks().list_effects(run.taskId, run.runId)).length, done);
  });
});

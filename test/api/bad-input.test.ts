import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { claimedRun, codeOf, countRows, field, lapse, openRun } from '../helpers/runs.ts';

onBothStores('bad input', (app) => {
  const VERSION = { source_code: 'log(1)', permissions: [], parameters: [] };
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    app().request({ method: 'POST', path: `/admin/api${path}`, body, headers });

  /** Asserts that `act`, whose requests are refused, leaves the row count of every table as it was. */
  async function leavesNothing(act: () => Promise<void>): Promise<void> {
    const before = await countRows(app());
    await act();
    assert.deepEqual(await countRows(app()), before);
  }

  test('an unknown permission is 422 with its index, and no task is made', () =>
    leavesNothing(async () => {
      const answer = await post('/ai-tasks', {
        name: 'n',
        description: '',
        ...VERSION,
        permissions: ['llm', 'admin_api.everything.write'],
      });
      assert.deepEqual(codeOf(answer), [422, 'unknown_permission']);
      const [error] = [field(answer.body, 'errors')].flat();
      assert.equal(field(error, 'pointer'), '/permissions/1');
    }));

  test('a source with syntax errors is saved as it is, with warnings', async () => {
    const sources = [
      'const = ;',
      '}'.repeat(1000),
      '('.repeat(20_000),
      'enum A { x',
      '@a class B {}; @',
      'import fs from "node:fs";',
      '\ud800',
      '/*',
      '`${',
      '<div/>',
      '#!x',
      'a\u2028b',
      '[[['.repeat(30_000),
    ];
    for (const source_code of sources) {
      const answer = await post('/ai-tasks', { name: 'n', description: '', ...VERSION, source_code });
      assert.equal(answer.status, 201, source_code.slice(0, 20));
      const { current_version: current } = await app().client.ai_tasks.get(Number(field(answer.body, 'task_id')));
      assert.equal(current?.source_code, source_code.toWellFormed());
    }
    const answer = await post('/ai-tasks', { name: 'n', description: '', ...VERSION, source_code: 'log(1);\nconst = ;' });
    assert.equal(field([field(answer.body, 'warnings')].flat()[0], 'line'), 2);
  });

  test('a source of 2 MiB is 422 too_long, a body over 3 MiB is 413', () =>
    leavesNothing(async () => {
      assert.deepEqual(
        codeOf(await post('/ai-tasks', { name: 'n', description: '', ...VERSION, source_code: 'x'.repeat(2 * 1024 * 1024) })),
        [422, 'too_long'],
      );
      assert.deepEqual(
        codeOf(await post('/ai-tasks', { name: 'n', description: '', ...VERSION, source_code: 'x'.repeat(4 * 1024 * 1024) })),
        [413, 'body_too_large'],
      );
    }));

  test('a wrong content type is 415, a body that does not match its type is 400, and nothing is stored', async () => {
    const { id } = await makeCustomer(app());
    await leavesNothing(async () => {
      for (const type of ['text/html', 'application/xml', 'multipart/form-data; boundary=a', 'application/json-seq', '']) {
        assert.equal((await post(`/customers/${id}/notes`, { body: 'x' }, { 'content-type': type })).status, 415, type);
      }
      assert.equal(
        (
          await app().request({
            method: 'POST',
            path: `/admin/api/customers/${id}/notes`,
            raw: '--a\r\n',
            headers: { 'content-type': 'application/json' },
          })
        ).status,
        400,
      );
    });
  });

  test('one invalid event in a batch is 422 with its place, and nothing of the batch is kept', async () => {
    const run = await openRun(app(), { executor: 'external' });
    await leavesNothing(async () => {
      const events = [
        { kind: 'log', line: '1' },
        { kind: 'result', status: 1, item: 'x', details: {} },
        { kind: 'finalize', status: 'success' },
      ];
      const answer = await app().request({ method: 'PATCH', path: run.path, body: { events } });
      assert.deepEqual(codeOf(answer), [422, 'invalid_type']);
      assert.equal(field([field(answer.body, 'errors')].flat()[0], 'pointer'), '/events/1/status');
    });
    assert.equal((await app().client.ai_tasks.get_run(run.taskId, run.runId)).status, 'running');
  });

  test('a PATCH of an ended run is 409, so is one with the token of an ended claim; a malformed run id is 404', async () => {
    const ended = await openRun(app(), { executor: 'external' });
    await app().client.ai_tasks.append_run_events(ended.taskId, ended.runId, {
      events: [{ kind: 'finalize', status: 'success', error_message: null }],
    });
    const lost = await claimedRun(app());
    await lapse(app(), lost);
    await leavesNothing(async () => {
      assert.deepEqual(codeOf(await app().request({ method: 'PATCH', path: ended.path, body: { events: [{ kind: 'log', line: 'x' }] } })), [
        409,
        'run_not_running',
      ]);
      assert.deepEqual(codeOf(await lost.report([{ kind: 'log', line: 'x' }], 'key')), [409, 'run_fenced']);
      assert.deepEqual(codeOf(await lost.call('POST', '/customers/1/notes', { body: 'x' })), [409, 'run_fenced']);
      for (const id of ['x', '1x', '0', '-3', '1.5', '00000', '%31x', '18446744073709551617']) {
        assert.equal(
          (await app().request({ method: 'PATCH', path: `/admin/api/ai-tasks/${ended.taskId}/runs/${id}`, body: { events: [] } })).status,
          404,
          id,
        );
      }
    });
  });

  const hostile: unknown[] = [
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    9_007_199_254_740_991,
    '',
    'x',
    '\u0000',
    '\ud800',
    'x'.repeat(300_000),
    [],
    [[]],
    {},
    { length: 1 },
    [null],
    [{}],
    JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}},"toString":1,"hasOwnProperty":"x"}'),
    { $ne: null },
    "'; DROP TABLE orders; --",
    '\u0024{7*7}',
    '../../etc/passwd',
    '2026-02-30',
    '1e5',
  ];

  test('a hostile event causes no server error, and each batch is kept whole or not at all', async () => {
    const run = await openRun(app(), { executor: 'external' });
    const lines = async () =>
      (await app().store.reader.selectFrom('runs').select('log_lines').where('id', '=', run.runId).executeTakeFirstOrThrow()).log_lines;
    const shapes: ((value: unknown) => unknown)[] = [
      (value) => ({ kind: 'log', line: value }),
      (value) => ({ kind: 'progress', current: value, total: 1, label: 'x' }),
      (value) => ({ kind: 'progress', current: 1, total: 1, label: value }),
      (value) => ({ kind: 'result', status: 'ok', item: 'x', details: { value } }),
      (value) => ({ kind: 'result', status: value, item: value, details: value }),
      (value) => ({ kind: 'checkpoint', state: { value } }),
      (value) => ({ kind: 'admin_api', method: value, path: value, status: value }),
      (value) => ({ kind: value }),
      (value) => value,
    ];
    for (const shape of shapes) {
      for (const value of hostile) {
        const before = await lines();
        const answer = await app().request({
          method: 'PATCH',
          path: run.path,
          raw: JSON.stringify({ events: [shape(value), { kind: 'log', line: 'after' }] }),
        });
        assert.ok([204, 422].includes(answer.status), `${JSON.stringify(shape(value))?.slice(0, 80)}: ${answer.status}`);
        const kept = (await lines()) - before;
        assert.ok(
          answer.status === 204 ? kept === 1 || kept === 2 : kept === 0,
          `${kept} lines of ${JSON.stringify(shape(value))?.slice(0, 80)}`,
        );
      }
    }
  });
});

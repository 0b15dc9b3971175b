import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Run } from '../../contract/runs.ts';
import type { TaskSettings } from '../../contract/tasks.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { startTaskRuns, type TaskRuns } from '../helpers/run-task.ts';

/** A script in the real sandbox, with the real server, reaches every limit of a run (spec LI1). */

const BIGINT_BOMB = 'let n = 3n; for (;;) n = n ** 3n;';
const REGEXP_BOMB = "/(x+x+)+y/.test('x'.repeat(40));";

describe('limits', () => {
  let app: TestApp | undefined;
  let runs: TaskRuns | undefined;
  before(async () => {
    app = await startApp('sqlite');
    runs = startTaskRuns(app);
  });
  after(async () => {
    await runs?.close();
    await app?.close();
  });

  async function run(source: string, limits: TaskSettings['limits'], permissions: string[] = []): Promise<Run> {
    assert.ok(runs);
    const { client } = runs.shop;
    const { task_id: id } = await client.ai_tasks.create({
      name: 'limit',
      description: '',
      source_code: source,
      permissions,
      parameters: [],
    });
    await client.ai_tasks.update(id, { settings: { limits } });
    const { run_id: runId } = await client.ai_tasks.start_run(id, {});
    await runs.shop.followRun(id, runId, () => undefined);
    return client.ai_tasks.get_run(id, runId);
  }

  const ends: [name: string, source: string, limits: TaskSettings['limits'], end: string, message: RegExp][] = [
    ['CPU time, in script code', 'for (;;);', { cpu_seconds: 1 }, 'failed/cpu', /1 s of CPU/i],
    ['CPU time, in a BigInt power that V8 does not end', BIGINT_BOMB, { cpu_seconds: 1 }, 'failed/cpu', /CPU/],
    ['CPU time, in a regular expression', REGEXP_BOMB, { cpu_seconds: 1 }, 'failed/cpu', /CPU/],
    [
      'CPU time, a little between waits',
      'for (;;) { for (let i = 0; i < 2e7; i++); await sleep(1); }',
      { cpu_seconds: 1 },
      'failed/cpu',
      /1 s of CPU/,
    ],
    ['wall time', 'for (;;) await sleep(500);', { wall_seconds: 1 }, 'timed_out/wall', /1 s/],
    ['heap', 'const kept = []; for (;;) kept.push(new Array(100_000).fill(kept.length));', { heap_mib: 32 }, 'failed/heap', /./],
    ['buffers', 'const kept = []; for (;;) kept.push(new Uint8Array(1 << 24).fill(1));', { heap_mib: 32 }, 'failed/heap', /./],
    ['log', "for (let i = 0; ; i++) log('x'.repeat(500), i);", { log_bytes: 20_000 }, 'interrupted/budget', /log/],
  ];
  for (const [name, source, limits, end, message] of ends) {
    test(`${name}: ${end}, and the next run is not affected`, async () => {
      const ended = await run(source, { cpu_seconds: 10, ...limits });
      assert.equal(`${ended.status}/${ended.end_reason}`, end, ended.error_message ?? '');
      assert.match(ended.error_message ?? '', message);
      const next = await run('export default () => 1;', {});
      assert.deepEqual([next.status, next.result], ['success', 1]);
    });
  }

  test('host calls: interrupted/budget after exactly as many as the limit allows', async () => {
    const ended = await run("for (let i = 0; ; i++) await admin_api.get('/order-statuses?page=' + (i + 1));", { host_calls: 7 }, [
      'admin_api.order_statuses.read',
    ]);
    assert.equal(`${ended.status}/${ended.end_reason}`, 'interrupted/budget');
    assert.match(ended.error_message ?? '', /host_calls/);
    assert.equal(ended.log.split('\n').filter((line) => line.includes('"admin_api"')).length, 7);
  });

  test('writes: interrupted/budget after exactly the allowed number took effect, even if many run at once; with a higher limit the resumed run makes the rest', async () => {
    assert.ok(app && runs);
    const customer = await makeCustomer(app, {});
    const source = `
      const notes = Array.from({ length: 12 }, (_, i) => 'note ' + i);
      await Promise.all(notes.map((body) => admin.customers.create_note(${customer.id}, { body })));`;
    const ended = await run(source, { writes: 5 }, ['admin_api.customers.write']);
    assert.equal(`${ended.status}/${ended.end_reason}`, 'interrupted/budget', ended.error_message ?? '');
    const { client } = runs.shop;
    assert.equal((await client.customers.list_notes(customer.id)).length, 5);
    await client.ai_tasks.update(ended.task_id, { settings: { limits: { writes: 50 } } });
    const { run_id: runId } = await client.ai_tasks.start_run(ended.task_id, { resume_run_id: ended.id });
    await runs.shop.followRun(ended.task_id, runId, () => undefined);
    const resumed = await client.ai_tasks.get_run(ended.task_id, runId);
    assert.equal(resumed.status, 'success', resumed.error_message ?? '');
    const bodies = (await client.customers.list_notes(customer.id)).map(({ body }) => body);
    assert.deepEqual(bodies.sort(), Array.from({ length: 12 }, (_, i) => `note ${i}`).sort());
  });

  test('a script without a checkpoint that used up host calls or log can be resumed with a higher limit', async () => {
    assert.ok(runs);
    const { client } = runs.shop;
    const calls = "for (let i = 0; i < 9; i++) await admin_api.get('/order-statuses?page=' + (i + 1));";
    const lines = "for (let i = 0; i < 100; i++) log('x'.repeat(500), i);";
    for (const [source, low, high] of [
      [calls, { host_calls: 4 }, { host_calls: 9 }],
      [lines, { log_bytes: 20_000 }, { log_bytes: 100_000 }],
    ] as const) {
      const first = await run(source, low, ['admin_api.order_statuses.read']);
      assert.equal(`${first.status}/${first.end_reason}`, 'interrupted/budget');
      await client.ai_tasks.update(first.task_id, { settings: { limits: high } });
      const { run_id: runId } = await client.ai_tasks.start_run(first.task_id, { resume_run_id: first.id });
      await runs.shop.followRun(first.task_id, runId, () => undefined);
      const resumed = await client.ai_tasks.get_run(first.task_id, runId);
      assert.equal(resumed.status, 'success', resumed.error_message ?? '');
    }
  });

  test('100,000 lines of log: interrupted/budget, and all lines have arrived in order', async () => {
    const ended = await run("for (let i = 0; ; i++) log('line', i);", { cpu_seconds: 60 });
    assert.equal(`${ended.status}/${ended.end_reason}`, 'interrupted/budget', ended.error_message ?? '');
    assert.match(ended.error_message ?? '', /log of 100000 lines/);
    const lines = ended.log.split('\n');
    assert.equal(lines.length, 100_000);
    lines.forEach((line, i) => void (line === `{"kind":"log","line":"line ${i}"}` || assert.fail(`line ${i}: ${line}`)));
  });

  test('a checkpoint or body over 1 MiB throws, a line over 16 KiB is cut and marked, and the run goes on', async () => {
    const source = `
      const caught = async (what, work) => log(what, await work().then(() => 'passed', (error) => 'threw ' + error.message));
      await caught('checkpoint', () => checkpoint({ s: 'x'.repeat(1024 * 1024) }));
      await caught('body', () => admin_api.post('/customers/1/notes', { body: 'x'.repeat(1024 * 1024) }));
      await checkpoint({ small: true });
      log('y'.repeat(20_000));`;
    const ended = await run(source, {}, ['admin_api.customers.write']);
    assert.deepEqual([ended.status, ended.last_checkpoint], ['success', '{"small":true}'], ended.error_message ?? '');
    const [checkpoint = '', body = '', long = ''] = ended.log.split('\n');
    assert.match(checkpoint, /checkpoint threw .*1048576/);
    assert.match(body, /body threw .*1048576/);
    assert.match(long, /… \[cut: 20000 bytes\]"}$/);
    assert.equal(Buffer.byteLength(JSON.parse(long).line), 16 * 1024);
  });
});

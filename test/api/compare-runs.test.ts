import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { COMPARED_MAX } from '../../contract/run-comparison.ts';
import { onBothStores } from '../helpers/app.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, makeTask, openRun } from '../helpers/runs.ts';

onBothStores('two runs side by side', (app) => {
  const tasks = () => app().client.ai_tasks;
  type Events = Parameters<ReturnType<typeof tasks>['append_run_events']>[2]['events'];
  const call = (method: string, path: string, status = 200): Events[number] => ({ kind: 'admin_api', method, path, status });
  const result = (item: string, status: string, details = {}): Events[number] => ({ kind: 'result', item, status, details });

  async function runWith(events: Events, taskId?: number): Promise<number> {
    const run = await openRun(app(), { executor: 'external' }, taskId);
    await tasks().append_run_events(run.taskId, run.runId, { events });
    return run.runId;
  }

  test('the nth call of a method and path stands beside the nth of the same; what one run alone has stands where it came', async () => {
    const taskId = await makeTask(app());
    const a = await runWith(
      [call('GET', '/orders/1'), call('GET', '/orders/1'), call('GET', '/orders/2', 404), call('POST', '/customers', 201)],
      taskId,
    );
    const b = await runWith(
      [call('GET', '/orders/1'), call('GET', '/orders/9'), call('GET', '/orders/2'), call('POST', '/customers', 201), call('GET', '/x')],
      taskId,
    );
    const compared = await tasks().compare_runs({ a, b });
    assert.deepEqual(
      compared.calls.data.map(({ outcome, a, b }) => [
        outcome,
        a && `${a.call} ${a.path} ${a.status}`,
        b && `${b.call} ${b.path} ${b.status}`,
      ]),
      [
        ['same', '1 /orders/1 200', '1 /orders/1 200'],
        ['only_a', '2 /orders/1 200', null],
        ['only_b', null, '2 /orders/9 200'],
        ['changed', '3 /orders/2 404', '3 /orders/2 200'],
        ['same', '4 /customers 201', '4 /customers 201'],
        ['only_b', null, '5 /x 200'],
      ],
    );
    const { same, changed, only_a, only_b, is_complete } = compared.calls;
    assert.deepEqual([same, changed, only_a, only_b, is_complete, compared.next_cursor], [2, 1, 1, 2, true, null]);
    assert.deepEqual([compared.a.id, compared.b.id, compared.result], [a, b, 'same']);
    const [first] = await tasks().list_calls(taskId, a);
    assert.deepEqual(compared.calls.data[0]?.a, first);
  });

  test('requests to other systems are told apart by what they ask; a run that tells nothing of them is compared by its calls', async () => {
    const send = (url: string, status: number | null) => ({
      ...call('POST', '/http/send'),
      request: { method: 'POST', url: `https://${url}`, status },
    });
    const a = await runWith([send('a.test/x', 200), send('b.test/x', 200), send('c.test/x', 200)]);
    const b = await runWith([send('b.test/x', 500), send('a.test/x', 200), send('d.test/x', null)]);
    const older = await runWith([call('POST', '/http/send'), call('POST', '/http/send', 502)]);
    const compared = async (one: number, other: number) =>
      (await tasks().compare_runs({ a: one, b: other })).calls.data.map(({ outcome, a, b }) => [
        outcome,
        ...[a, b].map((side) => side && (side.request ? `${side.request.url} ${side.request.status}` : side.status)),
      ]);
    assert.deepEqual(await compared(a, b), [
      ['same', 'https://a.test/x 200', 'https://a.test/x 200'],
      ['changed', 'https://b.test/x 200', 'https://b.test/x 500'],
      ['only_a', 'https://c.test/x 200', null],
      ['only_b', null, 'https://d.test/x null'],
    ]);
    assert.deepEqual(await compared(older, a), [
      ['same', 200, 'https://a.test/x 200'],
      ['changed', 502, 'https://b.test/x 200'],
      ['only_b', null, 'https://c.test/x 200'],
    ]);
  });

  test('effects and results stand side by side with what they changed, and so does what the runs returned', async () => {
    const taskId = await makeTask(app(), { permissions: ['admin_api.order_statuses.write'] });
    const make = async (color: string, end: object) => {
      const run = await claimedRun(app(), { dry_run: true }, taskId);
      assert.equal((await run.call('POST', '/order-statuses', { name: 'Packed', color })).status, 201);
      await run.report([
        result('shelf', 'done', { n: 1, of: { x: 1, y: 2 } }),
        result('shelf', 'done', { color }),
        { kind: 'finalize', status: 'success', end_reason: 'completed', ...end },
      ]);
      return run.runId;
    };
    const [a, b] = [await make('#112233', { result: { n: 1, m: 2 } }), await make('#445566', { result: { m: 2, n: 1 } })];
    const compared = await tasks().compare_runs({ a, b });
    assert.equal(compared.result, 'same');
    const [effect] = compared.effects.data;
    assert.deepEqual(
      [effect?.outcome, effect?.a?.changes['color'], effect?.b?.changes['color']],
      ['changed', [null, '#112233'], [null, '#445566']],
    );
    assert.deepEqual(
      compared.results.data.map(({ outcome, a, b }) => [outcome, a?.item, b?.details]),
      [
        ['same', 'shelf', { n: 1, of: { x: 1, y: 2 } }],
        ['changed', 'shelf', { color: '#445566' }],
      ],
    );
    const other = await make('#112233', { result: 3 });
    const again = await tasks().compare_runs({ a, b: other });
    assert.deepEqual([again.result, again.effects.changed, again.effects.same, again.results.same], ['changed', 0, 1, 2]);
  });

  test('runs of different tasks are compared page by page, and no more than the first of each kind', async () => {
    const many = (from: number, count: number) => Array.from({ length: count }, (_, n) => call('GET', `/orders/${from + n}`));
    const a = await runWith([...many(1, 999), result('x', 'done')]);
    const whole: string[] = [];
    const b = await runWith(many(11, 999));
    for (let cursor: string | undefined, isLast = false; !isLast; ) {
      const page = await tasks().compare_runs({ a, b, cursor, limit: 500 });
      assert.deepEqual([page.calls.same, page.calls.only_a, page.calls.only_b, page.results.only_a], [989, 10, 10, 1]);
      assert.equal(page.results.data.length, cursor === undefined ? 1 : 0);
      whole.push(...page.calls.data.map(({ a, b }) => (a ?? b)?.path ?? ''));
      isLast = page.next_cursor === null;
      cursor = page.next_cursor ?? undefined;
    }
    assert.deepEqual(
      whole,
      Array.from({ length: 1009 }, (_, n) => `/orders/${n + 1}`),
    );
    const long = await openRun(app(), { executor: 'external' });
    for (let n = 0; n < COMPARED_MAX; n += 1000) await tasks().append_run_events(long.taskId, long.runId, { events: many(n, 1000) });
    assert.equal((await tasks().compare_runs({ a: long.runId, b: long.runId })).calls.is_complete, true);
    await tasks().append_run_events(long.taskId, long.runId, { events: many(COMPARED_MAX, 1) });
    const { calls } = await tasks().compare_runs({ a: long.runId, b: long.runId });
    assert.deepEqual([calls.same, calls.is_complete], [COMPARED_MAX, false]);
  });

  test('of effects with more than 8 MiB of changes the first are compared', async () => {
    const taskId = await makeTask(app(), { permissions: ['admin_api.products.write'] });
    const run = await claimedRun(app(), {}, taskId);
    const long = (letter: string) => ({ description: letter.repeat(100_000) });
    const { body } = await run.call('POST', '/products', { name: 'Told at length', slug: 'told-at-length', ...long('x') });
    const { id } = z.object({ id: z.number() }).parse(body);
    const change = async (n: number) =>
      assert.equal((await run.call('PATCH', `/products/${id}`, long(n % 2 === 0 ? 'y' : 'z'), { occurrence: n })).status, 200);
    for (let n = 0; n < 41; n += 1) await change(n);
    const all = await tasks().compare_runs({ a: run.runId, b: run.runId, limit: 1 });
    assert.deepEqual([all.effects.same, all.effects.is_complete], [42, true]);
    await change(41);
    const { effects, calls } = await tasks().compare_runs({ a: run.runId, b: run.runId, limit: 1 });
    assert.deepEqual([effects.same, effects.is_complete, calls.is_complete], [42, false, true]);
  });

  test('both runs must exist, and the caller must be allowed to see the output of both', async () => {
    const [open, secret] = [await makeTask(app(), { permissions: [] }), await makeTask(app(), { permissions: ['admin_api.orders.read'] })];
    const [a, b] = [await runWith([], open), await runWith([], secret)];
    const reader = app().clientFor((await person(app(), { permissions: ['admin_api.ai_tasks.read'] })).token);
    assert.equal((await reader.ai_tasks.compare_runs({ a, b: a })).calls.data.length, 0);
    await refused(reader.ai_tasks.compare_runs({ a, b }), 403, 'forbidden');
    await refused(reader.ai_tasks.compare_runs({ a: b, b: a }), 403, 'forbidden');
    await refused(tasks().compare_runs({ a, b: 999_999 }), 422, 'run_not_found');
    await refused(tasks().compare_runs({ a, b, cursor: 'x' }), 422, 'invalid_value');
    await refused(tasks().compare_runs({ a, b, limit: 501 }), 422, 'out_of_range');
  });
});

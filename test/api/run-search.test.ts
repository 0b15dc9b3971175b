import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { SEARCHED_LOG_BYTES } from '../../contract/runs.ts';
import { onBothStores } from '../helpers/app.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { makeTask, openRun } from '../helpers/runs.ts';
import { storeLogSize } from '../helpers/stored-rows/runs.ts';

/** On a machine of two cores about a second of processor time. */
const ONE_SECOND = sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000000) SELECT sum(i) FROM n`;

onBothStores('runs by a text in their log', (app, engine) => {
  const tasks = () => app().client.ai_tasks;
  type Events = Parameters<ReturnType<typeof tasks>['append_run_events']>[2]['events'];

  async function runWith(taskId: number, ...events: (string | Events[number])[]): Promise<number> {
    const { runId } = await openRun(app(), { executor: 'external' }, taskId);
    const logged = events.map((one): Events[number] => (typeof one === 'string' ? { kind: 'log', line: one } : one));
    await tasks().append_run_events(taskId, runId, { events: logged });
    return runId;
  }
  const idsOf = async (query: Parameters<ReturnType<typeof tasks>['list_all_runs']>[0]) =>
    (await tasks().list_all_runs(query)).data.map(({ id }) => id);

  test('a message contains the text literally, in upper or lower case', async () => {
    const task_id = await makeTask(app());
    const runs = {
      mail: await runWith(task_id, 'begun', 'The MAIL to Ünal was refused', 'done'),
      quoted: await runWith(task_id, 'he said "no" to C:\\new [1] 100% a_b *? {x}'),
      lines: await runWith(task_id, 'first\nbold \u001b[31mred\tend'),
      described: await runWith(task_id, { kind: 'describe', description: 'Order "4711" is 100% LATE' }),
      other: await runWith(
        task_id,
        { kind: 'result', status: 'mail', item: 'refused', details: {} },
        { kind: 'progress', current: 1, total: 2, label: 'mail' },
        { kind: 'admin_api', method: 'GET', path: '/mail', status: 200 },
      ),
    };
    const cases: [string, (keyof typeof runs)[]][] = [
      ['mail', ['mail']],
      ['mAIL TO üNAL', ['mail']],
      ['"NO" to c:\\NEW', ['quoted']],
      ['[1] 100% A_B *? {X}', ['quoted']],
      ['order "4711" is 100% late', ['described']],
      ['describe', []],
      ['a.b', []],
      ['a%b', []],
      ['1]', ['quoted']],
      ['}', ['quoted']],
      ['red', ['lines']],
      ['nbold', []],
      ['1b[31m', []],
      ['kind', []],
      ['line', []],
      ['new', ['quoted']],
      ['e', ['described', 'lines', 'quoted', 'mail']],
      [':', ['quoted']],
    ];
    for (const [q, names] of cases) {
      const expected = names.map((name) => runs[name]).sort((a, b) => b - a);
      assert.deepEqual(await idsOf({ task_id, q }), expected, q);
    }
  });

  test('it holds together with the other filters, and for counts and acts on many runs', async () => {
    const task_id = await makeTask(app());
    const [first, second] = [await runWith(task_id, 'Parcel lost'), await runWith(task_id, 'parcel LOST')];
    await runWith(task_id, 'all is well');
    const q = 'parcel lost';
    const filter = { task_id, q };
    assert.deepEqual(await idsOf({ ...filter, limit: 1 }), [second]);
    const { next_cursor } = await tasks().list_all_runs({ ...filter, limit: 1 });
    assert.deepEqual(
      await tasks()
        .list_all_runs({ ...filter, limit: 1, cursor: next_cursor ?? '' })
        .then(({ data }) => data[0]?.id),
      first,
    );
    await tasks().cancel_run(task_id, first);
    assert.deepEqual(await idsOf({ ...filter, status: 'running' }), [second]);
    const cancelledAndRunning = [
      { status: 'cancelled', count: 1 },
      { status: 'running', count: 1 },
    ];
    assert.deepEqual(await tasks().count_runs(filter), { counts: cancelledAndRunning, total: 2, is_complete: true });
    assert.deepEqual(await tasks().preview_bulk_runs({ action: 'cancel', filter }), { count: 1, is_complete: true });
    const { results } = await tasks().bulk_runs({ action: 'cancel', filter, expected_count: 1 });
    assert.deepEqual(
      results.map(({ run_id, code }) => [run_id, code]),
      [[second, null]],
    );
    assert.equal((await tasks().count_runs({ task_id, status: 'running' })).total, 1);
  });

  test('the log of a run that the caller may not see is not searched for the caller', async () => {
    const task_id = await makeTask(app(), { permissions: ['admin_api.customers.read'] });
    await runWith(task_id, 'a private matter');
    const q = 'private matter';
    const { token } = await person(app(), { permissions: ['admin_api.ai_tasks.read'] });
    const reader = app().clientFor(token).ai_tasks;
    assert.equal((await reader.list_all_runs({ task_id })).data.length, 1);
    assert.deepEqual((await reader.list_all_runs({ task_id, q })).data, []);
    assert.equal((await reader.count_runs({ task_id, q })).total, 0);
    assert.equal((await reader.preview_bulk_runs({ action: 'cancel', filter: { task_id, q } })).count, 0);
    assert.equal((await idsOf({ task_id, q })).length, 1);
  });

  test('so many bytes of logs are searched at a time; the cursor leads on, and counts and acts say that they are cut', async () => {
    const task_id = await makeTask(app());
    const [oldest, middle] = [await runWith(task_id, 'needle'), await runWith(task_id, 'hay')];
    const newest = await runWith(task_id, 'needle');
    const filter = { task_id, q: 'needle' };
    await storeLogSize(app().store, middle, { log_bytes: SEARCHED_LOG_BYTES });
    const pages: number[][] = [];
    let cursor: string | undefined;
    do {
      const page = await tasks().list_all_runs({ ...filter, cursor });
      pages.push(page.data.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    assert.deepEqual(pages, [[newest], [], [oldest]]);
    assert.deepEqual(await tasks().count_runs(filter), { counts: [{ status: 'running', count: 1 }], total: 1, is_complete: false });
    assert.deepEqual(await tasks().preview_bulk_runs({ action: 'cancel', filter }), { count: 1, is_complete: false });
    await refused(tasks().bulk_runs({ action: 'cancel', filter }), 422, 'too_many_matches');
    assert.equal((await tasks().count_runs({ task_id, status: 'running' })).total, 3);
    const narrower = { ...filter, run_id: oldest };
    assert.deepEqual(await tasks().preview_bulk_runs({ action: 'cancel', filter: narrower }), { count: 1, is_complete: true });
  });

  test('an act on what is found in logs holds up no write while they are searched', {
    skip: engine === 'postgres' && 'PostgreSQL has many writers',
  }, async () => {
    const task_id = await makeTask(app());
    const run = await runWith(task_id, 'needle');
    const ended: string[] = [];
    // The search waits behind these: so many reads of a second run at a time, and the others follow in order.
    const reads = Array.from({ length: 4 }, () => app().store.heavySnapshot((db) => ONE_SECOND.execute(db)));
    const act = tasks().bulk_runs({ action: 'cancel', filter: { task_id, q: 'needle' }, expected_count: 1 });
    void act.then(() => ended.push('act'));
    await tasks().update(task_id, { description: 'changed meanwhile' });
    ended.push('write');
    assert.deepEqual((await act).results, [{ run_id: run, code: null, detail: null, new_run_id: null }]);
    assert.deepEqual(ended, ['write', 'act']);
    await Promise.all(reads);
  });

  test('a text that cannot be in a message is refused', async () => {
    await refused(tasks().list_all_runs({ q: '  ' }), 422, 'blank');
    await refused(tasks().list_all_runs({ q: 'x'.repeat(101) }), 422, 'too_long');
    await refused(tasks().count_runs({ q: 'a\nb' }), 422, 'invalid_value');
    await refused(tasks().preview_bulk_runs({ action: 'cancel', filter: { q: 'a\tb' } }), 422, 'invalid_value');
    assert.ok(Array.isArray(await idsOf({ q: 'ü'.repeat(100) })));
  });
});

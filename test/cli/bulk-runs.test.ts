import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { OWNER_TOKEN, startApp, type TestApp } from '../helpers/app.ts';
import { openCommandLine } from '../helpers/command-line.ts';
import { makeTask, openRun } from '../helpers/runs.ts';

const line = openCommandLine();
let app: TestApp;
before(async () => {
  app = await startApp('sqlite');
});
after(() => app.close());

const type = (words: string, input = '') =>
  line.type(words.split(' '), { env: { SERVER_URL: app.url, BACKROOM_TOKEN: OWNER_TOKEN }, input });

test('runs are listed with counts, cancelled after a question, and started again', async () => {
  const taskId = await makeTask(app, { name: 'Reorder' });
  const [one, two] = [await openRun(app, { executor: 'external' }, taskId), await openRun(app, { executor: 'external' }, taskId)];
  const listed = await type(`runs list --task ${taskId}`);
  assert.match(
    listed.stdout,
    new RegExp(`^${two.runId}  Reorder  running  admin:1  \\S+\n${one.runId}  Reorder  running  admin:1  \\S+\n$`),
  );
  assert.equal(listed.stderr, '2 running\n');
  const refused = await type(`runs cancel --task ${taskId}`, 'n\n');
  assert.deepEqual([refused.code, refused.stdout, refused.stderr], [1, '', 'cancel 2 runs? [y/N] Nothing was done.\n']);
  assert.equal((await app.client.ai_tasks.get_run(taskId, one.runId)).status, 'running');
  const cancelled = await type(`runs cancel --task ${taskId}`, 'y\n');
  assert.deepEqual([cancelled.code, cancelled.stdout], [0, `${one.runId}\n${two.runId}\n`]);
  assert.match(cancelled.stderr, /2 of 2 done\n$/);
  const again = await type(`runs retry --task ${taskId} --end-reason cancelled --yes`);
  assert.deepEqual([again.code, again.stdout], [0, `${one.runId}  run ${two.runId + 1}\n${two.runId}  run ${two.runId + 2}\n`]);
  await app.client.ai_tasks.cancel_runs(taskId);
  await app.client.ai_tasks.create_version(taskId, { source_code: 'log(2)', permissions: [], parameters: [] });
  const outdated = await type(`runs retry --task ${taskId} --yes`);
  assert.equal(outdated.code, 1);
  assert.match(outdated.stdout, /invalid_value: version 1 .* is not the current one/);
  assert.deepEqual(await type(`runs resume --task ${taskId}`), { code: 0, stdout: '', stderr: 'No run to resume.\n' });
});

test('runs are found by a text in their log', async () => {
  const taskId = await makeTask(app, { name: 'Parcels' });
  const [one, two] = [await openRun(app, { executor: 'external' }, taskId), await openRun(app, { executor: 'external' }, taskId)];
  await app.client.ai_tasks.append_run_events(taskId, one.runId, { events: [{ kind: 'log', line: 'Parcel 7 is LOST' }] });
  await app.client.ai_tasks.append_run_events(taskId, two.runId, { events: [{ kind: 'log', line: 'Parcel 8 is here' }] });
  const listed = await line.type(['runs', 'list', '--text', '7 is lost'], { env: { SERVER_URL: app.url, BACKROOM_TOKEN: OWNER_TOKEN } });
  assert.match(listed.stdout, new RegExp(`^${one.runId}  Parcels  running .*\n$`));
  assert.equal(listed.stderr, '1 running\n');
  assert.equal((await type('runs cancel --text lost --yes')).stdout, `${one.runId}\n`);
  assert.equal((await app.client.ai_tasks.get_run(taskId, two.runId)).status, 'running');
});

test('two runs are compared, and the exit code says whether they differ', async () => {
  const taskId = await makeTask(app, { name: 'Prices' });
  const open = async (status: number, items: string[]) => {
    const { runId } = await openRun(app, { executor: 'external' }, taskId);
    const results = items.map((item) => ({ kind: 'result' as const, item, status: 'set', details: { n: 1 } }));
    const events = [{ kind: 'admin_api' as const, method: 'GET', path: '/products/1', status }, ...results];
    await app.client.ai_tasks.append_run_events(taskId, runId, { events });
    return runId;
  };
  const [one, two] = [await open(200, ['p1', 'p2']), await open(404, ['p1', 'p3'])];
  const compared = await type(`runs compare ${one} ${two}`);
  assert.deepEqual(
    [compared.code, compared.stdout, compared.stderr],
    [
      1,
      [
        `run ${one}  Prices  running`,
        `run ${two}  Prices  running`,
        'calls: 0 the same, 1 changed, 0 only in the first, 0 only in the second',
        '  ~ GET /products/1  200',
        '    → GET /products/1  404',
        'effects: 0 the same, 0 changed, 0 only in the first, 0 only in the second',
        'results: 1 the same, 0 changed, 1 only in the first, 1 only in the second',
        '  - p2  set  {"n":1}',
        '  + p3  set  {"n":1}',
        'result: the same\n',
      ].join('\n'),
      '',
    ],
  );
  assert.equal((await type(`runs compare ${one} ${one}`)).code, 0);
  assert.match((await type(`runs compare ${one} 999999`)).stderr, /there is no run 999999/);
});

test('a compared call shows where it sent a request', async () => {
  const open = async (url: string) => {
    const { runId, taskId } = await openRun(app, { executor: 'external' });
    const request = { method: 'POST', url, status: 202 };
    const events = [{ kind: 'admin_api' as const, method: 'POST', path: '/http/send', status: 200, request }];
    await app.client.ai_tasks.append_run_events(taskId, runId, { events });
    return runId;
  };
  const [one, two] = [await open('https://a.example.test/v1/x'), await open('https://b.example.test/v1/x')];
  const { stdout } = await type(`runs compare ${one} ${two}`);
  assert.match(stdout, /\n {2}- POST \/http\/send {2}200 → POST https:\/\/a\.example\.test\/v1\/x 202\n/);
  assert.match(stdout, /\n {2}\+ POST \/http\/send {2}200 → POST https:\/\/b\.example\.test\/v1\/x 202\n/);
});

test('a filter must be given for an act on many runs, and a wrong one is named', async () => {
  const refused: [string, RegExp][] = [
    ['runs cancel', /a filter must be given/],
    ['runs list --since yesterday', /--since: must be an existing RFC 3339 timestamp/],
    ['runs list --started-by me', /--started-by: must be "admin:"/],
    ['runs list --task x', /--task is "x"/],
    [`runs list --text ${'x'.repeat(101)}`, /--text: must have at most 100 characters/],
  ];
  for (const [words, message] of refused) {
    const { code, stderr } = await type(words);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  }
});

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { RECORDING_MAX_BYTES, type Recording } from '../../contract/recordings.ts';
import { waitEnder } from '../../server/automation/run-waits/waking.ts';
import { OWNER_TOKEN, startApp, type TestApp } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { openCommandLine } from '../helpers/command-line.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { until } from '../helpers/machines.ts';
import { servicesOf } from '../helpers/services.ts';
import { lengthenLog, passWaits } from '../helpers/stored-rows/runs.ts';

const mine = openCommandLine();
let app: TestApp;
let runner: InProcessRunner;
let customerId: number;
before(async () => {
  app = await startApp('sqlite');
  runner = openInProcessRunner(app);
  customerId = (await makeCustomer(app)).id;
});
after(async () => {
  await runner.close();
  await app.close();
});

const MONTH_MS = 30 * 86_400_000;
const type = (args: readonly string[]) => mine.type(args, { env: { SERVER_URL: app.url, BACKROOM_TOKEN: OWNER_TOKEN } });
const tasks = () => app.client.ai_tasks;

/** Uses all that a run is given from outside, and goes on after a month, an answer and a signal. */
const GREET = `import { admin, checkpoint, last_checkpoint, log, once, parameters, prompt, result, sleep, waitFor } from 'backroom';
export default async function main() {
  const id = parameters.customer;
  const first = await once('first', async () => (await admin.customers.create_note(id, { body: 'first ' + Math.random() })).id);
  await checkpoint({ asked: last_checkpoint?.asked ?? 0 });
  log('begun', new Date().toISOString());
  await Promise.all([1, 2, 3].map((n) => admin.customers.create_note(id, { body: 'Hello ' + n + ' ' + crypto.randomUUID() })));
  const before = Date.now();
  await sleep(${MONTH_MS});
  const { sign } = await prompt({ label: 'Sign', fields: [{ name: 'sign', kind: 'string', required: true }] });
  const event = await waitFor('signal:go', { timeout: ${MONTH_MS} });
  await admin.customers.create_note(id, { body: 'Signed ' + sign });
  if (parameters.fails) throw new Error('no more');
  result('greeted', 'customer ' + id);
  return { first, sign, days: event.data, later: Date.now() > before };
}
`;

async function write(name: string, source: string, more: object = {}): Promise<void> {
  const permissions = ['admin_api.customers.write', 'prompt_input'];
  const parameters = [
    { name: 'customer', kind: 'number' },
    { name: 'fails', kind: 'boolean' },
  ];
  await writeFile(join(mine.folder, `${name}.ts`), source);
  await writeFile(join(mine.folder, `${name}.task.json`), JSON.stringify({ name, description: '', permissions, parameters, ...more }));
}

async function pushed(name: string): Promise<number> {
  const { code, stderr } = await type(['task', 'push', name]);
  assert.equal(code, 0, stderr);
  return Number(/task (\d+)/.exec(stderr)?.[1] ?? /task (\d+)/.exec((await type(['task', 'status', name])).stdout)?.[1]);
}

/** Carries out the run to its end: its sleep is over at once, its question is answered and its signal comes. */
async function finish(taskId: number, runId: number): Promise<void> {
  const services = await servicesOf(app.store);
  const waits = (reason: string) =>
    until(`it waits: ${reason}`, async () => (await tasks().get_run(taskId, runId)).waiting_reason === reason);
  const helped = async (): Promise<void> => {
    await waits('sleep');
    await passWaits(app.store);
    await waitEnder(services)();
    const [question] = await until('it asks', async () => {
      const open = await tasks().list_prompts(taskId, runId);
      return open.length > 0 && open;
    });
    await tasks().answer_prompt(taskId, runId, question?.id ?? 0, { answers: { sign: 'Ann' } });
    await tasks().signal_run(taskId, runId, { key: 'go', value: 31 });
  };
  await Promise.all([runner.finish(taskId, runId), helped()]);
}

const fixtureOf = async (runId: number): Promise<string> => readFile(join(mine.folder, `fixtures/run-${runId}.json`), 'utf8');

test('a recorded run that slept a month, asked and waited is a fixture, which its test replays', async () => {
  await write('greet', GREET);
  const taskId = await pushed('greet');
  const { run_id: runId } = await tasks().start_run(taskId, { parameters: { customer: customerId }, record: true });
  await finish(taskId, runId);
  const run = await tasks().get_run(taskId, runId);
  assert.equal(run.status, 'success', run.error_message ?? '');

  const saved = await type(['task', 'test', '--replay', String(runId)]);
  assert.equal(saved.code, 0, saved.stderr);
  assert.match(saved.stdout, /^fixtures\/run-\d+\.json: run \d+ of greet, with \d+ calls\ngreet\.test\.ts: a test that replays it\n$/);
  assert.match(saved.stderr, /Next: backroom task test greet/);
  const text = await fixtureOf(runId);
  const again = await type(['task', 'test', 'greet', '--replay', String(runId)]);
  assert.equal(again.code, 0, again.stderr);
  assert.equal(await fixtureOf(runId), text, 'the same file each time');
  assert.match(again.stderr, /Add to greet\.test\.ts: import \{ replay \} from 'backroom\/testing'; test\('does what run/);
  assert.doesNotMatch(text, /token|Bearer/);

  assert.match(await readFile(join(mine.folder, 'greet.test.ts'), 'utf8'), new RegExp(`replay\\('fixtures/run-${runId}\\.json'\\)`));
  const changes: [from: string, to: string, told: RegExp][] = [
    ["log('begun'", "/* as before */ log('begun'", /^same$/],
    [
      "'Signed '",
      "'Signed by '",
      /is call \d+:\n {2}recorded: POST .* \{"body":"Signed Ann"\}\n {2}now: {6}POST .* \{"body":"Signed by Ann"\}/,
    ],
    ['const before =', 'await admin.customers.get(id);\n  const before =', /now: {6}GET \/customers\/\d+\n/],
    ["await admin.customers.create_note(id, { body: 'Signed ' + sign });", '', /recorded: POST .*"Signed Ann"\}\n {2}now: {6}\(no call\)/],
    ["'greeted'", "'met'", /is a result:\n {2}recorded: .*"greeted"/],
    ["log('begun'", "log('started'", /is line 1 of the log:\n.*begun.*\n.*started/],
    ['return { first,', 'return { more: 1, first,', /is how the run ended:/],
  ];
  await testOf(
    'greet',
    `const saved = await readFile('greet.ts', 'utf8');
     const file = 'fixtures/run-${runId}.json';
     assert.deepEqual((await replay(file)).result, ${JSON.stringify(run.result)});
     for (const [from, to, told] of [${changes.map(([from, to, told]) => `[${JSON.stringify(from)}, ${JSON.stringify(to)}, ${told}]`).join()}]) {
       await writeFile('greet.ts', saved.replace(from, () => to));
       const said = await replay(file).then(() => 'same', (error) => error.message);
       await writeFile('greet.ts', saved);
       assert.match(said, told, from);
     }`,
  );
  const tested = await type(['task', 'test', 'greet']);
  assert.equal(tested.code, 0, tested.stdout + tested.stderr);
});

async function testOf(name: string, act: string): Promise<void> {
  await writeFile(
    join(mine.folder, `${name}.test.ts`),
    `import assert from 'node:assert/strict';
     import { readFile, writeFile } from 'node:fs/promises';
     import { test } from 'node:test';
     import { replay } from 'backroom/testing';
     test('replays', async () => { ${act}; });`,
  );
}

test('a run that failed, and one that was restarted from its checkpoint, replay from where they began', async () => {
  await write('restarted', GREET, { name: 'restarted' });
  const taskId = await pushed('restarted');
  const { run_id: runId } = await tasks().start_run(taskId, { parameters: { customer: customerId, fails: true }, record: true });
  await finish(taskId, runId);
  const { run_id: second } = await tasks().restart_run(taskId, runId, {
    checkpoint: 1,
    parameters: { customer: customerId, fails: false },
    record: true,
  });
  await finish(taskId, second);
  assert.equal((await tasks().get_run(taskId, second)).status, 'success');
  for (const id of [runId, second]) assert.equal((await type(['task', 'test', '--replay', String(id)])).code, 0);
  await testOf(
    'restarted',
    `assert.match((await replay('fixtures/run-${runId}.json')).error, /no more/); await replay('fixtures/run-${second}.json')`,
  );
  const { code, stdout } = await type(['task', 'test', 'restarted']);
  assert.equal(code, 0, stdout);
});

test('a fixture of another task, of a newer program or of no run is named as what it is', async () => {
  await write('other', 'export default () => 1;\n');
  await mkdir(join(mine.folder, 'fixtures'), { recursive: true });
  const put = (name: string, content: unknown) => writeFile(join(mine.folder, `fixtures/${name}.json`), JSON.stringify(content));
  const recording: Recording = {
    format: 1,
    run_id: 1,
    task: { name: 'greet', source_sha256: '' },
    run: {
      ...{ status: 'success', end_reason: 'completed', error_message: null, result: null, parameters: {} },
      ...{ started_at: '2026-01-01T00:00:00.000Z', finished_at: null, first_epoch: 0, log_lines: 0 },
    },
    beginning: { seed: '', shop: null, began_at: null },
    ...{ epochs: [], attempts: [], calls: [], memory: [], prompts: [], earlier_results: [], artifacts: [], log: [] },
  };
  await put('greet', recording);
  await put('newer', { ...recording, format: 2 });
  await put('broken', { format: 1 });
  await testOf(
    'other',
    `await assert.rejects(replay('fixtures/greet.json'), /is a run of the task "greet", and this is the test of "other"/);
     await assert.rejects(replay('fixtures/newer.json'), /has format 2, and this program reads 1: a newer program wrote it/);
     await assert.rejects(replay('fixtures/broken.json'), /is no recorded run: run_id/);
     await assert.rejects(replay('fixtures/none.json'), /cannot be read; .backroom task test --replay RUN_ID. writes one/)`,
  );
  const { code, stdout } = await type(['task', 'test', 'other']);
  assert.equal(code, 0, stdout);
});

test('a recording that is too large, a run that was not recorded, and one of no task here are refused with the reason', async () => {
  await write('large', `import { admin, log } from 'backroom';\nexport default () => log('x');\n`);
  const taskId = await pushed('large');
  const { run_id: unrecorded } = await tasks().start_run(taskId, {});
  await runner.finish(taskId, unrecorded);
  const refused = async (id: number, reason: RegExp): Promise<void> => {
    const { code, stderr } = await type(['task', 'test', '--replay', String(id)]);
    assert.notEqual(code, 0);
    assert.match(stderr, reason);
  };
  await refused(unrecorded, /was not recorded/);
  await refused(99_999, /the server has no run 99999/);
  const { run_id: runId } = await tasks().start_run(taskId, { record: true });
  await runner.finish(taskId, runId);
  await lengthenLog(app.store, runId, RECORDING_MAX_BYTES);
  await refused(runId, /larger than 8 MiB, the most that is given/);
});

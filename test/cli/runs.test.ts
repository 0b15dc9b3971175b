import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connectShop } from '../../cli/remote-shop.ts';
import { showRun } from '../../cli/run-screen.ts';
import { loadTask, savePermissionTypes, taskNames } from '../../cli/task-files.ts';
import type { ParameterDeclaration } from '../../contract/tasks.ts';
import { type PartProcess, startPart } from '../../ops/processes.ts';
import { OWNER_TOKEN, RUNNER_TOKEN, startApp, type TestApp } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { openCommandLine } from '../helpers/command-line.ts';
import { freePort } from '../helpers/ports.ts';
import { makeTask } from '../helpers/runs.ts';
import { createDatabase } from '../helpers/stores.ts';

type Events = Parameters<TestApp['client']['ai_tasks']['append_run_events']>[2]['events'];

const mine = openCommandLine();
let app: TestApp;
let runner: PartProcess;
let customerId: number;
before(async () => {
  app = await startApp('sqlite');
  const env = { SERVER_URL: app.url, RUNNER_TOKEN, LOG_LEVEL: 'error' };
  runner = startPart('runner', env, (line) => process.stderr.write(`runner: ${line}\n`));
  customerId = (await makeCustomer(app)).id;
});
after(async () => {
  await runner.stop();
  await app.close();
});

const type = (args: readonly string[]) => mine.type(args, { env: { SERVER_URL: app.url, BACKROOM_TOKEN: OWNER_TOKEN } });

async function write(name: string, source: string, parameters: ParameterDeclaration[] = []): Promise<void> {
  const permissions = ['admin_api.customers.write', 'prompt_input', 'file_upload'];
  await writeFile(join(mine.folder, `${name}.ts`), source);
  await writeFile(join(mine.folder, `${name}.task.json`), JSON.stringify({ name, description: '', permissions, parameters }));
}

const GREET = `import { admin, files, log, parameters, progress, prompt, result } from 'backroom';
export default async function main() {
  const { sign } = await prompt({ label: 'Sign', fields: [{ name: 'sign', kind: 'string', required: true }] });
  const text = await files.text('letter');
  progress(1, 2, 'greeting');
  await admin.customers.create_note(parameters.customer, { body: text + ' ' + parameters.times + ' ' + sign });
  result('greeted', 'customer ' + parameters.customer);
  log('done');
  progress(2, 2, 'greeting');
  return { sign };
}
`;

test('task run pushes the task, sends parameters, files and answers, and shows the run; --dry-run shows the plan and changes nothing', async () => {
  await write('greet', GREET, [
    { name: 'customer', kind: 'number', required: true },
    { name: 'times', kind: 'json' },
    { name: 'letter', kind: 'file', required: true },
  ]);
  await writeFile(join(mine.folder, 'letter.txt'), 'Dear');
  const given = ['--set', `customer=${customerId}`, '--set', 'times=[2]', '--file', `letter=${join(mine.folder, 'letter.txt')}`];
  const run = ['task', 'run', 'greet', ...given, '--answer', 'sign=Ann'];

  const dry = await type([...run, '--dry-run']);
  assert.equal(dry.code, 0, dry.stderr);
  assert.match(
    dry.stderr,
    /^greet: task 1, created: version 1, approved\n {2}\+ admin_api\.customers\.write\n(?: {2}.*\n)*greet: run 1 of task 1\n$/,
  );
  assert.match(dry.stdout, /^greeting 50 %\n {2}greeted customer \d+ \{\}\n/m);
  assert.match(dry.stdout, /^ {2}success in [\d.]+ s, 1 calls of the API, 1 results\n {2}result \{\n {4}"sign": "Ann"\n {2}\}\n/m);
  assert.match(dry.stdout, /\n {2}plan 1 writes, none of them made\n {2}POST \/customers\/\d+\/notes\n {4}body: null → "Dear 2 Ann"\n$/);
  const notes = async () => (await app.client.customers.list_notes(customerId)).map(({ body }) => body);
  assert.deepEqual(await notes(), []);

  const real = await type(run);
  assert.equal(real.code, 0, real.stderr);
  assert.equal(real.stderr, 'greet: run 2 of task 1\n');
  assert.deepEqual(await notes(), ['Dear 2 Ann']);

  const wrong = await type([...run, '--set', 'customer=none']);
  assert.deepEqual([wrong.code, wrong.stdout], [1, ''], wrong.stderr);
  assert.match(wrong.stderr, /^422 .*customer.*\n$/);
  const noFile = await type(['task', 'run', 'greet', '--file', 'letter=nowhere.txt']);
  assert.equal(noFile.code, 1);
  assert.match(noFile.stderr, /^nowhere\.txt cannot be read: ENOENT.*\n$/);
});

test('task run prints the error of a failed run and ends with code 1; with a TASK_ID it runs the task as the server has it', async () => {
  await write('fails', `export default () => { throw new Error('out of paper'); };`);
  const failed = await type(['task', 'run', 'fails']);
  assert.equal(failed.code, 1);
  assert.match(failed.stdout, /^ {2}failed in [\d.]+ s, 0 calls of the API, 0 results\n {2}Error: out of paper/m);
  await write('fails', `export default () => 'mended';`);
  const again = await type(['task', 'run', '2']);
  assert.deepEqual([again.code, again.stderr], [1, '2: run 4 of task 2\n'], 'the server must still have the old version');
  const mended = await type(['task', 'run', 'fails']);
  assert.equal(mended.code, 0, mended.stderr);
  assert.match(mended.stdout, /result "mended"/);
});

test('task replay executes a recorded run again; with --push it uses the local source and compares call by call', async () => {
  const SOURCE = `export default async () => { log('begun'); await admin.customers.adjust_credits(${customerId}, { delta: 5 }); };`;
  await write('credit', SOURCE);
  const recorded = await type(['task', 'run', 'credit', '--record']);
  assert.equal(recorded.code, 0, recorded.stderr);
  const [, runId = ''] = /run (\d+) of task 3/.exec(recorded.stderr) ?? [];
  const same = await type(['task', 'replay', 'credit', runId]);
  assert.equal(same.code, 0, same.stdout);
  assert.match(same.stdout, /\n {2}identical: everything came again, and nothing else\n$/);

  await write('credit', SOURCE.replace('delta: 5', 'delta: 7').replace('begun', 'started'));
  const other = await type(['task', 'replay', 'credit', runId, '--push']);
  assert.equal(other.code, 1, other.stderr);
  assert.match(other.stderr, /^credit: task 3, new version: version 2, approved\n/);
  assert.match(
    other.stdout,
    /\n {2}not identical; it ended at the script's own end\n {2}status {3}success\n {2}calls {4}0 the same, 1 changed, 0 added, 0 missing\n/,
  );
  assert.match(other.stdout, /\n {2}~ POST \/customers\/\d+\/credits\/adjust\n {6}recorded .*5.*\n {6}now {6}.*7.*\n/);
  assert.match(other.stdout, /\n {2}log, line 1\n {2}- .*begun.*\n {2}\+ .*started.*\n$/);
  assert.equal((await app.client.customers.get(customerId)).credits, 5);
  const byId = await type(['task', 'replay', '3', runId]);
  assert.equal(byId.code, 0, byId.stdout);
  const notRecorded = await type(['task', 'replay', '1', '2']);
  assert.deepEqual([notRecorded.code, notRecorded.stdout], [1, '']);
  assert.match(notRecorded.stderr, /^409 not_recorded: .*\n$/);
});

test('run watch shows a run from its first line while it goes on, and sends answers; a terminal shows a progress bar', async () => {
  const source = GREET.replace('progress(1, 2', "log('before'); progress(1, 2").replace("await files.text('letter')", "'Hello'");
  const { task_id } = await app.client.ai_tasks.create({
    name: 'watched',
    description: '',
    source_code: source,
    permissions: ['admin_api.customers.write', 'prompt_input'],
    parameters: [],
  });
  const { run_id } = await app.client.ai_tasks.start_run(task_id, { parameters: { customer: customerId } });
  const watched = await type(['run', 'watch', String(task_id), String(run_id), '--answer', 'sign=Bob']);
  assert.equal(watched.code, 0, watched.stderr);
  assert.match(
    watched.stdout,
    /^ {2}prompt \d+ waits for an answer.*\n(?: {2}.*\n)* {2}before\ngreeting 50 %\n {2}greeted .*\n {2}done\ngreeting 100 %\n {2}success in/,
  );

  const screen = { isTTY: true, text: '', write: (text: string) => (screen.text += text) };
  await showRun(connectShop(app.url, OWNER_TOKEN), task_id, run_id, screen);
  const half = `${'█'.repeat(15)}${'░'.repeat(15)}  50 %  greeting`;
  assert.ok(screen.text.includes(`  before\n\r\x1b[K${half}\r\x1b[K`), screen.text);
  // A log line is printed above the bar, which stays on the screen until the end of the run.
  assert.ok(screen.text.includes(`\r\x1b[K  done\n${half}\r\x1b[K${'█'.repeat(30)} 100 %  greeting\r\x1b[K`), screen.text);

  const unknown = await type(['run', 'watch', String(task_id), '999']);
  assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
  assert.match(unknown.stderr, /^404 not_found: .*\n$/);
});

test('Ctrl-C does not end the run, and says how to watch it again', async () => {
  // A question that could be answered without any value is left to a person too.
  const asks = `export default () => prompt({ label: 'Size', fields: [{ name: 'size', kind: 'number' }] });`;
  await write('asks', asks);
  const left = await mine.type(['task', 'run', 'asks'], {
    env: { SERVER_URL: app.url, BACKROOM_TOKEN: OWNER_TOKEN },
    onOutput: ({ stderr }, child) => void (stderr.includes('the run waits for answers') && !child.killed && child.kill('SIGINT')),
  });
  assert.equal(left.code, 130, left.stderr);
  const [, taskId = '', runId = ''] = /The run goes on; to see it again: backroom run watch (\d+) (\d+)\n$/.exec(left.stderr) ?? [];
  assert.equal((await app.client.ai_tasks.get_run(Number(taskId), Number(runId))).status, 'running');
  const seen = await type(['run', 'watch', taskId, runId, '--answer', 'size=3']);
  assert.equal(seen.code, 0, seen.stderr);
  assert.match(seen.stdout, /"size": 3/);
});

test('run watch continues where it was after the server was unreachable for a moment', async () => {
  const { url: databaseUrl, drop } = await createDatabase('sqlite');
  const restartable = { databaseUrl, env: { PORT: String(await freePort()) } };
  let server = await startApp('sqlite', restartable);
  const env = { SERVER_URL: server.url, BACKROOM_TOKEN: OWNER_TOKEN };
  try {
    const taskId = await makeTask(server);
    const { run_id: runId } = await server.client.ai_tasks.start_run(taskId, { executor: 'external' });
    const tell = (...events: Events) => server.client.ai_tasks.append_run_events(taskId, runId, { events });
    await tell({ kind: 'log', line: 'before' });
    const seen = Promise.withResolvers<void>();
    const onOutput = ({ stdout }: { stdout: string }) => void (stdout.includes('before') && seen.resolve());
    const watched = mine.type(['run', 'watch', String(taskId), String(runId)], { env, onOutput });
    await seen.promise;
    await server.close();
    server = await startApp('sqlite', restartable);
    await tell({ kind: 'log', line: 'after' }, { kind: 'finalize', status: 'success' });
    const { code, stdout, stderr } = await watched;
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^ {2}before\n {2}after\n {2}success in/);
  } finally {
    await server.close();
    await drop();
  }
});

test('the examples’ files of types are those that a push would write', async () => {
  const folder = join(import.meta.dirname, '../../tasks-examples');
  const read = () => Promise.all(names.map((name) => readFile(join(folder, `${name}.permissions.ts`), 'utf8')));
  const names = await taskNames(folder);
  const before = await read();
  for (const name of names) await savePermissionTypes(folder, await loadTask(folder, name));
  assert.deepEqual(await read(), before);
});

test('SF2: a task’s imports from its folder and from packages are bundled before upload; an error names the line of an import that cannot be bundled', async () => {
  const inPackage = join(mine.folder, 'node_modules/polite');
  await mkdir(inPackage, { recursive: true });
  await writeFile(join(inPackage, 'package.json'), '{"name":"polite","version":"1.0.0","type":"module","main":"index.js"}');
  await writeFile(
    join(inPackage, 'index.js'),
    "export const greet = (name) => 'Dear ' + name;\nexport const unused = () => 'not to be approved';\n",
  );
  await writeFile(join(mine.folder, 'shared.ts'), "export const sign: string = 'Ann';\n");
  const source = (from: string) => `import { log } from 'backroom';
import { greet } from '${from}';
import { sign } from './shared.ts';

export default async function main() {
  log(greet('Tom'));
  return { sign };
}
`;
  await write('polite', source('polite'));
  const run = await type(['task', 'run', 'polite']);
  assert.equal(run.code, 0, run.stderr);
  assert.match(run.stdout, /^ {2}Dear Tom\n.*success.*\n {2}result \{\n {4}"sign": "Ann"\n/ms);
  const taskId = Number(/of task (\d+)/.exec(run.stderr)?.[1]);
  const { current_version } = await app.client.ai_tasks.get(taskId);
  assert.match(current_version?.source_code ?? '', /from "backroom"/);
  assert.doesNotMatch(current_version?.source_code ?? '', /from ['"](?!backroom)|not to be approved/);
  assert.match((await type(['task', 'push', 'polite'])).stdout, /^polite: task \d+, unchanged/);

  await write('polite', source('rude'));
  const lost = await type(['task', 'push', 'polite']);
  assert.equal(lost.code, 1);
  assert.match(lost.stderr, /^.*polite\.ts cannot be bundled with its imports into one file: polite\.ts:2: Could not resolve "rude"\n$/);
  assert.equal((await app.client.ai_tasks.get(taskId)).current_version?.id, current_version?.id);
});

test('task run --draft tries the files of the folder without pushing them; a pending version can be tried with --dry-run', async () => {
  const source = (body: string) => `export default async () => { await admin.customers.create_note(${customerId}, { body: '${body}' }); };`;
  await write('drafted', source('first'));
  const early = await type(['task', 'run', 'drafted', '--draft']);
  assert.deepEqual([early.code, early.stdout], [1, '']);
  assert.match(early.stderr, /^drafted is not on the server: --draft tries changes of a task that was pushed before\n$/);
  assert.equal((await type(['task', 'push', 'drafted'])).code, 0);
  const notes = () => app.client.customers.list_notes(customerId);
  const before = await notes();

  await write('drafted', source('second'));
  const tried = await type(['task', 'run', 'drafted', '--draft']);
  assert.equal(tried.code, 0, tried.stderr);
  assert.match(tried.stdout, /plan 1 writes, none of them made\n {2}POST \/customers\/\d+\/notes\n {4}body: null → "second"\n$/);
  const { tasks } = await app.client.ai_tasks.list({ search: 'drafted' });
  const id = tasks[0]?.id ?? 0;
  assert.equal((await app.client.ai_tasks.get(id)).versions.length, 1);
  assert.equal((await app.client.ai_tasks.list_runs(id))[0]?.draft, true);

  await app.client.settings.update({ approval_policy: 'second_admin' });
  const pending = await type(['task', 'run', 'drafted', '--dry-run']);
  assert.equal(pending.code, 0, pending.stderr);
  assert.match(pending.stderr, /new version: version 2, pending: another admin has to approve it\n/);
  assert.match(pending.stdout, /body: null → "second"\n$/);
  const real = await type(['task', 'run', 'drafted']);
  assert.equal(real.code, 1);
  assert.match(real.stderr, /^drafted was pushed, but cannot run: version 2, pending: another admin has to approve it\n$/);
  assert.deepEqual(await notes(), before);
  await app.client.settings.update({ approval_policy: 'author' });
});

test('task run --draft asks before it tries a changed source that came from the server', async () => {
  const { task_id } = await app.client.ai_tasks.create({
    name: 'Theirs',
    description: '',
    source_code: 'log("theirs")',
    permissions: [],
    parameters: [],
  });
  assert.equal((await type(['task', 'pull', String(task_id), '--as', 'theirs'])).code, 0);
  await writeFile(join(mine.folder, 'theirs.ts'), 'log("changed")');
  const asked = await type(['task', 'run', 'theirs', '--draft']);
  assert.deepEqual([asked.code, asked.stdout], [1, '']);
  assert.match(asked.stderr, /-log\("theirs"\)\n\+log\("changed"\)\n/);
  assert.match(
    asked.stderr,
    /theirs is not tried: its source came from the server, and nobody can be asked here; --yes tries it as it is shown\n$/,
  );
  assert.equal((await app.client.ai_tasks.list_runs(task_id)).length, 0);
  const yes = await type(['task', 'run', 'theirs', '--draft', '--yes']);
  assert.equal(yes.code, 0, yes.stderr);
  assert.match(yes.stdout, /^ {2}changed$/m);
});

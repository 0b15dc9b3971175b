import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pushTask } from '../../cli/push.ts';
import { noGrants } from '../../contract/grants.ts';
import type { Permission } from '../../contract/permissions.ts';
import { OWNER_TOKEN, startApp, type TestApp } from '../helpers/app.ts';
import { openCommandLine, type Typed } from '../helpers/command-line.ts';
import { person } from '../helpers/people.ts';

const mine = openCommandLine();
const colleague = openCommandLine();
let app: TestApp;
let env: Record<string, string>;
before(async () => {
  app = await startApp('sqlite');
  env = { SERVER_URL: app.url, BACKROOM_TOKEN: OWNER_TOKEN };
});
after(() => app.close());

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const path = (name: string, who = mine): string => join(who.folder, name);
async function type(line: string, who = mine): Promise<Typed> {
  return who.type(line.split(' '), { env });
}
async function ok(line: string, who = mine): Promise<string> {
  const { code, stdout, stderr } = await type(line, who);
  assert.deepEqual([code, stderr], [0, ''], line);
  return stdout;
}
async function refused(line: string, message: RegExp, who = mine): Promise<void> {
  const { code, stderr } = await type(line, who);
  assert.equal(code, 1, stderr);
  assert.match(stderr, message);
  assert.equal(stderr.split('\n').length, 2, stderr);
}
async function edit(name: string, change: (text: string) => string, who = mine): Promise<void> {
  const text = await readFile(path(name, who), 'utf8');
  assert.notEqual(change(text), text);
  await writeFile(path(name, who), change(text));
}
const count = (text: string, permissions: Permission[] = ['admin_api.orders.read']) => ({ source_code: text, permissions, parameters: [] });

test('task new writes the files that an editor and push need; the first push creates the task', async () => {
  assert.match(
    await ok('task new tag-orders'),
    /^tag-orders\.ts, .*tag-orders\.task\.json, its test in tag-orders\.test\.ts\nNext: backroom task test tag-orders, then/,
  );
  assert.match(await readFile(path('tag-orders.permissions.ts'), 'utf8'), /admin_api\.orders\.read/);
  assert.match(await readFile(path('tsconfig.tasks.json'), 'utf8'), /sandbox-lib/);
  const tested = await type('task test tag-orders');
  assert.equal(tested.code, 0, tested.stdout + tested.stderr);
  assert.match(tested.stdout, /counts the orders/);
  await refused('task new tag-orders', /^tag-orders\.task\.json is already there\n$/);
  assert.equal(await ok('task list'), 'tag-orders\n');
  assert.equal(await ok('task status'), 'tag-orders  not on the server\n');
  assert.equal(await ok('task diff'), 'tag-orders is not on the server\n');
  assert.equal(await ok('task push'), 'tag-orders: task 1, created: version 1, approved\n  + admin_api.orders.read\n');
  assert.equal(await ok('task push'), 'tag-orders: task 1, unchanged: version 1, approved\n');
  assert.equal(await ok('task status'), 'tag-orders  task 1, same as version 1, approved\n');
  assert.equal(await ok('task diff'), '');
  const { task, current_version } = await app.client.ai_tasks.get(1);
  assert.deepEqual([task.name, current_version?.source_code], ['Tag orders', await readFile(path('tag-orders.ts'), 'utf8')]);
  const remembered: unknown = JSON.parse(await readFile(path('.backroom.json'), 'utf8'));
  const meta_sha256 = sha256(await readFile(path('tag-orders.task.json')));
  assert.deepEqual(remembered, {
    [app.url]: { 'tag-orders': { task_id: 1, version_id: 1, source_sha256: current_version?.source_sha256, meta_sha256 } },
  });
});

test('task new --from copies an example with its test under the new name; an unknown one is refused by the names that there are', async () => {
  const who = openCommandLine();
  assert.match(
    await ok('task new greet --from welcome-note', who),
    /^greet\.ts, .*its test in greet\.test\.ts\nNext: backroom task test greet, then/,
  );
  const example = (ending: string) => readFile(new URL(`../../tasks-examples/welcome-note${ending}`, import.meta.url), 'utf8');
  assert.equal(await readFile(path('greet.ts', who), 'utf8'), (await example('.ts')).replace('./welcome-note.', './greet.'));
  assert.equal(await readFile(path('greet.test.ts', who), 'utf8'), await example('.test.ts'));
  assert.equal(await readFile(path('greet.permissions.ts', who), 'utf8'), await example('.permissions.ts'));
  const meta = JSON.parse(await readFile(path('greet.task.json', who), 'utf8'));
  assert.deepEqual([meta.name, meta.topic, meta.permissions], ['Greet', undefined, ['admin_api.customers.write']]);
  assert.match(
    await ok('task new back --from win-back-credit', who),
    /^back\.ts, .*back\.task\.json\nNext: backroom task run back --dry-run/,
  );
  const { code, stderr } = await type('task new other --from nothing', who);
  assert.equal(code, 2);
  assert.match(stderr, /there is no task "nothing" in .*there are: abandoned-cart-mail, /);
});

test('status and diff show a change; push shows the permissions that it adds and removes, and warnings about the source', async () => {
  await edit('tag-orders.task.json', (text) => text.replace('orders.read"', 'orders.write",\n    "prompt_input"'));
  await edit('tag-orders.ts', (text) => text.replace('orders`', 'of them`'));
  assert.equal(await ok('task status'), 'tag-orders  task 1, changed here since version 1 (version 1, approved)\n');
  const diff = await ok('task diff tag-orders');
  assert.match(diff, /^--- tag-orders\.task\.json \(server, version 1, approved\)\n\+\+\+ tag-orders\.task\.json \(here\)\n@@ /);
  assert.match(diff, /^-\s+"admin_api\.orders\.read"\n\+\s+"admin_api\.orders\.write",\n\+\s+"prompt_input"$/m);
  assert.match(diff, /^- {2}log\(`\$\{total\} orders`\);\n\+ {2}log\(`\$\{total\} of them`\);$/m);
  assert.equal(
    await ok('task push tag-orders'),
    'tag-orders: task 1, new version: version 2, approved\n  + admin_api.orders.write\n  + prompt_input\n  - admin_api.orders.read\n',
  );
  assert.match(await readFile(path('tag-orders.permissions.ts'), 'utf8'), /prompt_input/);

  await edit('tag-orders.ts', (text) => text.replace('const { total } =', 'let size = ;\n  const { total } ='));
  await edit('tag-orders.task.json', (text) => text.replace('"Tag orders"', '"Tag all orders"'));
  const warned = await type('task push');
  assert.match(warned.stdout, /^tag-orders: task 1, new version, name changed: version 3, approved\n {2}the same permissions as before\n$/);
  assert.match(warned.stderr, /^ {2}tag-orders\.ts:8:\d+ .*Expression expected.*\n$/);
  assert.equal((await app.client.ai_tasks.get(1)).task.name, 'Tag all orders');
  await edit('tag-orders.ts', (text) => text.replace('let size = ;\n  ', ''));
  await ok('task push');

  await edit('tag-orders.task.json', (text) => text.replace('"prompt_input"', '"admin_api.shop.read"'));
  await refused('task push', /^422 \S+: .*"admin_api\.shop\.read" is not in the catalogue; accepted are .*\n$/);
  await edit('tag-orders.task.json', (text) => text.replace('"admin_api.shop.read"', '"prompt_input"'));
});

test('push replaces a version newer than the pulled one only with --force; pull keeps local changes', async () => {
  assert.equal(await ok('task pull tag-all-orders', colleague), 'tag-all-orders: task 1, version 4, approved\n');
  assert.equal(await ok('task pull 1 --as tag-orders', colleague), 'tag-orders: task 1, version 4, approved\n');
  assert.equal(await readFile(path('tag-orders.ts', colleague), 'utf8'), await readFile(path('tag-orders.ts'), 'utf8'));
  await edit('tag-orders.ts', (text) => text.replace('of them', 'of theirs'), colleague);
  await ok('task push tag-orders --yes', colleague);

  assert.equal(await ok('task status'), 'tag-orders  task 1, the server is newer: version 5, approved, version 4 was pulled\n');
  await edit('tag-orders.ts', (text) => text.replace('of them', 'of mine'));
  assert.match(
    await ok('task status'),
    /^tag-orders {2}task 1, changed here since version 4, and the server is newer: version 5, approved/,
  );
  const newer = /^tag-orders: the server has version 5 of \S+, newer than version 4 that was pulled; see "backroom task diff.*--force\)\n$/;
  await refused('task push', newer);
  await refused('task run tag-orders', newer);
  assert.match(await ok('task diff'), /^-.*of theirs.*\n\+.*of mine/m);
  await refused('task pull', /^tag-orders was changed here since version 4; .*; --force overwrites it with version 5, approved\n$/);
  assert.match(await readFile(path('tag-orders.ts'), 'utf8'), /of mine/);
  assert.match(await ok('task push --force'), /version 6, approved/);
  assert.equal(await ok('task pull tag-orders', colleague), 'tag-orders: task 1, version 6, approved\n');
  assert.match(await readFile(path('tag-orders.ts', colleague), 'utf8'), /of mine/);
  assert.equal(await ok('task pull tag-orders', colleague), 'tag-orders: task 1, version 6, approved; already here\n');
  await edit('tag-orders.ts', (text) => text.replace('of mine', 'of nobody'), colleague);
  assert.match(await ok('task pull tag-orders', colleague), /; no newer version on the server, and changed here\n$/);
  await ok('task pull tag-orders --force', colleague);
  assert.match(await readFile(path('tag-orders.ts', colleague), 'utf8'), /of mine/);
});

test('push does not replace a task of the same name that was never pulled; pull --all brings every task', async () => {
  await app.client.ai_tasks.create({ name: 'Über-Report 2', description: 'Theirs', ...count('log(1);') });
  assert.match(await ok('task pull --all'), /^ueber-report-2: task 2, version 1, approved$/m);
  await rm(path('.backroom.json'));
  assert.match(await ok('task status ueber-report-2'), /task 2, same as version 1, approved/);
  await writeFile(path('ueber-report-2.ts'), 'log(2);');
  await refused(
    'task push ueber-report-2',
    /the server has task 2 "Über-Report 2", version 1 of \S+, which was not pulled into this folder; see/,
  );
  await refused('task pull ueber-report-2', /^ueber-report-2 is here already and differs from the server; see .*--force/);
  assert.match(await ok('task push ueber-report-2 --force'), /new version: version 2, approved/);
  await refused('task pull nothing-such', /^nothing-such: there is no such task on the server; there are: .*tag-all-orders/);
  await refused('task pull 99', /^404 not_found/);

  await app.client.ai_tasks.delete(2);
  assert.equal(await ok('task status ueber-report-2'), 'ueber-report-2  task 2, deleted on the server\n');
  await refused('task push ueber-report-2', /task 2 was deleted on the server; --force creates it again/);
  assert.match(await ok('task push ueber-report-2 --force'), /^ueber-report-2: task 3, created: version 1/);
});

test('push --note stores a note with a new version, and says so if there is none', async () => {
  await edit('tag-orders.ts', (text) => `${text}// noted\n`);
  const typed = await mine.type(['task', 'push', 'tag-orders', '--force', '--note', 'tags in batches'], { env });
  assert.deepEqual([typed.code, typed.stderr], [0, '']);
  assert.equal((await app.client.ai_tasks.get(1)).versions[0]?.note, 'tags in batches');
  const again = await mine.type(['task', 'push', 'tag-orders', '--note', 'again'], { env });
  assert.match(again.stdout, /unchanged/);
  assert.equal(again.stderr, 'tag-orders: nothing was changed, so the note is not stored\n');
});

test('grants travel in the task.json: push shows and stores them, diff and status see a change, pull writes them', async () => {
  const { ai_tasks } = app.client;
  const without = await readFile(path('tag-orders.task.json'), 'utf8');
  const { task_id: other } = await ai_tasks.create({ name: 'Started', description: '', ...count('log(1)') });
  await edit('tag-orders.task.json', (text) =>
    text.replace(
      /"permissions": \[[^\]]*\]/,
      `"permissions": ["http_request", "tasks_start"], "http_allow": ["https://API.example.com/v1/*"], "secrets": ["api_key"], "may_start": [${other}]`,
    ),
  );
  const pushed = await ok('task push tag-orders --force');
  for (const grant of ['http_allow:GET,HEAD https://api.example.com/v1/*', 'secret:api_key', `may_start:${other}`])
    assert.ok(pushed.split('\n').includes(`  + ${grant}`), pushed);
  const { current_version } = await ai_tasks.get(1);
  assert.deepEqual(
    [current_version?.http_allow, current_version?.secrets, current_version?.may_start],
    [['GET,HEAD https://api.example.com/v1/*'], ['api_key'], [other]],
  );
  assert.match(await ok('task status tag-orders'), /same as version/, 'another spelling of the same grant is no change');
  assert.equal(await ok('task diff tag-orders'), '');
  await edit('tag-orders.task.json', (text) => text.replace('api_key', 'other_key'));
  assert.match(await ok('task status tag-orders'), /changed here since/);
  assert.match(await ok('task diff tag-orders'), /^-\s+"api_key"\n\+\s+"other_key"$/m);
  await edit('tag-orders.task.json', (text) => text.replace('other_key', 'api_key'));
  await ok('task pull 1 --as kept --dir pulled');
  const pulled: unknown = JSON.parse(await readFile(path('pulled/kept.task.json'), 'utf8'));
  assert.ok(typeof pulled === 'object' && pulled !== null && !('mail_to' in pulled), 'a list without an entry is left out');
  assert.deepEqual(
    { ...pulled, name: '', description: '', parameters: [] },
    {
      name: '',
      description: '',
      permissions: ['http_request', 'tasks_start'],
      http_allow: ['GET,HEAD https://api.example.com/v1/*'],
      secrets: ['api_key'],
      may_start: [other],
      parameters: [],
    },
  );
  await writeFile(path('tag-orders.task.json'), without);
  assert.match(await ok('task push tag-orders --force'), /^ {2}- secret:api_key$/m);
});

test('a version that somebody pushes while one is asked about the own one is not replaced, and the task keeps its name', async () => {
  const { ai_tasks } = app.client;
  const { task_id, version_id } = await ai_tasks.create({ name: 'Race', description: '', ...count('log(1)') });
  const pushed = pushTask(
    app.client,
    { file: 'race', name: 'Race', description: 'mine', ...noGrants, ...count('log("mine")') },
    {
      entry: { task_id, version_id },
      force: false,
      approve: async () => void (await ai_tasks.create_version(task_id, count('log("theirs")'))),
    },
  );
  await assert.rejects(pushed, /Version 2 by Owner of \S+ is newer than version 1/);
  const { task, current_version } = await ai_tasks.get(task_id);
  assert.deepEqual([task.description, current_version?.source_code], ['', 'log("theirs")']);
});

test('task ids stored for another database at the same address are not used', async () => {
  const other = await startApp('sqlite');
  try {
    await other.client.ai_tasks.create({ name: 'Somebody', description: '', ...count('log("else");') });
    const memory: Record<string, unknown> = JSON.parse(await readFile(path('.backroom.json'), 'utf8'));
    await writeFile(path('.backroom.json'), JSON.stringify({ [other.url]: memory[app.url] }));
    const typed = await mine.type(['task', 'push', 'ueber-report-2', 'tag-orders'], { env: { ...env, SERVER_URL: other.url } });
    assert.match(typed.stdout, /^ueber-report-2: task 2, created.*\n.*\ntag-orders: task 3, created/, typed.stderr);
    assert.equal((await other.client.ai_tasks.get(1)).versions.length, 1);
  } finally {
    await other.close();
  }
});

test('a version that another admin must approve is shown as pending and not run; the same goes for a rejected one', async () => {
  await app.client.settings.update({ approval_policy: 'second_admin' });
  await ok('task new waits');
  assert.match(await ok('task push waits'), /^waits: task \d+, created: version 1, pending: another admin has to approve it\n/);
  assert.match(await ok('task push waits'), /unchanged: version 1, pending: another admin has to approve it\n/);
  assert.match(await ok('task status waits'), /same as version 1, pending: another admin has to approve it; none can run yet\n/);
  await refused('task run waits', /^waits was pushed, but cannot run: version 1, pending: another admin has to approve it\n$/);
  const second = await person(app, { permissions: ['admin_api.ai_tasks.write', 'admin_api.ai_tasks.approve', 'admin_api.orders.write'] });
  const { tasks } = await app.client.ai_tasks.list({ search: 'Waits' });
  const id = tasks[0]?.id ?? 0;
  const { versions } = await app.client.ai_tasks.get(id);
  await app.clientFor(second.token).ai_tasks.reject_version(id, versions[0]?.id ?? 0, { reason: 'no' });
  assert.match(await ok('task status waits'), /same as version 1, rejected; none can run yet\n/);
  assert.match(await ok('task push waits'), /new version: version 2, pending/);
});

test('pull by id uses the name under which the task was pulled, and never a name under which another task was pulled', async () => {
  const make = async (name: string) => (await app.client.ai_tasks.create({ name, description: '', ...count('log(1)') })).task_id;
  const id = await make('Say hello');
  await ok(`task pull ${id} --as greeting`);
  await app.client.ai_tasks.create_version(id, count('log(2)'));
  await ok(`task pull ${id}`);
  assert.match(await readFile(path('greeting.ts'), 'utf8'), /log\(2\)/);
  await assert.rejects(readFile(path('say-hello.ts'), 'utf8'), /ENOENT/);
  await ok(`task pull ${await make('Greeting')}`);
  assert.match(await readFile(path('greeting.ts'), 'utf8'), /log\(2\)/);
});

test('task state shows and changes what the runs of a task keep', async () => {
  const { task_id: id } = await app.client.ai_tasks.create({ name: 'Keeper', description: '', ...count('log(1)', []) });
  assert.equal(await ok(`task state list ${id}`), '');
  assert.equal(await ok(`task state set ${id} cursor {"after":5} --if-version 0`), 'version 1\n');
  await refused(
    `task state set ${id} cursor 6 --if-version 0`,
    /409 state_stale: The key "cursor" of task \d+ has version 1 now, not version 0/,
  );
  assert.equal(await ok(`task state get ${id} cursor`), '{\n  "after": 5\n}\n');
  assert.match(await ok(`task state list ${id} --prefix cur`), /^cursor {2}version 1, 11 bytes, \d{4}-\d\d-\S+Z, by an admin\n$/);
  assert.equal(await ok(`task state list ${id} --prefix x`), '');
  assert.equal((await type(`task state set ${id} cursor text`)).code, 2);
  assert.equal(await ok(`task state delete ${id} cursor --if-version 1`), '');
  await refused(`task state get ${id} cursor`, /404 not_found/);
});

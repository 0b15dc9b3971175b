import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { API } from 'typescript/unstable/sync';
import { z } from 'zod';
import { permissionsModule } from '../../cli/permission-types.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpointList } from '../../contract/index.ts';
import { holds, isTaskPermission } from '../../contract/permissions.ts';
import { openCommandLine } from '../helpers/command-line.ts';

/** Checks tasks as an editor does: in a folder outside the project, with the real compiler and the files that `task new` writes. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const READER = ['admin_api.orders.read', 'admin_api.products.write', 'admin_api.access-groups.read'];
const TASK_TEST = `import assert from 'node:assert/strict';
import { openShop } from 'backroom/testing';
const shop = await openShop();
assert.equal((await shop.run({ days: 1 })).status, 'success', process.version);
`;
const Declared = z.object({ permissions: z.array(z.string()) });
const NAMES = `import type { Script } from './TASK.permissions.ts';
declare const admin: Script['admin'];
declare const files: Script['files'];
declare const llm: Script['llm'];
declare const http: Script['http'];
declare const prompt: Script['prompt'];
declare const tasks: Script['tasks'];
declare const notify: Script['notify'];
declare const mail: Script['mail'];
`;

const tasks: Record<string, { permissions: string[]; source: string }> = {
  covered: {
    permissions: [...READER, 'file_download', 'llm', 'http_request', 'admin_api.notifications.write', 'mail_send', 'tasks_start'],
    source: `import { admin_api, log } from 'backroom';
export default async function main() {
  const page = await admin.orders.list({ status: 'pending' });
  for await (const order of admin.orders.each({ status: 'pending' })) log(order.customer_name.toUpperCase());
  for await (const product of admin.products.each()) await admin.products.update(product.id, { name: 'n' });
  await admin.access_groups.list();
  await admin_api.get('/customers');
  const target: EventTarget = new AbortController().signal;
  target.addEventListener('abort', (event: Event) => log(event.type, self === globalThis, global.Math.PI));
  const { json } = await llm.complete<{ a: string }>({ messages: [], max_tokens: 5 });
  await files.write('a.txt', json.a);
  await notify({ title: 'Done', body: json.a, link: '/orders', admins: [1], severity: 'warning' });
  const { mails } = await mail({ to: ['ann@example.com'], subject: 'Done', text: json.a, kind: 'marketing' });
  log(mails[0]?.to);
  const { status } = await http.request({ method: 'POST', url: 'https://a.example/', body: { a: 1 }, sample: { body: [] } });
  log(status);
  const { run_id } = await tasks.start('Report', { day: '2026-11-01' });
  log(run_id);
  return page.data.length;
}
`,
  },
  uncovered: {
    permissions: READER,
    source: `await admin.orders.update_status(1, { status: 'shipped' });
for await (const customer of admin.customers.each()) customer;
await admin.customers.list();
await admin.ai_tasks.list();
await admin.me.get();
await files.read('counts');
await files.write('a.txt', 'a');
await llm.complete({ messages: [], max_tokens: 5 });
await prompt({ label: 'Which?', fields: [] });
await admin.orders.list({ status: 'no such' });
await admin.access_groups.delete(1);
await notify({ title: 'Done', body: 'Done' });
await mail({ to: 'ann@example.com', subject: 'Done', text: 'Done' });
await http.request({ url: 'https://a.example/' });
await tasks.start('Report');
export {};
`,
  },
  nothing: { permissions: [], source: 'await admin.orders.get(1);\n' },
  unknown: { permissions: ['admin_api.sales.read'], source: 'admin;\n' },
};

const everyCall = endpointList.filter((e) => !e.stream && !e.binary);
const grants: Record<string, string[]> = {
  every_none: [],
  every_reader: ['admin_api.orders.read', 'admin_api.customers.write', 'admin_api.notifications.read', 'file_upload', 'llm'],
};

const mine = openCommandLine();
const { folder } = mine;
let complaints: string[] = [];

before(async () => {
  const { code, stderr } = await mine.type(['task', 'new', 'fresh']);
  assert.deepEqual([code, stderr], [0, '']);
  const files: Record<string, string> = {};
  for (const [name, { permissions, source }] of Object.entries(tasks)) {
    files[`${name}.ts`] = NAMES.replace('TASK', name) + source;
    files[`${name}.permissions.ts`] = permissionsModule(permissions);
  }
  for (const [name, permissions] of Object.entries(grants)) {
    const lines = everyCall.map(({ id }) => `call(admin.${id});\n`);
    files[`${name}.ts`] = `${NAMES.replace('TASK', name)}declare function call(f: (...args: never[]) => unknown): void;\n${lines.join('')}`;
    files[`${name}.permissions.ts`] = permissionsModule(permissions);
  }
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
  complaints = await compile();
});

/** The compiler's errors, one for each line of its output; an indented line belongs to the error before it. */
async function compile(): Promise<string[]> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const child = spawn(process.execPath, [tsc, '-p', 'tsconfig.tasks.json', '--singleThreaded', '--pretty', 'false'], { cwd: folder });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  await new Promise((resolve) => child.on('close', resolve));
  return text.split(/\n(?=\S)/).filter((line) => line !== '');
}

const HEAD_LINES = NAMES.split('\n').length - 1;

/** The errors of one task, by the line number in its source. */
function saidOf(name: string): Map<number, string> {
  return new Map(
    complaints.flatMap((text) => {
      const place = /^([\w.]+)\.ts\((\d+),/.exec(text);
      return place?.[1] === name ? [[Number(place[2]) - HEAD_LINES, text]] : [];
    }),
  );
}

test('calls that the permissions cover compile; calls by path are not checked', () => {
  assert.deepEqual([...saidOf('covered')], []);
  assert.deepEqual([...saidOf('covered.permissions')], []);
  assert.deepEqual(
    complaints.filter((text) => !/^(uncovered|nothing|unknown(\.permissions)?|every_\w+)\.ts\(/.test(text)),
    [],
  );
});

test('a call that the permissions do not cover gets an error in its line, with the missing permission', () => {
  const said = saidOf('uncovered');
  const missing: Record<number, string> = {
    1: 'admin_api.orders.write',
    2: 'admin_api.customers.read',
    3: 'admin_api.customers.read',
    6: 'file_upload',
    7: 'file_download',
    8: 'llm',
    9: 'prompt_input',
    11: 'admin_api.access_groups.write',
    12: 'admin_api.notifications.write',
    13: 'mail_send',
    14: 'http_request',
    15: 'tasks_start',
  };
  for (const [line, permission] of Object.entries(missing)) {
    const text = said.get(Number(line)) ?? '';
    assert.match(text, /TS2349: This expression is not callable/);
    assert.ok(text.includes(`PermissionNotDeclared<"${permission}">`), text);
  }
  assert.match(said.get(4) ?? '', /ClosedToTasks<"ai_tasks\.list">/);
  assert.match(said.get(5) ?? '', /ClosedToTasks<"me\.get">/);
  assert.match(said.get(10) ?? '', /"no such"/);
  assert.equal(said.size, 15);
});

test('a task that declares no permission may call nothing', () => {
  assert.match(saidOf('nothing').get(1) ?? '', /PermissionNotDeclared<"admin_api\.orders\.read">/);
  assert.deepEqual([...saidOf('nothing.permissions')], []);
});

test('an unknown permission gets an error where it is declared', () => {
  assert.match(complaints.find((text) => text.startsWith('unknown.permissions.ts')) ?? '', /"admin_api\.sales\.read"/);
});

test('each operation of the contract gets an error exactly if the server would refuse it', () => {
  for (const [name, permissions] of Object.entries(grants)) {
    const held = new Set(permissions);
    const said = saidOf(name);
    for (const [index, e] of everyCall.entries()) {
      assert.equal(said.has(index + 2), isRefused(e, held), `${e.id} with ${permissions.join(', ')}`);
    }
  }
});

test('an editor completes `admin.orders.`, and reads a task and its test with their own types', async () => {
  const [typing, task, taskTest] = [join(folder, 'typing.ts'), join(folder, 'covered.ts'), join(folder, 'covered.test.ts')];
  const text = `${NAMES.replace('TASK', 'uncovered')}admin.orders.\n`;
  await writeFile(typing, text);
  await writeFile(taskTest, TASK_TEST);
  const editor = new API({ cwd: folder });
  try {
    const snapshot = editor.updateSnapshot({ openFiles: [typing, task, taskTest] });
    const project = (path: string) => snapshot.getDefaultProjectForFile(path);
    const found = project(typing)?.checker.getCompletionsAtPosition(typing, text.indexOf('orders.') + 'orders.'.length);
    const operations = everyCall.flatMap(({ id }) => (id.startsWith('orders.') ? [id.replace('orders.', '')] : []));
    assert.deepEqual(found?.entries.map(({ name }) => name).sort(), ['each', ...operations].sort());
    for (const path of [task, taskTest]) assert.deepEqual(project(path)?.program.getSemanticDiagnostics(path), []);
  } finally {
    editor.close();
  }
});

test('the examples’ permission types match the permissions that they declare', async () => {
  const folder = join(root, 'tasks-examples');
  const metas = (await readdir(folder)).filter((file) => file.endsWith('.task.json'));
  assert.ok(metas.length > 0);
  for (const meta of metas) {
    const { permissions } = Declared.parse(JSON.parse(await readFile(join(folder, meta), 'utf8')));
    const name = meta.replace('.task.json', '');
    assert.equal(await readFile(join(folder, `${name}.permissions.ts`), 'utf8'), permissionsModule(permissions));
    assert.ok((await readFile(join(folder, `${name}.ts`), 'utf8')).includes(`from './${name}.permissions.ts'`), name);
  }
});

/** Decides as the server's checkPermission does. */
function isRefused(e: Endpoint, held: ReadonlySet<string>): boolean {
  if (e.ownRun) return true;
  const needed = e.taskPermission === undefined ? e.permission : e.taskPermission;
  return needed === null || !isTaskPermission(needed) || !holds(held, needed);
}

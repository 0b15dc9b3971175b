import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { migrate } from '../../server/db/migrate.ts';
import { openStore, type Store } from '../../server/db/open.ts';
import { fillSampleShop } from '../../server/shop-data/sample/fill.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { makeCustomer, makeFile } from '../helpers/builders.ts';
import { openCommandLine } from '../helpers/command-line.ts';
import { takenBack } from '../helpers/done-runs.ts';
import { openInProcessRunner } from '../helpers/in-process-runner.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, makeTask, openRun } from '../helpers/runs.ts';
import { dumpSchema } from '../helpers/schema-dump.ts';
import { dumpStore } from '../helpers/store-dump.ts';
import { forgetMigration, spoilCopy, storeMigration } from '../helpers/stored-rows/copies.ts';
import { createDatabase, stopPostgres, type TestDatabase } from '../helpers/stores.ts';

/** `backroom db copy` of a shop with runs, from SQLite to PostgreSQL and back; the tests build on one another. */

const { type, folder } = openCommandLine();
const there = join(folder, 'shop');
const source = join(there, 'backroom.db');
const back = join(folder, 'back', 'backroom.db');
let postgres: TestDatabase;
let left: Awaited<ReturnType<typeof leaveShop>>;

const copy = (from: string, to: string, ...options: string[]) => type(['db', 'copy', from, to, ...options]);
const check = (url: string) => type(['db', 'check'], { env: { DATABASE_URL: url, DATA_DIR: there } });

async function withStore<T>(url: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = openStore({ url, poolSize: 1 });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** A script whose run reads more than 64 KiB at once, and writes, keeps and reports something. */
const SCRIPT = `
export default async () => {
  const { body } = await admin_api.get('/orders?per_page=100');
  await admin_api.post('/customers/' + parameters.customer + '/notes', { body: 'seen by a task' });
  await state.set('last', { orders: body.data.length });
  await checkpoint({ seen: body.data.length });
  log('orders: ' + body.data.length);
  await admin_api.get('/customers/' + parameters.customer + '/notes');
  return { orders: body.data.length };
};`;

const NOTES = ['a\tb\nc\r\nd', '\\N', '\\', '\\.', 'a\\tb\\\\u0000', '"quoted", {braced}', 'Ő ﬀ 😀 \u2028 \uffff', "it's"];

/** Fills the source and lets a server and a runner work on it; returns what must be the same in every copy. */
async function leaveShop() {
  await mkdir(there);
  await withStore(source, async (store) => {
    await migrate(store);
    await fillSampleShop(store, { seed: 3, orders: 1500, now: new Date('2026-06-30T12:00:00Z') });
  });
  const app = await startApp('sqlite', { databaseUrl: source, env: { DATA_DIR: there } });
  const runner = openInProcessRunner(app);
  try {
    const { id: customer } = await makeCustomer(app, { name: 'Zsófia\tÁgh' });
    const long = Array.from({ length: 20 }, (_, n) => `${n} `.repeat(2000));
    for (const body of [...NOTES, ...long]) await app.client.customers.create_note(customer, { body });
    const { id: file } = await makeFile(app);
    const task = await makeTask(app, {
      source_code: SCRIPT,
      permissions: ['admin_api.orders.read', 'admin_api.customers.write'],
      parameters: [{ name: 'customer', label: 'Customer', kind: 'number', required: true }],
    });
    const { runId } = await openRun(app, { parameters: { customer }, record: true, priority: 1000 }, task);
    const ended = await runner.finish(task, runId);
    assert.deepEqual([ended.status, ended.error_message], ['success', null]);
    const running = await claimedRun(app);
    await running.report([{ kind: 'log', line: 'under way' }]);
    const { id: group } = await app.client.discount_groups.create({ name: 'Soon gone', percent_bps: 100 });
    await app.client.discount_groups.delete(group);
    const { changes_cursor: cursor } = await app.client.customers.list({ after: 'start', per_page: 1 });
    const order = (await app.client.orders.list({ per_page: 1 })).data[0]?.id ?? 0;
    const paths = pathsOf({ customer, file, task, runId, order });
    return { customer, group, order, task, runId, cursor, paths, answers: await answersOf(app, paths) };
  } finally {
    await runner.close();
    await app.close();
  }
}

function pathsOf({ customer, file, task, runId, order }: Record<'customer' | 'file' | 'task' | 'runId' | 'order', number>): string[] {
  const run = `/ai-tasks/${task}/runs/${runId}`;
  return [
    '/orders?per_page=100',
    '/orders?per_page=50&sort=customer_name&page=7',
    '/orders?search=an&per_page=50',
    '/orders?status=shipped&payment_status=paid',
    '/orders?payment_progress=paid',
    `/orders/${order}`,
    `/orders/${order}/shipments`,
    '/customers?per_page=100&sort=name',
    '/customers?search=zsófia',
    `/customers/${customer}`,
    `/customers/${customer}/notes`,
    '/products?per_page=100',
    '/vouchers',
    '/subscriptions?per_page=100',
    '/pages',
    '/themes/1/templates',
    '/discount-groups',
    '/settings',
    `/files/${file}`,
    '/logs?per_page=100',
    '/audit-log?per_page=100',
    '/dashboard/trends?days=90',
    '/ai-tasks',
    `/ai-tasks/${task}`,
    '/runs?per_page=50',
    run,
    `${run}/lines`,
    `${run}/calls`,
    `${run}/effects`,
    `${run}/checkpoints`,
    `${run}/timeline`,
    `/ai-tasks/${task}/state`,
    `/ai-tasks/${task}/state/last`,
  ];
}

async function answersOf(app: TestApp, paths: readonly string[]): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const path of paths) {
    const { status, body } = await app.request({ path: encodeURI(`/admin/api${path}`) });
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
    answers[path] = body;
  }
  return answers;
}

/** The shop, as far as the servers and commands that merely look at it leave it alone. */
const dumpAt = (url: string) => withStore(url, dumpStore);
/** Indexes that a copy makes at its end are in another order. */
const schemaAt = (url: string) => withStore(url, async (store) => (await dumpSchema(store)).split(/(?<=;\n)/).sort());

async function freshSchema(engine: 'sqlite' | 'postgres'): Promise<string[]> {
  const fresh = await createDatabase(engine);
  await withStore(fresh.url, (store) => migrate(store));
  const schema = await schemaAt(fresh.url);
  await fresh.drop();
  return schema;
}

before(async () => {
  postgres = await createDatabase('postgres', { empty: true });
  left = await leaveShop();
});
after(async () => {
  await postgres.drop();
  await stopPostgres();
});

test('a copy to PostgreSQL that is killed twice goes on where it was; then it has every row, index and counter', async () => {
  const dump = await dumpAt(source);
  assert.ok(
    dump.rows['journal']?.some((row) => row.includes('"answer_gzip":{"type":"Buffer"')),
    'the shop must have stored bytes',
  );
  const first = await copyUntil(/copying rows [3-9]\d %/);
  assert.deepEqual([first.code, first.stdout], [null, '']);
  for (const [command, ...args] of [['migrate'], ['check']] as const) {
    const refused = await type(['db', command, ...args], { env: { DATABASE_URL: postgres.url } });
    assert.deepEqual([refused.code, refused.stdout], [1, '']);
    assert.match(refused.stderr, /^the database is an unfinished copy of a store: finish it with the same backroom db copy FROM TO, .*\n$/);
  }
  await assert.rejects(startApp('postgres', { databaseUrl: postgres.url }), /an unfinished copy of a store/);
  const second = await copyUntil(/index orders/);
  assert.equal(second.code, null);
  assert.ok((second.shares[0] ?? 100) >= 30, second.stderr);
  const third = await copyUntil(null);
  assert.deepEqual([third.code, third.shares], [0, []], third.stderr);
  assert.match(third.stdout, /^ok {4}orders: 1500$/m);
  assert.match(third.stdout, /^The store is copied to postgres:\/\/[^@]*: start the servers on it\.$/m);
  assert.match(third.stdout, new RegExp(`^Its files \\(1, 8 bytes\\) are not rows\\. .* copy ${there}/files to DATA_DIR/files\\.`, 'm'));
  assert.ok(!third.stdout.includes('WRONG') && !third.stdout.includes('secret@'));

  assert.deepEqual(await dumpAt(postgres.url), dump);
  assert.deepEqual(await schemaAt(postgres.url), await freshSchema('postgres'));
  const checked = await check(postgres.url);
  assert.deepEqual([checked.code, checked.stderr], [0, ''], checked.stdout);
});

/** Copies the source to PostgreSQL in a single process, which is killed when its progress matches. */
async function copyUntil(pattern: RegExp | null) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'ops/db-copy.ts', there, postgres.url], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    output.stderr += chunk.toString();
    if (pattern?.test(output.stderr)) child.kill('SIGKILL');
  });
  await once(child, 'close');
  const shares = [...output.stderr.matchAll(/^copying rows (\d+) %$/gm)].map(([, share]) => Number(share));
  return { code: child.exitCode, ...output, shares };
}

test('the copy back to SQLite is the first store again, and --verify finds each difference', async () => {
  const made = await copy(postgres.url, join(folder, 'back'));
  assert.equal(made.code, 0, made.stderr);
  assert.deepEqual(await dumpAt(back), await dumpAt(source));
  assert.deepEqual(await schemaAt(back), await freshSchema('sqlite'));
  for (const [from, to] of [
    [postgres.url, back],
    [there, postgres.url],
  ] as const) {
    const same = await copy(from, to, '--verify');
    assert.deepEqual([same.code, same.stdout.includes('WRONG')], [0, false], same.stdout);
  }
  await withStore(back, (store) => spoilCopy(store, { customer: left.customer, movement: 7 }));
  const different = await copy(postgres.url, back, '--verify');
  assert.equal(different.code, 1, different.stderr);
  const wrong = [...different.stdout.matchAll(/^WRONG (.*)\n((?: {8}.*\n)*)/gm)].map(([, table, faults]) => [table, faults?.trim()]);
  const { length: movements } = (await dumpAt(source)).rows['stock_movements'] ?? [];
  const [customers, counts, settings, stock] = wrong;
  assert.match(String(customers?.[0]), /^customers: \d+$/);
  assert.equal(customers?.[1], `id ${left.customer}: name, phone differ`);
  assert.match(String(counts?.[0]), /^order_counts: \d+$/);
  assert.match(String(counts?.[1]), /^(day "", is_test \d, status "\w+", payment_status "\w+", dated \d: n differs\s*){20}and \d+ more$/);
  assert.deepEqual(settings?.[1], 'key "unknown": is not in the source');
  assert.deepEqual(stock, [
    `stock_movements: ${movements} in the source, ${(movements ?? 0) - 1} in the target`,
    'id 7: is not in the target',
  ]);
  assert.equal(wrong.length, 4, different.stdout);
});

test('a server on the copy gives the same answers, refuses old cursors, and goes on with the ids', async () => {
  const app = await startApp('postgres', { databaseUrl: postgres.url, env: { DATA_DIR: there } });
  try {
    assert.deepEqual(await answersOf(app, left.paths), left.answers);
    const old = await app.request({ path: `/admin/api/customers?after=${encodeURIComponent(left.cursor ?? '')}` });
    assert.equal(old.status, 422, old.text);
    assert.match(old.text, /lost when the shop was restored/);
    const { id: group } = await app.client.discount_groups.create({ name: 'New', percent_bps: 100 });
    assert.equal(group, left.group + 1);
    const { id: customer } = await makeCustomer(app);
    assert.equal(customer, left.customer + 1);
    const changes = await app.client.customers.list({ after: 'start' });
    await app.client.customers.update(left.customer, { name: 'Anna' });
    const { data } = await app.client.customers.list({ after: changes.changes_cursor ?? '' });
    assert.deepEqual(data.at(-1)?.id, left.customer);
    const notes = async () => (await app.client.customers.list_notes(left.customer)).filter(({ body }) => body === 'seen by a task').length;
    assert.equal(await notes(), 1);
    await takenBack(app, left.task, left.runId);
    assert.equal(await notes(), 0, 'what a run did on the other engine is taken back');
    await refused(app.client.ai_tasks.get_state(left.task, 'last'), 404, 'not_found');
    const before = await app.client.orders.list({ per_page: 1, status: 'cancelled' });
    await app.client.orders.update_status(left.order, { status: 'cancelled' });
    assert.equal((await app.client.orders.list({ per_page: 1, status: 'cancelled' })).total, before.total + 1);
  } finally {
    await app.close();
  }
});

test('what cannot be copied safely is refused, and nothing is written', async () => {
  const empty = await createDatabase('postgres', { empty: true });
  const refuses = async (from: string, to: string, message: RegExp, code = 1) => {
    const typed = await copy(from, to);
    assert.deepEqual([typed.code, typed.stdout], [code, ''], typed.stderr);
    assert.match(typed.stderr, message);
  };
  const nowhere = join(folder, 'nowhere');
  try {
    await refuses(
      there,
      postgres.url,
      /^the target is not empty, it has a store already \(--verify compares it\): name an empty database\n$/,
    );
    await refuses(postgres.url, there, /^the target is not empty, it has a store already/);
    for (const [from, to, app] of [
      [there, empty.url, await startApp('sqlite', { databaseUrl: source })],
      [postgres.url, nowhere, await startApp('postgres', { databaseUrl: postgres.url })],
    ] as const) {
      await refuses(
        from,
        to,
        /^(the source .* is open in another process|\d+ other connections? uses? the source): stop the servers of this shop/,
      );
      await app.close();
    }
    await withStore(source, (store) => forgetMigration(store, '0001-baseline'));
    await refuses(there, empty.url, /^the source has an older schema \(0001-baseline is missing\): run backroom db migrate/);
    await withStore(source, (store) => storeMigration(store, '0001-baseline'));
    await withStore(source, (store) => storeMigration(store, '9999-later'));
    await refuses(there, empty.url, /^a newer program has changed the schema of the source \(9999-later\)/);
    await withStore(source, (store) => forgetMigration(store, '9999-later'));
    await writeFile(nowhere, 'text');
    await refuses(`sqlite:${nowhere}`, empty.url, /^a database cannot be opened: file is not a database\n$/);
    await refuses(join(folder, 'none'), empty.url, /^there is no store at .*none\/backroom\.db\n$/);
    await refuses(there, 'postgres://u:hidden@127.0.0.1:1/x', /^a database does not answer \(connect ECONNREFUSED 127\.0\.0\.1:1\)/);
    await refuses(there, 'mysql://u:hidden@h/x', /^an address must be a folder, sqlite:FILE or postgres:/, 2);
    assert.equal(await withStore(empty.url, dumpSchema), '');
  } finally {
    await empty.drop();
  }
  assert.ok(!existsSync(join(folder, 'none')));
});

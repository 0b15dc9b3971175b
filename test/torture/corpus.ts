import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import { Pool } from 'undici';
import { z } from 'zod';
import type { AdminApi } from '../../contract/calls.ts';
import { createClient } from '../../contract/client.ts';
import type { Run } from '../../contract/runs.ts';
import { type PartProcess, startListeningServer, startPart } from '../../ops/processes.ts';
import { createQuietServices } from '../../server/create-services.ts';
import { migrate } from '../../server/db/migrate.ts';
import { openStore } from '../../server/db/open.ts';
import { expireCredits } from '../../server/resources/credits/expiry.ts';
import { fillSampleShop } from '../../server/shop-data/sample/fill.ts';

/**
 * `npm run corpus -- FILE.jsonl [ID…]`: runs attack programs through the real API, runner and sandbox. Each line of the file is
 * a JSON object with `id`, `kind` and `code`. The command fails where a program reaches or changes anything outside its
 * isolate or outlives its limits, or where the ordinary run after it does not succeed.
 */

const Program = z.object({ id: z.string(), kind: z.string(), code: z.string() });
type Program = z.infer<typeof Program>;

const LANES = 2;
const LIMITS = { heap_mib: 64, cpu_seconds: 2, wall_seconds: 5 };
/** Every run must have ended this long after its wall time at the latest, also on a busy machine. */
const GRACE_MS = 10_000;
const PERMISSIONS = ['admin_api.orders.read', 'admin_api.customers.read'];
const PLAIN = `export default async () => {
  const { body } = await admin_api.get('/customers?per_page=1');
  return [JSON.stringify({ a: [1, 'x'] }), Object.keys({ b: 1 }), [3, 1, 2].sort(), body.data.length, typeof globalThis.__escaped];
}`;
const PLAIN_RESULT = JSON.stringify(['{"a":[1,"x"]}', ['b'], [1, 2, 3], 1, 'undefined']);

const [file, ...only] = process.argv.slice(2);
if (!file) {
  process.stderr.write('Usage: npm run corpus -- FILE.jsonl [ID…]\n');
  process.exit(2);
}
const programs = readPrograms(file).filter(({ id }) => only.length === 0 || only.includes(id));
const canary = `canary-${randomBytes(12).toString('hex')}`;
const folder = mkdtempSync(join(tmpdir(), 'backroom-corpus-'));
const failures: string[] = [];
const parts: PartProcess[] = [];
try {
  await main();
} finally {
  for (const part of parts.reverse()) await part.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`\n${programs.length - failures.length} passed, ${failures.length} failed\n`);
if (failures.length > 0) process.exitCode = 1;

async function main(): Promise<void> {
  const canaryFile = join(folder, 'canary.txt');
  writeFileSync(canaryFile, canary);
  const database = join(folder, 'shop.db');
  await fillShop(database);
  const token = randomBytes(24).toString('hex');
  const runnerToken = randomBytes(24).toString('hex');
  const server = await startListeningServer({
    PORT: '0',
    DATABASE_URL: `sqlite:${database}`,
    BOOTSTRAP_ADMIN_TOKEN: token,
    RUNNER_TOKEN: runnerToken,
    RATE_LIMIT: '0',
    LOG_LEVEL: 'info',
  });
  parts.push(server);
  const output: string[] = [];
  const runner = startPart(
    'runner',
    { SERVER_URL: server.url, RUNNER_TOKEN: runnerToken, RUNNER_SLOTS: String(LANES), LOG_LEVEL: 'debug', CANARY: canary },
    (line) => output.push(line),
  );
  parts.push(runner);
  const pool = new Pool(server.url, { connections: LANES * 2 });
  const client = createClient(async ({ method, path, body, headers }) => {
    const answer = await pool.request({
      method: method as 'GET',
      path: `/admin/api${path}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, headers: {}, body: text === '' ? undefined : JSON.parse(text) };
  });
  const before = shopDigest(database);
  const filesBefore = readdirSync(folder).sort().join();
  const secrets = [canary, token, runnerToken, folder];
  const plain = await client.ai_tasks.create({
    name: 'plain',
    description: '',
    source_code: PLAIN,
    permissions: PERMISSIONS,
    parameters: [],
  });
  const queue = [...programs];
  const counts = new Map<string, number>();
  const lane = async (): Promise<void> => {
    for (let program = queue.shift(); program; program = queue.shift()) {
      const fault = await attack(client, program, plain.task_id, secrets, output, counts);
      if (fault) failures.push(`${program.id}: ${fault}`);
      process.stdout.write(fault ? `\nFAILED ${program.id}: ${fault}\n` : '.');
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await pool.close();
  const exited = await Promise.race([runner.exited.then(() => true), delay(0, false)]);
  if (exited) failures.push('the runner process has ended');
  if (shopDigest(database) !== before) failures.push('the shop has changed');
  if (readFileSync(canaryFile, 'utf8') !== canary || readdirSync(folder).sort().join() !== filesBefore) failures.push('files have changed');
  const ended = [...counts].sort().map(([status, n]) => `${n} ${status}`);
  process.stdout.write(`\nends: ${ended.join(', ')}\n`);
  for (const failure of failures) process.stdout.write(`${failure}\n`);
}

/** Runs one program and a plain run after it; returns what is wrong, or null. */
async function attack(
  client: AdminApi,
  program: Program,
  plainTaskId: number,
  secrets: readonly string[],
  output: readonly string[],
  counts: Map<string, number>,
): Promise<string | null> {
  const source = `export default async function () {\n${program.code}\n;console.log(JSON.stringify(globalThis.__probe));\n}`;
  const task = await client.ai_tasks.create({
    name: program.id,
    description: '',
    source_code: source,
    permissions: PERMISSIONS,
    parameters: [],
  });
  await client.ai_tasks.update(task.task_id, { settings: { limits: LIMITS } });
  const run = await runToEnd(client, task.task_id);
  if (run === 'late') return `still running ${LIMITS.wall_seconds * 1000 + GRACE_MS} ms after it was claimed`;
  const end = `${run.status}/${run.end_reason}`;
  counts.set(end, (counts.get(end) ?? 0) + 1);
  if (output.some((line) => line.includes(`SANDBOX-ESCAPE ${program.id}`))) return 'code ran in the host realm (its canary is on stderr)';
  if (run.log.includes(`"ESCAPED ${program.id}"`)) return 'the script got hold of process';
  const shown = `${run.log}${JSON.stringify(run.result)}${run.error_message}`;
  if (secrets.some((secret) => shown.includes(secret)) || /run_[0-9A-Za-z]{43}/.test(shown))
    return 'the run shows a secret or path of the host';
  if (run.end_reason === 'lost_worker' || run.end_reason === 'lost_runner') return `ended ${end}`;
  const after = await runToEnd(client, plainTaskId);
  if (after === 'late') return 'the plain run after it does not end';
  if (after.status !== 'success' || JSON.stringify(after.result) !== PLAIN_RESULT)
    return `the plain run after it ended ${after.status} ${after.error_message ?? ''} with ${JSON.stringify(after.result)}`;
  return null;
}

async function fillShop(path: string): Promise<void> {
  const store = openStore({ url: path });
  await migrate(store);
  await fillSampleShop(store, { seed: 1, now: new Date('2026-01-01T00:00:00.000Z'), orders: 50 });
  // Expired credits are booked now. Otherwise the server would book them during the test, and the shop would seem changed.
  await expireCredits(await createQuietServices(store, folder));
  await store.close();
}

/** Runs a task to its end; `late` where it exceeds its time. Waiting for a free slot does not count. */
async function runToEnd(client: AdminApi, taskId: number): Promise<Run | 'late'> {
  const { run_id: runId } = await client.ai_tasks.start_run(taskId, {});
  let deadline = Number.POSITIVE_INFINITY;
  for (;;) {
    const run = await client.ai_tasks.get_run(taskId, runId);
    if (run.status !== 'running') return run;
    if (run.claimed_at !== null && deadline === Number.POSITIVE_INFINITY) deadline = Date.now() + LIMITS.wall_seconds * 1000 + GRACE_MS;
    if (Date.now() > deadline) return 'late';
    await delay(25);
  }
}

/** A hash over all rows of the shop's tables, without the tables in which runs store their own data (runs, logs, journal). */
function shopDigest(path: string): string {
  const database = new SqliteDatabase(path, { readonly: true });
  const hash = createHash('sha256');
  for (const table of [
    'products',
    'variants',
    'stock_movements',
    'customers',
    'addresses',
    'customer_notes',
    'credit_buckets',
    'credit_transactions',
    'orders',
    'order_items',
    'order_statuses',
    'tax_rates',
    'vouchers',
    'discount_groups',
    'pickup_locations',
    'shipping_methods',
    'admins',
    'settings',
  ]) {
    // `last_seen_at` of admins changes with every request, so it is left out.
    for (const row of database.prepare(`SELECT * FROM ${table} ORDER BY 1`).iterate()) {
      hash.update(JSON.stringify({ ...Object(row), last_seen_at: null }));
    }
  }
  database.close();
  return hash.digest('hex');
}

function readPrograms(path: string): Program[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line, i) => {
    const parsed = Program.safeParse(JSON.parse(line));
    if (!parsed.success) throw new Error(`${path}, line ${i + 1}: ${parsed.error.issues[0]?.message}`);
    return parsed.data;
  });
}

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import pino from 'pino';
import { z } from 'zod';
import { readConfig } from '../server/config.ts';
import { startServer } from '../server/server.ts';

const USAGE = 'npm run bad-input -- FOLDER   (json-test-suite, json-proto, query-strings, auth-bearer, blns, http-llhttp)';
const TOKEN = 'Token-of-the-bad-input-command-0123456789';
/** A connection that says nothing for so long waits for more of an unfinished request. */
const QUIET_MS = 250;
const ANSWER_WITHIN_MS = 10_000;
const AT_ONCE = 8;

const { positionals } = parseArgs({ allowPositionals: true, options: {} });
const [folder, ...rest] = positionals;
if (folder === undefined || rest.length > 0) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(2);
}

const data = await mkdtemp(join(tmpdir(), 'backroom-bad-input-'));
const config = readConfig({ PORT: '0', DATA_DIR: data, BOOTSTRAP_ADMIN_TOKEN: TOKEN, RATE_LIMIT: '0', LOG_LEVEL: 'silent' });
const server = await startServer(config, pino({ level: 'silent' }));
const origin = new URL(server.url);
const failures: string[] = [];
let requests = 0;

type Answer = { status: number; text: string };
type Sent = { statuses: number[] };

/** A request of well-formed HTTP whose body is any bytes. */
async function send(method: string, path: string, body?: string | Buffer): Promise<Answer> {
  requests += 1;
  const headers = { authorization: `Bearer ${TOKEN}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const answer = await fetch(`${server.url}/admin/api${path}`, {
    method,
    headers,
    ...(bytes ? { body: new Uint8Array(bytes) } : {}),
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  return { status: answer.status, text: await answer.text() };
}

/** Bytes as they are; resolves when the server closes or has been quiet. `from`: address of this side. */
function sendRaw(bytes: Buffer, from = '127.0.0.1'): Promise<Sent> {
  requests += 1;
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ port: Number(origin.port), host: origin.hostname, localAddress: from });
    let timer = setTimeout(() => socket.destroy(), QUIET_MS * 4);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      clearTimeout(timer);
      timer = setTimeout(() => socket.destroy(), QUIET_MS);
    });
    socket.on('error', () => undefined);
    socket.on('end', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(timer);
      resolve({ statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1])) });
    });
    socket.write(bytes);
  });
}

function check(ok: boolean, what: string): void {
  if (!ok) failures.push(what);
}

/** Everything but 501 of what is not built yet counts as the server's fault. */
const isServersFault = (status: number): boolean => status >= 500 && status !== 501;

async function rows(): Promise<string> {
  const tables = [
    'customers',
    'customer_notes',
    'credit_transactions',
    'tasks',
    'task_versions',
    'runs',
    'run_events',
    'lineages',
    'audit_log',
    'log_entries',
    'domain_events',
    'idempotency',
  ];
  const counts = await Promise.all(
    tables.map((table) => sql<{ n: number }>`SELECT count(*) AS n FROM ${sql.table(table)}`.execute(server.store.reader)),
  );
  return counts.map((result) => result.rows[0]?.n).join(' ');
}

/** A refused request leaves every table as it was. */
async function whole(what: string, request: () => Promise<Answer>): Promise<Answer> {
  const before = await rows();
  const answer = await request().catch((error: unknown): Answer => ({ status: 599, text: String(error) }));
  check(!isServersFault(answer.status), `${what}: ${answer.status} ${answer.text.slice(0, 200)}`);
  if (answer.status >= 400) check((await rows()) === before, `${what}: refused with ${answer.status}, but rows were written`);
  return answer;
}

async function readLines<T extends z.ZodType>(name: string, schema: T): Promise<z.output<T>[]> {
  const bytes = await readFile(join(folder ?? '', name));
  const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => schema.parse(JSON.parse(line)));
}

async function each<T>(items: readonly T[], work: (item: T, index: number) => Promise<void>): Promise<void> {
  const queue = items.entries();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [index, item] of queue) await work(item, index);
    }),
  );
}

const Created = z.looseObject({ task_id: z.int().optional(), run_id: z.int().optional() });
const VERSION = { source_code: 'log(1)', permissions: [], parameters: [] };
const task =
  Created.parse(JSON.parse((await send('POST', '/ai-tasks', JSON.stringify({ name: 'Bad input', description: '', ...VERSION }))).text))
    .task_id ?? 0;

async function newRun(): Promise<string> {
  const { text } = await send('POST', `/ai-tasks/${task}/runs`, '{"executor":"external"}');
  return `/ai-tasks/${task}/runs/${Created.parse(JSON.parse(text)).run_id}`;
}

const customer = await server.store.write(async (db) => {
  const at = new Date().toISOString();
  const values = {
    name: 'C',
    name_folded: 'C',
    email: 'c@example.com',
    email_folded: 'C@EXAMPLE.COM',
    registered: 0,
    is_b2b: 0,
    register_ip: '',
    last_login_ip: '',
    created_at: at,
    updated_at: at,
  };
  return (await db.insertInto('customers').values(values).returning('id').executeTakeFirstOrThrow()).id;
});
const notes = `/customers/${customer}/notes`;

async function jsonTestSuite(): Promise<number> {
  const cases = await readLines(
    'json-test-suite.jsonl.gz',
    z.object({ id: z.string(), expect: z.string(), base64: z.string(), utf8: z.boolean() }),
  );
  const run = await newRun();
  for (const { id, base64, utf8, expect } of cases) {
    const bytes = Buffer.from(base64, 'base64');
    const malformed = !utf8 || expect === 'reject';
    const bare = await whole(id, () => send('POST', notes, bytes));
    if (malformed && bytes.length > 0) check(bare.status === 400, `${id}: ${bare.status} for what cannot be parsed`);
    if (bytes.length === 0) continue;
    const inside = Buffer.concat([
      Buffer.from('{"events":[{"kind":"result","status":"s","item":"i","details":{"v":'),
      bytes,
      Buffer.from('}}]}'),
    ]);
    const event = await whole(`${id} in an event`, () => send('PATCH', run, inside));
    if (!utf8) check(event.status === 400, `${id} in an event: ${event.status} for what is not UTF-8`);
  }
  return cases.length;
}

async function jsonProto(): Promise<number> {
  const cases = await readLines('json-proto.jsonl', z.object({ id: z.string(), json: z.string() }));
  const run = await newRun();
  const clean = Object.getOwnPropertyNames(Object.prototype).join();
  for (const { id, json } of cases) {
    await whole(id, () => send('POST', notes, json));
    await whole(`${id} as a checkpoint`, () => send('PATCH', run, `{"events":[{"kind":"checkpoint","state":${json}}]}`));
    await whole(`${id} as parameters`, () => send('POST', `/ai-tasks/${task}/runs`, `{"executor":"external","parameters":${json}}`));
    check(Object.getOwnPropertyNames(Object.prototype).join() === clean, `${id}: Object.prototype was changed`);
  }
  return cases.length;
}

async function queryStrings(): Promise<number> {
  const cases = await readLines('query-strings.jsonl', z.object({ id: z.string(), query: z.string() }));
  const before = await rows();
  await each(cases, async ({ id, query }) => {
    for (const path of ['/customers', '/orders', '/ai-tasks', '/products']) {
      const { statuses } = await sendRaw(
        Buffer.from(`GET /admin/api${path}?${query} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`),
      );
      check(statuses.length > 0 && !statuses.some(isServersFault), `${id} at ${path}: ${statuses.join()}`);
    }
  });
  check((await rows()) === before, 'query strings: rows were written');
  return cases.length;
}

async function authBearer(): Promise<number> {
  const Case = z.object({
    id: z.string(),
    headers: z.array(z.tuple([z.string(), z.string()])),
    expect: z.union([z.number(), z.string()]),
    method: z.string().default('GET'),
    path: z.string().optional(),
    query: z.string().optional(),
    form: z.string().optional(),
  });
  const cases = await readLines('auth-bearer.jsonl', Case);
  const swapped = [...TOKEN].map((c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join('');
  const encoded = [...TOKEN].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('');
  const fill = (text: string): string =>
    text
      .replaceAll('{TOKEN}', TOKEN)
      .replaceAll('{TOKEN[:-1]}', TOKEN.slice(0, -1))
      .replaceAll('{TOKEN-swapcase}', swapped)
      .replaceAll('{TOKEN-percent-encoded}', encoded);
  for (const [i, one] of cases.entries()) {
    const path = (one.path?.replaceAll('/api', '/admin/api') ?? '/admin/api/customers') + (one.query ? `?${fill(one.query)}` : '');
    const form = one.form === undefined ? '' : fill(one.form);
    const lines = [
      ...one.headers,
      ['Host', 'x'],
      ['Connection', 'close'],
      ...(form
        ? [
            ['Content-Type', 'application/x-www-form-urlencoded'],
            ['Content-Length', String(form.length)],
          ]
        : []),
    ];
    const text = `${one.method} ${path} HTTP/1.1\r\n${lines.map(([name, value = '']) => `${name}: ${fill(value)}\r\n`).join('')}\r\n${form}`;
    // Each from an address of its own: too many failed logins from one would be 429.
    const { statuses } = await sendRaw(Buffer.from(text, 'latin1'), `127.0.0.${i + 2}`);
    const [status = 0] = statuses;
    const mayPass = one.expect === 200 || /200|as for lower|Node keeps the first|204/.test(String(one.expect));
    check(statuses.length === 1 && !isServersFault(status), `${one.id}: ${statuses.join()}`);
    check(mayPass || status >= 400, `${one.id}: ${status} instead of ${one.expect}`);
    if (typeof one.expect === 'number' && status !== 431) check(status === one.expect, `${one.id}: ${status} instead of ${one.expect}`);
  }
  return cases.length;
}

async function naughtyStrings(): Promise<number> {
  const strings = z.array(z.string()).parse(JSON.parse(await readFile(join(folder ?? '', 'blns.json'), 'utf8')));
  const run = await newRun();
  for (const [i, text] of strings.entries()) {
    const note = await whole(`blns ${i} as a note`, () => send('POST', notes, JSON.stringify({ body: text })));
    const stored = note.status === 201 ? z.looseObject({ body: z.string() }).parse(JSON.parse(note.text)).body : null;
    check(note.status === 422 || stored === text.trim(), `blns ${i}: stored otherwise than it was sent`);
    await whole(`blns ${i} as a search`, () => send('GET', `/customers?search=${encodeURIComponent(text)}`));
    await whole(`blns ${i} in a path`, () => send('GET', `/customers/${encodeURIComponent(text)}`));
    check(
      (await whole(`blns ${i} in an event`, () => send('PATCH', run, JSON.stringify({ events: [{ kind: 'log', line: text }] })))).status ===
        204,
      `blns ${i} in an event: refused`,
    );
  }
  const log = z.looseObject({ log: z.string() }).parse(JSON.parse((await send('GET', run)).text)).log;
  const lines = log.split('\n').map((line) => z.object({ line: z.string() }).parse(JSON.parse(line)).line);
  check(JSON.stringify(lines) === JSON.stringify(strings), 'blns: the log of the run is not what was sent');
  return strings.length;
}

async function rawHttp(): Promise<number> {
  const all = await readLines(
    'http-llhttp.jsonl.gz',
    z.object({ id: z.string(), type: z.string(), rawBase64: z.string(), rawWithHostBase64: z.string().optional() }),
  );
  const cases = all.filter(({ type }) => type.startsWith('request'));
  const notesBefore = await countNotes();
  let created = 0;
  await each(cases, async ({ id, rawBase64, rawWithHostBase64 }) => {
    const raw = Buffer.from(rawBase64, 'base64');
    const hosted = rawWithHostBase64 === undefined ? raw : Buffer.from(rawWithHostBase64, 'base64');
    // The same once more, aimed at an endpoint that writes and with a token that may.
    const aimed = hosted
      .toString('latin1')
      .replaceAll(
        /^([A-Z]+) \S+ (HTTP\/1\.[01]\r?\n)/gm,
        `$1 /admin/api${notes} $2Authorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`,
      );
    for (const bytes of [raw, hosted, Buffer.from(aimed, 'latin1')]) {
      const { statuses } = await sendRaw(bytes);
      check(!statuses.some(isServersFault), `${id}: ${statuses.join()}`);
      created += statuses.filter((status) => status === 201).length;
    }
  });
  check((await countNotes()) === notesBefore + created, 'raw HTTP: a note was written by a request that was not answered 201');
  return cases.length;
}

async function countNotes(): Promise<number> {
  return (await sql<{ n: number }>`SELECT count(*) AS n FROM customer_notes`.execute(server.store.reader)).rows[0]?.n ?? 0;
}

const parts = {
  'json-test-suite': jsonTestSuite,
  'json-proto': jsonProto,
  'query-strings': queryStrings,
  'auth-bearer': authBearer,
  blns: naughtyStrings,
  'http-llhttp': rawHttp,
};
for (const [name, part] of Object.entries(parts)) {
  const before = { requests, failed: failures.length };
  const cases = await part();
  const alive = await fetch(`${server.url}/healthz`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
  check(alive, `${name}: the server no longer answers`);
  process.stdout.write(
    `${name.padEnd(16)} ${String(cases).padStart(4)} cases  ${String(requests - before.requests).padStart(5)} requests  ${failures.length - before.failed} failed\n`,
  );
}
await server.close();
await rm(data, { recursive: true, force: true });
for (const failure of failures.slice(0, 50)) process.stdout.write(`  ✖ ${failure}\n`);
process.stdout.write(failures.length === 0 ? 'No server error, no hang, no half-written row.\n' : `${failures.length} failures\n`);
process.exitCode = failures.length === 0 ? 0 : 1;

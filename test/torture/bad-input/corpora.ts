import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { each, get, isServersFault, patch, post, readLines, type Target, TOKEN } from './shop.ts';

/** The corpora that test what all endpoints share: JSON, tokens, raw HTTP, text that must come back unchanged. */
export type Fixture = { task: number; notes: string; newRun(): Promise<string> };

const Created = z.looseObject({ task_id: z.int().optional(), run_id: z.int().optional() });

/** Makes the task and finds the customer to which the corpora write. */
export async function prepareFixture(target: Target): Promise<Fixture> {
  // Finding the aims may have changed the policy. With this one the author approves the version of the task.
  await target.send(patch('/settings', '{"approval_policy":"author"}'));
  const version = { source_code: 'log(1)', permissions: [], parameters: [] };
  const made = await target.send(post('/ai-tasks', JSON.stringify({ name: 'Bad input', description: '', ...version })));
  const task = Created.parse(JSON.parse(made.text)).task_id ?? 0;
  const page = z.object({ data: z.array(z.object({ id: z.int() })) });
  const [customer] = page.parse(JSON.parse((await target.send(get('/customers?per_page=1'))).text)).data;
  await target.gauge.set();
  await target.send(post(`/customers/${customer?.id}/notes`, '{"body":"seen by the gauge"}'));
  target.check((await target.gauge.moved()) !== null, 'the gauge of the store does not detect a write');
  return {
    task,
    notes: `/customers/${customer?.id}/notes`,
    newRun: async () => {
      const { text } = await target.send(post(`/ai-tasks/${task}/runs`, '{"executor":"external"}'));
      return `/ai-tasks/${task}/runs/${Created.parse(JSON.parse(text)).run_id}`;
    },
  };
}

const JsonCase = z.object({ id: z.string(), expect: z.string(), base64: z.string(), utf8: z.boolean() });

/** The cases of the JSON suite that every endpoint must refuse. */
export async function malformedJson({ folder }: Target): Promise<[string, Buffer][]> {
  const cases = await readLines(folder, 'json-test-suite.jsonl.gz', JsonCase);
  return cases
    .filter(({ utf8, expect }) => !utf8 || expect === 'reject')
    .map(({ id, base64 }): [string, Buffer] => [id, Buffer.from(base64, 'base64')])
    .filter(([, bytes]) => bytes.length > 0);
}

export async function jsonTestSuite(target: Target, fixture: Fixture): Promise<number> {
  const cases = await readLines(target.folder, 'json-test-suite.jsonl.gz', JsonCase);
  const run = await fixture.newRun();
  for (const { id, base64, utf8, expect } of cases) {
    const bytes = Buffer.from(base64, 'base64');
    const malformed = !utf8 || expect === 'reject';
    const bare = await target.sendChecked(id, post(fixture.notes, bytes));
    if (malformed && bytes.length > 0) target.check(bare.status === 400, `${id}: ${bare.status} for what cannot be parsed`);
    if (bytes.length === 0) continue;
    const inside = Buffer.concat([
      Buffer.from('{"events":[{"kind":"result","status":"s","item":"i","details":{"v":'),
      bytes,
      Buffer.from('}}]}'),
    ]);
    const event = await target.sendChecked(`${id} in an event`, patch(run, inside));
    if (!utf8) target.check(event.status === 400, `${id} in an event: ${event.status} for what is not UTF-8`);
  }
  return cases.length;
}

export async function jsonProto(target: Target, fixture: Fixture): Promise<number> {
  const cases = await readLines(target.folder, 'json-proto.jsonl', z.object({ id: z.string(), json: z.string() }));
  const run = await fixture.newRun();
  const clean = Object.getOwnPropertyNames(Object.prototype).join();
  for (const { id, json } of cases) {
    await target.sendChecked(id, post(fixture.notes, json));
    await target.sendChecked(`${id} as a checkpoint`, patch(run, `{"events":[{"kind":"checkpoint","state":${json}}]}`));
    await target.sendChecked(`${id} as parameters`, post(`/ai-tasks/${fixture.task}/runs`, `{"executor":"external","parameters":${json}}`));
    target.check(Object.getOwnPropertyNames(Object.prototype).join() === clean, `${id}: Object.prototype was changed`);
  }
  return cases.length;
}

export async function queryStrings({ folder }: Target): Promise<string[]> {
  const cases = await readLines(folder, 'query-strings.jsonl', z.object({ query: z.string() }));
  return cases.map(({ query }) => query);
}

const Form = z.object({ id: z.string(), contentType: z.string().nullable(), base64: z.string() });

export async function forms({ folder }: Target): Promise<{ id: string; type: string; bytes: Buffer }[]> {
  const cases = await readLines(folder, 'multipart.jsonl.gz', Form);
  return cases
    .map(({ id, contentType, base64 }) => ({ id, type: contentType ?? 'multipart/form-data', bytes: Buffer.from(base64, 'base64') }))
    .filter(({ type }) => /^[\x20-\x7e]+$/.test(type));
}

export async function naughtyStrings({ folder }: Target): Promise<string[]> {
  return z.array(z.string()).parse(JSON.parse(await readFile(join(folder, 'blns.json'), 'utf8')));
}

const AuthCase = z.object({
  id: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  expect: z.union([z.number(), z.string()]),
  method: z.string().default('GET'),
  path: z.string().optional(),
  query: z.string().optional(),
  form: z.string().optional(),
});

export async function authBearer(target: Target): Promise<number> {
  const cases = await readLines(target.folder, 'auth-bearer.jsonl', AuthCase);
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
    const formHeaders = [
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ['Content-Length', String(form.length)],
    ];
    const lines = [...one.headers, ['Host', 'x'], ['Connection', 'close'], ...(form ? formHeaders : [])];
    const text = `${one.method} ${path} HTTP/1.1\r\n${lines.map(([name, value = '']) => `${name}: ${fill(value)}\r\n`).join('')}\r\n${form}`;
    // Each case comes from another address, because too many failed logins from one address would be answered 429.
    const statuses = await target.sendRaw(Buffer.from(text, 'latin1'), `127.0.0.${i + 2}`);
    const [status = 0] = statuses;
    const mayPass = one.expect === 200 || /200|as for lower|Node keeps the first|204/.test(String(one.expect));
    target.check(statuses.length === 1 && !isServersFault(status), `${one.id}: ${statuses.join()}`);
    target.check(mayPass || status >= 400, `${one.id}: ${status} instead of ${one.expect}`);
    if (typeof one.expect === 'number' && status !== 431)
      target.check(status === one.expect, `${one.id}: ${status} instead of ${one.expect}`);
  }
  return cases.length;
}

/** Sends the naughty strings as texts and checks that each comes back as it was sent. */
export async function blns(target: Target, fixture: Fixture): Promise<number> {
  const strings = await naughtyStrings(target);
  const run = await fixture.newRun();
  for (const [i, text] of strings.entries()) {
    const note = await target.sendChecked(`blns ${i} as a note`, post(fixture.notes, JSON.stringify({ body: text })));
    const stored = note.status === 201 ? z.looseObject({ body: z.string() }).parse(JSON.parse(note.text)).body : null;
    target.check(note.status === 422 || stored === text.trim(), `blns ${i}: the stored text differs from the one that was sent`);
    await target.sendChecked(`blns ${i} in a path`, get(`/customers/${encodeURIComponent(text)}`));
    const event = await target.sendChecked(`blns ${i} in an event`, patch(run, JSON.stringify({ events: [{ kind: 'log', line: text }] })));
    target.check(event.status === 204, `blns ${i} in an event: refused`);
  }
  const log = z.looseObject({ log: z.string() }).parse(JSON.parse((await target.send(get(run))).text)).log;
  const lines = log.split('\n').map((line) => z.object({ line: z.string() }).parse(JSON.parse(line)).line);
  target.check(JSON.stringify(lines) === JSON.stringify(strings), 'blns: the log of the run is not what was sent');
  return strings.length;
}

const RawCase = z.object({ id: z.string(), type: z.string(), rawBase64: z.string(), rawWithHostBase64: z.string().optional() });

export async function rawHttp(target: Target, fixture: Fixture): Promise<number> {
  const cases = (await readLines(target.folder, 'http-llhttp.jsonl.gz', RawCase)).filter(({ type }) => type.startsWith('request'));
  const countNotes = async () => z.array(z.unknown()).parse(JSON.parse((await target.send(get(fixture.notes))).text)).length;
  const before = await countNotes();
  let created = 0;
  await each(cases, async ({ id, rawBase64, rawWithHostBase64 }) => {
    const raw = Buffer.from(rawBase64, 'base64');
    const hosted = rawWithHostBase64 === undefined ? raw : Buffer.from(rawWithHostBase64, 'base64');
    // The same request again, with a valid token and to an endpoint that writes.
    const aimed = hosted
      .toString('latin1')
      .replaceAll(
        /^([A-Z]+) \S+ (HTTP\/1\.[01]\r?\n)/gm,
        `$1 /admin/api${fixture.notes} $2Authorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`,
      );
    for (const bytes of [raw, hosted, Buffer.from(aimed, 'latin1')]) {
      const statuses = await target.sendRaw(bytes);
      target.check(!statuses.some(isServersFault), `${id}: ${statuses.join()}`);
      created += statuses.filter((status) => status === 201).length;
    }
  });
  target.check((await countNotes()) === before + created, 'raw HTTP: a note was written by a request that was not answered 201');
  return cases.length;
}

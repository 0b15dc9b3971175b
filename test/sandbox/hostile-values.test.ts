import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { startTaskRuns, type TaskRuns } from '../helpers/run-task.ts';

/** Whatever value a script passes to a function, the function accepts it, cuts it, or throws in the script; the run goes on. */

const NEST =
  'const nest = (depth, wrap = (inner) => [inner]) => { let value = 1; for (let i = 0; i < depth; i++) value = wrap(value); return value };';

const VALUES: Record<string, string> = {
  undefined: 'undefined',
  null: 'null',
  NaN: 'NaN',
  unsafe: '2 ** 53',
  negative: '-1',
  bigint: '1n',
  symbol: 'Symbol("s")',
  empty: '""',
  nul: '"a\\0b"',
  half: '"a\\udc00b"',
  up: '"../../%00?a=%zz#"',
  long: '"é".repeat(3 * 1024 * 1024)',
  controls: '"\\x01".repeat(600_000)',
  list: 'nest(20_000)',
  object: 'nest(20_000, (inner) => ({ a: inner }))',
  most: 'nest(189, (inner) => ({ a: inner }))',
  more: 'nest(191, (inner) => ({ a: inner }))',
  inner: '({ a: { toJSON: () => nest(3000) } })',
  wide: 'Object.fromEntries(Array.from({ length: 5000 }, (_, i) => ["k" + i, i]))',
  circle: '(() => { const o = {}; o.o = o; return o })()',
  fn: '() => nest(300)',
  proxy:
    'new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 }, getPrototypeOf() { throw 3 }, getOwnPropertyDescriptor() { throw 4 } })',
  revoked: '(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy })()',
  getter: '({ get a() { throw new Error("mine") }, get label() { throw 5 } })',
  toText: '({ toJSON: () => "text" })',
  toNothing: '({ toJSON() {} })',
  toString: '({ toString() { throw new Error("mine") } })',
  named: 'class { static get name() { throw 6 } }',
  keys: '({ ["__proto__"]: 1, constructor: 2, "": 3, "\\0": 4, "\\ud800": 5 })',
  thenable: '({ then(ok, no) { no(new Error("mine")) } })',
  bytes: 'new Uint8Array(100)',
  detached: '(() => { const bytes = new Uint8Array(8); bytes.buffer.transfer(); return bytes })()',
  lying: 'new (class extends Uint8Array { get length() { return 2 ** 40 } })(4)',
  lyingBlocks: `new (class extends Uint8Array { subarray() { return { length: 4, toBase64: () => '","size":-1,"x":"' } } })(4)`,
};

const SLOTS: Record<string, string> = {
  log: 'log("x", v, [v], { v })',
  count: 'console.count(v)',
  table: 'console.table(v)',
  current: 'progress(v, 5)',
  label: 'progress(1, 2, v)',
  status: 'result(v, v)',
  details: 'result("s", "i", v)',
  detail: 'result("s", "i", { v })',
  checkpoint: 'checkpoint(v)',
  state: 'checkpoint({ v })',
  once_name: 'once(v, () => 1)',
  once_make: 'once("make" + Math.random(), v)',
  once_value: 'once("value" + Math.random(), () => v)',
  sleep: 'sleep(v)',
  read: 'files.read(v)',
  text: 'files.text(v)',
  write_name: 'files.write(v, "x")',
  write_data: 'files.write("data", v)',
  write_type: 'files.write("type", "x", v)',
  prompt: 'prompt(v)',
  prompt_label: 'prompt({ label: v, fields: 5 })',
  prompt_field: 'prompt({ label: "a", fields: [{ name: v, kind: "none" }] })',
  llm: 'llm.complete({ messages: [{ role: "user", content: v }], schema: v, max_tokens: 1 })',
  path: 'admin_api.get(v)',
  part: 'admin_api.get("/customers/" + String(v).slice(0, 9000))',
  body: 'admin_api.post("/customers/" + parameters.id + "/notes", v)',
  note: 'admin.customers.create_note(parameters.id, { body: v })',
  extra: 'admin.customers.create_note(v, { body: "a", v })',
  query: 'admin.customers.list({ search: v })',
  each: 'admin.customers.each(v).next()',
  random: 'crypto.getRandomValues(v)',
  clone: 'structuredClone(v)',
  url: 'new URL(v, "http://a").href + new URLSearchParams(v)',
  encode: 'new TextDecoder().decode(new TextEncoder().encode(v))',
  base64: 'btoa(v) + atob(v)',
  abort: 'AbortSignal.any(v)',
  timeout: 'AbortSignal.timeout(v)',
  headers: 'new Headers(v)',
  header: 'new Headers({ a: v, [v]: "b" })',
  header_names: 'http.request({ url: "https://a.example/", headers: [[v, v]] })',
  digest: 'crypto.subtle.digest(v, v)',
  digested: 'crypto.subtle.digest({ name: "SHA-256" }, v)',
  key: 'crypto.subtle.importKey("raw", v, { name: "HMAC", hash: v }, v, v)',
  key_bytes: 'crypto.subtle.importKey("raw", v, { name: "HMAC", hash: "SHA-1" }, true, ["sign"])',
  key_jwk: 'crypto.subtle.importKey("jwk", { kty: "oct", k: v }, { name: "HMAC", hash: "SHA-1" }, true, ["sign"])',
  sign: 'crypto.subtle.sign("HMAC", v, v)',
  verify: 'crypto.subtle.verify(v, v, v, v)',
  clone_parts: 'structuredClone({ v, list: [v], map: new Map([[v, v]]), set: new Set([v]) }, v)',
  transfer: 'structuredClone(v, { transfer: [v] })',
  format: 'console.log("%s %d %i %f %j %o %O %c", v, v, v, v, v, v, v, v)',
  timer: 'console.timeEnd(v)',
};

const TASK = `${NEST}
const values = { ${Object.entries(VALUES).map(([name, value]) => `${name}: ${value}`)} };
const slots = { ${Object.entries(SLOTS).map(([name, give]) => `${name}: (v) => ${give}`)} };
const told = {};
for (const [slot, give] of Object.entries(slots)) {
  told[slot] = {};
  await Promise.all(Object.entries(values).map(async ([name, value]) => {
    try { await give(value); } catch (error) { told[slot][name] = error instanceof Error ? error.name : 'its own' }
  }));
}
export default () => told;`;

const ENDS: Array<[name: string, source: string, end: string]> = [
  ['returns what is nested deep', 'export default () => nest(20_000)', 'success/completed'],
  ['returns as deep as may be', 'export default () => nest(190)', 'success/completed'],
  ['returns odd text', 'export default () => "a\\0b\\ud800"', 'success/completed'],
  ['throws odd text', 'throw new Error("a\\0b\\ud800")', 'failed/script_error'],
  ['throws what is nested deep', 'throw nest(20_000)', 'failed/script_error'],
  ['rejects odd text behind its back', 'Promise.reject("a\\0b\\ud800"); await sleep(5000)', 'failed/script_error'],
  ['logs odd text, and stores it', 'log("a\\0b\\ud800"); await checkpoint({ "a\\0": "\\ud800" })', 'success/completed'],
];

const Told = z.record(z.string(), z.record(z.string(), z.string()));

onBothStores('hostile values', (app, engine) => {
  let runs: TaskRuns | undefined;
  before(() => {
    runs = startTaskRuns(app());
  });
  after(() => runs?.close());

  async function run(source: string, parameters = {}) {
    assert.ok(runs);
    const { client, followRun } = runs.shop;
    const permissions = ['admin_api.customers.write', 'file_upload', 'file_download', 'prompt_input', 'llm'];
    const task = { name: 'hostile', description: '', source_code: source, permissions, parameters: [] };
    const { task_id: id } = await client.ai_tasks.create(task);
    await client.ai_tasks.update(id, { settings: { limits: { heap_mib: 256, cpu_seconds: 120 } } });
    const { run_id: runId } = await client.ai_tasks.start_run(id, { parameters });
    await followRun(id, runId, () => undefined);
    return client.ai_tasks.get_run(id, runId);
  }

  // There are more than a thousand calls, so they run on one store only. The tests of the run's end below run on both.
  test('each hostile value makes only the call fail to which it was passed, or is accepted', {
    skip: engine !== 'sqlite' && 'once will do',
  }, async () => {
    const { id } = await makeCustomer(app(), {});
    const ended = await run(TASK, { id });
    assert.equal(`${ended.status}/${ended.end_reason}`, 'success/completed', ended.error_message ?? '');
    const told = Told.parse(ended.result);
    assert.deepEqual(Object.keys(told), Object.keys(SLOTS));
    const { details, checkpoint, once_value, body, read, text, log } = told;
    assert.deepEqual(log, { named: 'its own' });
    for (const errors of [details, checkpoint, once_value, body]) {
      assert.deepEqual([errors?.['object'], errors?.['most'], errors?.['more']], ['RangeError', errors?.['most'], 'RangeError']);
    }
    assert.deepEqual([read?.['long'], text?.['long']], ['TypeError', 'TypeError']);
  });

  for (const [name, source, end] of ENDS) {
    test(`a script that ${name} ends with the stated reason`, async () => {
      const ended = await run(`${NEST}\n${source}`);
      assert.equal(`${ended.status}/${ended.end_reason}`, end, ended.error_message ?? '');
    });
  }
});

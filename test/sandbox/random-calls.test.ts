import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isHostOperation } from '../../contract/script-library.ts';
import { readHostCall } from '../../runner/host-calls.ts';
import { runScript } from '../helpers/worker.ts';

/**
 * Scripts that call the functions of the sandbox with random values, several at a time. Whatever they pass, a function accepts it or
 * throws in the script; what reaches the runner is a call that it can read; and the script runs on to its end.
 */

const SEED = Number(process.env['SEED'] ?? 20_261_126);
const SCRIPTS = Number(process.env['SCRIPTS'] ?? 40);

/** Values as the source of expressions: harmless ones, odd ones, and those that run code when somebody looks at them. */
const { value: values } = fc.letrec<{ value: string; leaf: string }>((tie) => ({
  leaf: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }).map((text) => JSON.stringify(text)),
    fc.double().map((number) => (Object.is(number, -0) ? '-0' : String(number))),
    fc.constantFrom(
      'undefined',
      'null',
      'true',
      '1n',
      'Symbol("s")',
      '-1',
      '2 ** 53',
      '"/orders"',
      '"a".repeat(70_000)',
      '/x/g',
      'new Date(NaN)',
    ),
    fc.constantFrom(
      '() => 1',
      'class {}',
      'function* () {}',
      'new Error("e")',
      'Promise.resolve(1)',
      'new Map([[1, 2]])',
      'globalThis',
      'parameters',
    ),
    fc.constantFrom(
      'new Uint8Array(9)',
      'new ArrayBuffer(8)',
      'new DataView(new ArrayBuffer(4))',
      'new Float64Array([NaN, Infinity])',
      'crypto',
    ),
  ),
  value: fc.oneof(
    { maxDepth: 3 },
    tie('leaf'),
    fc.array(tie('value'), { maxLength: 3 }).map((parts) => `[${parts.join(', ')}]`),
    fc
      .dictionary(
        fc.constantFrom('a', 'name', 'label', 'toJSON', 'then', 'length', '__proto__', 'constructor', 'path', 'method', 'body', ''),
        tie('value'),
        { maxKeys: 4 },
      )
      .map(
        (members) =>
          `({ ${Object.entries(members)
            .map(([name, member]) => `[${JSON.stringify(name)}]: ${member}`)
            .join(', ')} })`,
      ),
    tie('value').map((inner) => `({ toJSON() { return ${inner} } })`),
    tie('value').map((inner) => `({ get a() { throw ${inner} } })`),
    tie('value').map(
      (inner) => `new Proxy(Object(${inner}), { get(target, name) { if (name === "length") throw 1; return Reflect.get(target, name) } })`,
    ),
    tie('value').map((inner) => `(() => { const o = { inner: ${inner} }; o.self = o; return o })()`),
    tie('value').map((inner) => `Object.create(${inner} instanceof Object ? ${inner} : null)`),
    fc.nat({ max: 400 }).map((depth) => `(() => { let v = 1; for (let i = 0; i < ${depth}; i++) v = [v]; return v })()`),
  ),
}));

const functions = fc.constantFrom(
  'log',
  'console.error',
  'progress',
  'describe',
  'details',
  'result',
  'checkpoint',
  'once',
  'files.read',
  'files.text',
  'files.write',
  'prompt',
  'llm.complete',
  'notify',
  'mail.send',
  'state.get',
  'state.set',
  'state.delete',
  'secret',
  'variables.get',
  'shop.day',
  'shop.money',
  'shop.decimal',
  'shop.cents',
  'http.request',
  'tasks.start',
  'admin_api.get',
  'admin_api.post',
  'admin_api.delete',
  'admin.orders.list',
  'admin.customers.create_note',
  'admin.products.update',
  'structuredClone',
  'crypto.getRandomValues',
  'crypto.subtle.digest',
  'crypto.subtle.importKey',
  'crypto.subtle.sign',
  'console.log',
  'new Headers',
  'AbortSignal.timeout',
  'AbortSignal.any',
  'setTimeout',
  'new URL',
  'new TextDecoder',
);
/** Calls that are right but for one value, in the place of `V`. */
const almostRight = fc.constantFrom(
  'log(V)',
  'result("s", "i", { v: V })',
  'progress(1, 2, V)',
  'describe(V)',
  'details(V)',
  'checkpoint({ v: V })',
  'once("name" + Math.random(), () => V)',
  'files.read(String(V).slice(0, 50))',
  'files.write("name", "text", V)',
  'files.write(V, new Uint8Array(3))',
  'prompt({ label: "a", fields: [{ name: "n", kind: "text", label: V }] })',
  'llm.complete({ messages: [{ role: "user", content: String(V) }], schema: V, max_tokens: 1 })',
  'state.set("key", V)',
  'http.request({ url: "https://example.com/", method: "POST", body: V })',
  'tasks.start(1, { v: V })',
  'mail.send({ to: "a@example.com", subject: "s", text: V })',
  'admin_api.post("/customers/1/notes", V)',
  'admin_api.get("/customers?search=" + encodeURIComponent(String(V).slice(0, 90)))',
  'admin.customers.create_note(1, { body: V })',
  'admin.orders.list({ search: V })',
  'crypto.subtle.digest("SHA-256", V)',
  'crypto.subtle.importKey("raw", V, { name: "HMAC", hash: "SHA-1" }, false, ["sign"])',
  'console.log("%s %d %j %o", V, V, V, V)',
  'new Headers([[V, V]])',
  'structuredClone({ v: V }, { transfer: [V] })',
  'http.request({ url: "https://example.com/", headers: V })',
);
const call = fc.oneof(
  fc.tuple(functions, fc.array(values, { maxLength: 3 })).map(([name, given]) => `${name}(${given.join(', ')})`),
  fc.tuple(almostRight, values).map(([text, value]) => text.replaceAll('V', () => value)),
);
const calls = fc.array(call, { minLength: 1, maxLength: 12 });

/** Each call is made in a function of its own, because an expression may already throw when it is evaluated. */
function scriptOf(list: readonly string[]): string {
  return `const ends = await Promise.allSettled([${list.map((text) => `async () => ${text}`).join(',\n')}].map((call) => call()));
export default () => ends.map(({ status }) => status);`;
}

test(`whatever a script passes to a function, only that call fails (seed ${SEED})`, { timeout: 600_000 }, async () => {
  let reached = 0;
  await fc.assert(
    fc.asyncProperty(calls, async (list) => {
      const unread: string[] = [];
      const { done, result } = await runScript(scriptOf(list), {
        respond({ operation, text }) {
          reached += 1;
          if (!isHostOperation(operation) || readHostCall(operation, text) === null) unread.push(`${operation} ${text.slice(0, 500)}`);
          return { error: { name: 'Error', message: 'no' } };
        },
      });
      assert.deepEqual(unread, [], 'the runner cannot read these calls');
      assert.equal(done.end_reason, 'completed', done.error_message ?? '');
      assert.deepEqual([Array.isArray(result), Array.isArray(result) && result.length], [true, list.length]);
    }),
    { seed: SEED, numRuns: SCRIPTS },
  );
  assert.ok(reached > SCRIPTS, `only ${reached} calls reached the runner`);
});

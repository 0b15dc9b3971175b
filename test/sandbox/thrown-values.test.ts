import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScript } from '../helpers/worker.ts';

const cases: Array<[name: string, code: string, message: RegExp]> = [
  ['a string', 'throw "just text"', /^the script threw just text$/],
  ['undefined', 'throw undefined', /^the script threw undefined$/],
  ['a symbol', 'throw Symbol("s")', /^the script threw Symbol\(s\)$/],
  ['a getter that throws', 'throw { get message() { throw 1 }, get stack() { throw 2 } }', /could not be read/],
  [
    'a proxy that throws',
    'throw new Proxy({}, { get() { throw 1 }, has() { throw 2 }, getPrototypeOf() { throw 3 } })',
    /could not be read/,
  ],
  [
    'an error with fields that are no text',
    'const e = new Error("x"); Object.defineProperty(e, "stack", { value: { a: 1 } }); throw e',
    /^Error: x$/,
  ],
  [
    'an error with a cause',
    'throw new Error("outer", { cause: new TypeError("inner") })',
    /^Error: outer\n.*task\.ts:1:\d+\ncaused by: TypeError: inner/,
  ],
  [
    'an AggregateError',
    'const broken = new RangeError("first"); throw new AggregateError([broken, "second"], "two failed", { cause: new Error("why") })',
    /^AggregateError: two failed\n.*task\.ts:1:\d+\nerror 1 of 2: RangeError: first\n.*task\.ts:1:\d+\nerror 2 of 2: second\ncaused by: Error: why/,
  ],
  [
    'a cause that is no error',
    'throw new Error("outer", { cause: new Error("inner", { cause: { code: 7 } }) })',
    /^Error: outer\n.*\ncaused by: Error: inner\n.*\ncaused by: {"code":7}$/,
  ],
  [
    'causes of the errors of an AggregateError',
    'throw new AggregateError([new AggregateError([new TypeError("deep", { cause: "why" })], "in"), "b"], "all", { cause: null })',
    /^AggregateError: all\n.*\nerror 1 of 2: AggregateError: in\n.*\nerror 1 of 1: TypeError: deep\n.*\ncaused by: why\nerror 2 of 2: b\ncaused by: null$/,
  ],
  ['an error that is its own cause', 'const e = new Error("x"); e.cause = e; throw e', /^Error: x\n.*(\ncaused by: Error: x\n.*){3}$/],
  [
    'what Promise.any rejects with',
    'await Promise.any([Promise.reject(new TypeError("a")), Promise.reject(new TypeError("b"))])',
    /^AggregateError: .*\nerror 1 of 2: TypeError: a\n.*\nerror 2 of 2: TypeError: b/,
  ],
  [
    'an AggregateError of thousands',
    'throw new AggregateError(Array.from({ length: 5000 }, (_, i) => i), "many")',
    /error 10 of 5000: 9\n… 4990 more$/,
  ],
  ['an AggregateError without a list', 'throw Object.assign(new AggregateError([]), { errors: 5 })', /^AggregateError\n/],
  [
    'what only Node has',
    'Buffer.from("a")',
    /^ReferenceError: Buffer is not defined: the sandbox has nothing of Node; bytes are a Uint8Array/,
  ],
  ['what only pages have', 'document.body', /^ReferenceError: document is not defined: the sandbox has no page of a browser\n/],
  ['a name of its own', 'missing()', /^ReferenceError: missing is not defined\n/],
  ['a message of 10 MB', 'throw new Error("x".repeat(1e7))', /^Error: x+ … \[cut: \d+ bytes\]$/],
  ['a thenable as default export', 'export default { then() { throw new Error("called") } }', /^$/],
  ['a thenable as result', 'export default () => ({ then(ok: any, no: any) { no(new Error("refused")) } })', /^Error: refused/],
];
for (const [name, code, message] of cases) {
  test(`a run that ends with ${name} reports its end`, async () => {
    const { done } = await runScript(code);
    assert.match(done.error_message ?? '', message);
    assert.ok((done.error_message ?? '').length <= 17_000);
  });
}

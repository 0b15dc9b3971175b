import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { scriptNames } from '../../contract/script-library.ts';
import { COMPILED_FORMAT } from '../../contract/source-warning.ts';
import { compileTaskSource } from '../../contract/task-source.ts';
import { createSourceChecker } from '../../server/source-check/check.ts';
import { runScript } from '../helpers/worker.ts';

const faults: Array<[name: string, source: string, line: number, column: number, message: RegExp]> = [
  ['enum', 'const a: number = 1;\n  enum X { A }', 2, 3, /enum is not supported/],
  ['enum over lines', 'let z;\n  enum X {\n A,\n}', 2, 3, /enum is not supported/],
  ['after a tab', '\tlet a; enum X {}', 1, 9, /enum is not supported/],
  ['namespace', 'namespace N { export const a = 1 }', 1, 1, /namespace.* is not supported/],
  ['parameter property', 'class A {\n  constructor(private x: number) {}\n}', 2, 23, /parameter property is not supported/],
  ['place after wide characters', 'let é = "日本😀"; enum Q {}', 1, 17, /enum is not supported/],
  ['syntax error', 'let x = ;', 1, 9, /Expression expected/],
  ['import =', 'import x = require("a")', 1, 1, /import equals/],
  ['HTML comment', 'let a = 1;\na<!--a;', 2, 2, /start of a comment/],
  ['a fault of types after a CR', 'let a = 1;\rlet b: = ;', 2, 8, /Unexpected token/],
  ['a fault of types after U+2028', 'let a = 1;\u2028let b: = ;\nlet c', 2, 8, /Unexpected token/],
];
for (const [name, source, line, column, message] of faults) {
  test(`${name} is refused, and the error names it with line and column`, () => {
    const compiled = compileTaskSource(source);
    assert.ok(!compiled.ok);
    assert.deepEqual([compiled.warnings[0]?.line, compiled.warnings[0]?.column], [line, column]);
    assert.match(compiled.warnings[0]?.message ?? '', message);
  });
}

const forms: Array<[name: string, source: string, result: unknown]> = [
  ['a named function, hoisted', 'const early = main();\nexport default function main() { return 1 }\nlog(early)', 1],
  ['an unnamed function before a parenthesis', 'export default function () { return 2 }\n(log)("x")', 2],
  ['an unnamed async function', 'export default async function () { return 3 }', 3],
  ['an arrow', 'export default (): number => 4;', 4],
  ['an expression on the line after', 'export default\n  // comment\n  async () => 5', 5],
  ['a comment inside', 'export /* a\nb */ default /* c */ () => 6', 6],
  ['a name exported as default', 'const main = () => 7;\nexport { main as default };', 7],
  [
    'exports beside it',
    'export const a: number = 4; export function b() { return a } export class C {} export { a as d };\nexport default () => b() * 2',
    8,
  ],
  ['no default', 'log("only the body")', null],
  ['a default that is no function', 'export default { a: 1 }', { a: 1 }],
  ['a default that is a promise', 'const main = async () => 5;\nexport default main()', 5],
  ['a default of an awaited value', 'export default [await Promise.resolve(6)]', [6]],
  ['a default of null', 'export default null', null],
  ['names that look like ours', 'const $0 = 1; export default () => $0 + 8', 9],
  ['a hash-bang line', '#!/usr/bin/env backroom\nexport default () => 10', 10],
  ['this and arguments at top level', 'const top = this;\nexport default () => top === undefined', true],
  [
    'types of the file that its editor reads, and of others',
    "import type { Admin } from './name.permissions.ts';\nimport type * as All from '../any.ts';\ndeclare const admin: Admin, all: All.Thing;\nexport default async () => typeof admin.orders.list",
    'function',
  ],
  ['a parenthesised default', 'export default (async () => 13)', 13],
  [
    'JavaScript that the type stripper refuses',
    `class A { static constructor() { return 14 } }
     const seen = { \\u0063lass: 1, cl\\u{61}ss: A.constructor() };
     for (using held = { [Symbol.dispose]() { seen.class = 15 } }; ; ) break;
     export default () => seen.class`,
    15,
  ],
  ['type arguments in what is JavaScript too', 'const same = (x) => x;\nexport default () => same<number>(16)', 16],
  ['two type arguments of a call in a list', 'const pair = (x) => [x];\nexport default () => [pair<string, number>(17), 1]', [[17], 1]],
  [
    'two type arguments, and names of members that read the same',
    'const pair = (x) => ({ string: x, number: 0 });\nexport default () => [pair<string, number>(18).string]',
    [18],
  ],
  [
    'type arguments in a statement of their own',
    'class A {} class B {} let n = 0; const make = (x) => { n += x };\nmake<A, B>(19);\nexport default () => n',
    19,
  ],
  [
    'comparisons that read like type arguments',
    'const a = 1, b = 2, c = 3, list = (...all) => all;\nexport default () => [[a<b,b>(c)], list(a < b, c > (a ? 1 : 2)), [a < 5, b > (9)]]',
    [
      [true, false],
      [true, true],
      [true, false],
    ],
  ],
  ['a comment at the very end', 'export default () => 11 // end', 11],
  [
    'TypeScript throughout',
    'type A = { x?: number };\nabstract class B<T extends A> { declare y: T; protected z!: string; constructor(readonly_: T) { this.y = readonly_ } }\nclass D extends B<A> { override toString(): string { return "D" } }\nconst value = <T,>(x: T): T => x;\nexport default () => value<number>(12 as unknown as number)! satisfies number',
    12,
  ],
];
for (const [name, source, expected] of forms) {
  test(`a module with ${name} gives its result`, async () => {
    const { done, result } = await runScript(source);
    assert.equal(done.error_message, null);
    assert.deepEqual(result, expected);
  });
}

const CALLED = 'a task runs its top level and its default export: write `export default` before what is to run';
const uncalled: Array<[source: string, line: number | null, name?: string]> = [
  ['let n = 0;\nexport async function main() { log(n) }', 2, 'main'],
  ['export const handler = async (event: unknown) => { log(event) };', 1, 'handler'],
  ['async function run() { await admin.orders.list() }', 1, 'run'],
  ['function helper() {}\nfunction cancelOrders() { helper() }', 2, 'cancelOrders'],
  ['function a() {}\nfunction b() {}\nexport { a as execute }', 1, 'a'],
  ['export class Task { run() {} }', 1, 'Task'],
  ['export const job = { name: "x", async run() {} };', 1, 'job'],
  ['const list = await state.get("list");\nexport function main() { log(list) }', 2, 'main'],
  ['export default { name: "x", async run() {} }', 1, 'run'],
  ['const list = await state.get("list");\nexport function parse() { return list }\nlog(parse())', null],
  ['export function main() { log(1) }\nmain();', null],
  ['export async function main() { log(1) }\nawait main();', null],
  ['const list = await state.get("list");\nexport function format() { return list }', null],
  ['function main() {}\nexport { main as default }', null],
  ['export default function main() {}\nexport function run() {}', null],
  ['export default { a: 1, b: [() => 1] }', null],
  ['const a: number = 1;', null],
  ['', null],
];
test('a function that nothing calls is told of at save and in the log', async () => {
  for (const [source, line, name] of uncalled) {
    const compiled = compileTaskSource(source);
    assert.ok(compiled.ok);
    assert.deepEqual(
      compiled.warnings.map((warning) => warning.line),
      line === null ? [] : [line],
      source,
    );
    const { done, logs } = await runScript(source, { respond: () => ({ value: '{"status":200,"body":{"value":1,"version":1}}' }) });
    assert.equal(done.end_reason, 'completed', source);
    if (name === undefined) assert.ok(!logs.some((text) => text.includes('nothing calls')), source);
    else {
      assert.ok(logs[0]?.includes(`nothing calls \`${name}\``), `${source} logs ${logs}`);
      assert.equal(logs[0], compiled.warnings[0]?.message);
    }
  }
  const [text] = (await runScript('export async function main() {}')).logs;
  assert.equal(text, `this task does nothing: nothing calls \`main\`, because ${CALLED}`);
});

test('the names that a script can import are exactly those that exist', async () => {
  const { result } = await runScript(`export default () => ${JSON.stringify(scriptNames)}.filter((name: string) => !(name in globalThis))`);
  assert.deepEqual(result, []);
});

test('hostile sources are refused, and the checker works afterwards', async () => {
  const checker = createSourceChecker();
  const hostile = [
    '['.repeat(500_000),
    `${'('.repeat(300_000)}1${')'.repeat(300_000)}`,
    `x=${'!'.repeat(1_000_000)}1`,
    `let a:${'A<'.repeat(200_000)}`,
    'x'.repeat(1_000_000),
    `x=${'1+'.repeat(500_000)}1`,
    `class X<${'A,'.repeat(400_000)}A> implements Y {}`,
    `const a = 1, b = 2, x = [${'a<b,b>(a),'.repeat(80_000)}`,
  ];
  for (const source of hostile) assert.ok(Array.isArray((await checker.check(source)).warnings));
  const source = 'const a: number = 1;';
  assert.deepEqual(await checker.check(source), { warnings: [], code: codeOf(source) });
  const { warnings, code } = await checker.check('let a = ;');
  assert.deepEqual([warnings.length, code], [1, null]);
  const idle = await checker.check('export function main() {}');
  assert.deepEqual([idle.warnings.length, idle.code], [1, codeOf('export function main() {}')]);
  await checker.close();
});

test('what is compiled changes with COMPILED_FORMAT, because servers store it, or so that what is stored runs as before', () => {
  const source = [
    "import * as backroom from 'backroom';",
    "import { log as say, type JsonObject } from 'backroom';",
    'export const a: number = 1;',
    'export default class extends Array<JsonObject> {}',
    'say(a satisfies number, backroom.log === say);',
  ].join('\n');
  const digest = hash('sha256', codeOf(source)).slice(0, 16);
  assert.deepEqual([COMPILED_FORMAT, digest], [1, '2df74632544797c5']);
});

function codeOf(source: string): string {
  const compiled = compileTaskSource(source);
  return compiled.ok ? compiled.code : assert.fail(compiled.warnings[0]?.message);
}

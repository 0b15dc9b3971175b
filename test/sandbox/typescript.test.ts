import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileTaskSource } from '../../contract/task-source.ts';
import { createSourceChecker } from '../../server/source-check/check.ts';
import { transformTypeScript } from '../../server/source-check/transform.ts';
import { runScript } from '../helpers/worker.ts';

/** Syntax of TypeScript that is more than types: it is transformed when a version is saved. */

const forms: Array<[name: string, source: string, result: unknown]> = [
  [
    'enums',
    'enum Size { S, M = 5, L }\nconst enum Way { In = "in" }\nexport enum Own { A = Size.L }\nexport default () => [Size.L, Size[0], Way.In, Own.A]',
    [6, 'S', 'in', 6],
  ],
  [
    'namespaces',
    'namespace Tax { export const rate = 20; export namespace Old { export const rate = 19 } }\nexport default [Tax.rate, Tax.Old.rate]',
    [20, 19],
  ],
  ['an alias of a namespace', 'namespace A { export const b = 3 }\nimport b = A.b;\nexport default () => b', 3],
  [
    'parameter properties',
    'class A { twice = this.n; constructor(private readonly n: number, public m = 2) {} get() { return [this.n, this.m] } }\nexport default () => new A(1).get()',
    [1, 2],
  ],
  [
    'decorators',
    `const seen: string[] = [];
     function logged<T extends (...args: never[]) => unknown>(method: T, context: ClassMethodDecoratorContext): T {
       seen.push(String(context.name));
       return ((...args: never[]) => { seen.push('called'); return method(...args) }) as T;
     }
     function named(value: new () => object, { name }: ClassDecoratorContext) { seen.push(String(name)) }
     @named class Job { @logged run() { return 7 } static s = 1 }
     export default () => [new Job().run(), seen, Job.name]`,
    [7, ['run', 'Job', 'called'], 'Job'],
  ],
  [
    'accessor',
    'class A { accessor n = 1; static accessor #m = 2; static m() { return A.#m } }\nconst a = new A(); a.n += 4;\nexport default [a.n, A.m(), Object.keys(a)]',
    [5, 2, []],
  ],
  [
    'a decorated default class',
    'const d = (c: any) => class extends c { extra = 1 } as any;\nexport default @d class A {}\nlog(1)',
    undefined,
  ],
  ['assertions in angle brackets', 'const a = <number>(5 as unknown);\nenum E { A }\nexport default () => a + E.A', 5],
  [
    'imports of backroom',
    "import { log as say, type Json } from 'backroom';\nenum E { A = 'a' }\nsay(E.A);\nexport default (x: Json) => E.A",
    'a',
  ],
  [
    'top-level await and a hash-bang',
    '#!/usr/bin/env backroom\nenum E { A = 4 }\nconst a = await Promise.resolve(E.A);\nexport default a',
    4,
  ],
  ['using, beside them', 'enum E { A }\n{ using held = { [Symbol.dispose]() { log("closed") } }; }\nexport default E.A', 0],
  ['letters beyond ASCII', 'enum Größe { klein = "kleiner Schäffel 😀" }\nexport default Größe.klein', 'kleiner Schäffel 😀'],
  ['a default by name', 'enum E { A = 8 }\nconst main = () => E.A;\nexport { main as default }', 8],
];
for (const [name, source, expected] of forms) {
  test(`a source with ${name} runs`, async () => {
    const { done, result } = await runScript(source);
    if (expected === undefined) return assert.match(done.error_message ?? '', /Class constructor|^$/);
    assert.equal(done.error_message, null);
    assert.deepEqual(result, expected);
  });
}

const SOURCE = `enum Kind {
  A,
}
class Shop {
  constructor(private readonly kind: Kind) {}

  open(): never {
    throw new TypeError('it is closed', { cause: new Error('why') });
  }
}
export default async function main() {
  await sleep(1);
  new Shop(Kind.A).open();
}
`;

test('errors of transformed code name the lines and columns that the author wrote', async () => {
  const { done } = await runScript(SOURCE);
  assert.equal(
    done.error_message,
    'TypeError: it is closed\n    at Shop.open (task.ts:8:11)\n    at main (task.ts:13:20)\n' +
      'caused by: Error: why\n    at Shop.open (task.ts:8:50)\n    at main (task.ts:13:20)',
  );
  const caught = await runScript(
    SOURCE.replace(
      'new Shop(Kind.A).open();',
      'try { new Shop(Kind.A).open() } catch (error) { log(error); log((error as Error).stack!) }',
    ),
  );
  assert.match(
    caught.logs[0] ?? '',
    /^TypeError: it is closed at Shop\.open \(task\.ts:8:11\) at main \(task\.ts:13:26\) caused by Error: why at Shop\.open \(task\.ts:8:50\)/,
  );
  assert.match(caught.logs[1] ?? '', /^TypeError: it is closed\n {4}at Shop\.open \(task\.ts:8:11\)\n {4}at main \(task\.ts:13:26\)/);
  const late = await runScript(
    `enum E { A }\n\nasync function later() {\n  throw new RangeError('nobody waits');\n}\nlater();\nawait sleep(1);`,
  );
  assert.match(late.done.error_message ?? '', /^unhandled rejection: RangeError: nobody waits\n.*later \(task\.ts:4:9\)\n.*task\.ts:6:1/);
  const inside = await runScript(
    `function check(value: unknown, context: DecoratorContext): never {\n  throw new Error('no ' + String(context.name));\n}\n\nclass A {\n  @check run() {}\n}`,
  );
  assert.match(inside.done.error_message ?? '', /^Error: no run\n {4}at check \(task\.ts:2:9\)\n/);
  assert.doesNotMatch(inside.done.error_message ?? '', /__decorate/);
});

test('a source without such syntax keeps its stacks, and no script sets how stacks are made', async () => {
  const attempt =
    "let told = 'set'; try { (Error as any).prepareStackTrace = (_: unknown, sites: any[]) => sites } catch (error) { told = (error as Error).name }";
  for (const start of ['', 'enum E { A }\n']) {
    const { result } = await runScript(
      `${start}${attempt}\nexport default () => [told, typeof new Error('x').stack, typeof (Error as any).prepareStackTrace]`,
    );
    assert.deepEqual(result, ['TypeError', 'string', start === '' ? 'undefined' : 'function']);
  }
  const { done, result } = await runScript(`enum E { A }
    const show = (Error as any).prepareStackTrace;
    class Site { toString() { return 'f (task.ts:1:1)' } }
    const odd = [[], [null, 1], [new Error('x'), [new Site(), 5]], [{ toString() { throw 1 } }, {}], [new Proxy({}, { get() { throw 1 } }), []]];
    export default () => odd.map((given) => { try { return show(...given) } catch (error) { return String(error) } })`);
  assert.equal(done.error_message, null);
  assert.ok(Array.isArray(result));
  assert.equal(result.length, 5);
});

const faults: Array<[source: string, line: number, column: number, message: RegExp]> = [
  ['enum A { B }\nlet y = 1; let y = 2;', 2, 16, /"y" has already been declared/],
  ['enum A { B }\nconst x = await import("a");', 2, 17, /import\(\) is refused/],
  ['enum A { B }\n\nimport x from "lodash";', 3, 1, /import of "lodash" is refused/],
  ['enum A { B }\nimport x = require("a");', 2, 12, /require\(\)` is refused/],
  ['class A {\n  constructor(@d x: number) {}\n}', 2, 15, /decorator/i],
  ['import x = require("a")', 1, 1, /import equals/],
  ['@', 1, 1, /./],
];

test('what cannot be transformed is told of with its place', async () => {
  for (const [source, line, column, message] of faults) {
    const compiled = compileTaskSource(source, transformTypeScript);
    assert.ok(!compiled.ok, source);
    const [fault] = compiled.warnings;
    assert.match(fault?.message ?? '', message);
    assert.deepEqual([fault?.line, source === '@' ? 1 : fault?.column], [line, column], source);
  }
  const uncalled = compileTaskSource('enum A { B }\n\nexport async function main() { log(A.B) }', transformTypeScript);
  assert.deepEqual(
    uncalled.warnings.map(({ line }) => line),
    [3],
  );
  const old = compileTaskSource('enum A { B }');
  assert.match(old.warnings[0]?.message ?? '', /enum is not supported.*it is compiled when it is saved|save it again/);
});

test('a hostile source ends its own check alone', async () => {
  const checker = createSourceChecker();
  const deep = (n: number): string => `enum E {}\nx = ${'(a) => ('.repeat(n)}1${')'.repeat(n)}`;
  const sources = [
    deep(2000),
    deep(100_000),
    `enum E {${Array.from({ length: 60_000 }, (_, i) => `a${i}`)}}`,
    `@d class A {}\n${'<'.repeat(500_000)}`,
    `enum E {}\n${'a ? (b) : c => '.repeat(40)}d`,
  ];
  for (const source of sources) assert.ok(Array.isArray((await checker.check(source)).warnings));
  const grown = await checker.check(`enum E { A = '${'x'.repeat(500_000)}' }\n${'f(E.A);'.repeat(60_000)}`);
  assert.match(grown.warnings[0]?.message ?? '', /too much code|parsed in time/);
  const { warnings, code } = await checker.check('enum E { A = 1 }\nexport default E.A');
  assert.deepEqual([warnings, code?.includes('E2["A"] = 1')], [[], true]);
  await checker.close();
});

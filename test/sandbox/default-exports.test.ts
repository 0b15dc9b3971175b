import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { runInThisContext } from 'node:vm';
import { compileTaskSource } from '../../contract/task-source.ts';

const EXPRESSIONS = [
  '() => 1',
  'async () => 1',
  'x => x',
  'async x => { await x }',
  'function () { return 1 }',
  'function named() { return named.name }',
  'async function () {}',
  'function* () { yield 1 }',
  'async function* named() {}',
  'class {}',
  'class Named { static x = 1 }',
  'class extends (class Base {}) {}',
  '1',
  '-1',
  '"text"',
  `\`template \${kept}\``,
  'String.raw`\\n`',
  '/x)/g',
  'null',
  'kept',
  'kept = 5',
  'kept.toFixed',
  'kept?.toFixed?.(1)',
  '[1, , 2]',
  '{ a: 1, b() {} }',
  'new Map([[1, 2]])',
  'await Promise.resolve(7)',
  'kept ? (1) : (2)',
  '(() => 3)()',
  '(1, 2)',
  'typeof kept',
  'kept ?? null',
  'async () => (await 4)',
  'async',
  'of',
];
const AROUND: Array<(expression: string) => string> = [
  (e) => `export default ${e};`,
  (e) => `export default ${e}`,
  (e) => `export default (${e});`,
  (e) => `export default(${e})`,
  (e) => `export default ((\n(${e})\n))\n`,
  (e) => `export /* ( */ default // )\n  /* { */ (${e}) /* } */ ; // end`,
  (e) => `export\ndefault\n${e}\n`,
  (e) => `export default ${e}\n;[1].map((x) => x)`,
];
const NAMES = 'let kept = 1.5, async = 3, of = 4;\n';

const SPECIFIERS = [
  'const x = () => 1; export { x as default };',
  'export { x as default }; const x = () => 1;',
  'export { x as default }; function x() { return 2 }',
  'export { x as default, x as other, x }; class x {}',
  'let x = 1; export { x as default }; x = 2;',
  'let x = 1; export { x as "default" }',
  'let x = 1; export { x as "a b", x as default, }',
  'const [x, { y }] = [1, { y: 2 }]; export { x, y as default }',
  'export const x = 1, y = 2; export { y as default }',
  'export let x = 1; export default x; x = 2',
  'export default function x() {} x = 5',
  'export default x; var x = 1',
  'export default function () { return 1 }\n(kept)',
  'export default class {}\n[kept]',
  `export default async function () {}\n\`\${kept}\``,
  'export {}; export default 1; export { }',
  'export default (kept)\n(0, [1])[0]',
];

const sources = [
  ...EXPRESSIONS.flatMap((expression) => AROUND.map((around) => around(expression))),
  ...SPECIFIERS,
  ...SPECIFIERS.map((source) => source.replaceAll('\n', '\r\n')),
].map((source) => NAMES + source);

test('the default export is the value that a JavaScript engine gives for the same module, however the export is written', async () => {
  const seen: Array<[source: string, value: unknown]> = [];
  const expected: typeof seen = [];
  for (const source of sources) {
    expected.push([source, await byEngine(source)]);
    seen.push([source, await byUs(source)]);
  }
  assert.deepEqual(seen, expected);
  assert.ok(expected.filter(([, value]) => String(value).startsWith('SyntaxError')).length < sources.length / 10);
});

async function byEngine(source: string): Promise<unknown> {
  try {
    const module: unknown = await import(`data:text/javascript,${encodeURIComponent(source)}`);
    return describe(typeof module === 'object' && module !== null ? Reflect.get(module, 'default') : undefined);
  } catch (error) {
    return kindOf(error);
  }
}

async function byUs(source: string): Promise<unknown> {
  const compiled = compileTaskSource(source);
  if (!compiled.ok) return 'SyntaxError';
  try {
    const [value] = await runInThisContext(compiled.code)();
    return describe(value);
  } catch (error) {
    return kindOf(error);
  }
}

function kindOf(error: unknown): string {
  return error instanceof Error ? error.name : String(error);
}

/** The description includes the source text, because nothing in a function may change. An unnamed value gets a name of the sandbox. */
function describe(value: unknown): string {
  return typeof value === 'function' ? value.toString() : inspect(value);
}

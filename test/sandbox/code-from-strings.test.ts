import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScript } from '../helpers/worker.ts';

test('no constructor makes code from a string', async () => {
  const { result } = await runScript(`
    const attempts: Array<() => any> = [
      () => (0, globalThis as any).eval('1'),
      () => Function('return 1')(),
      () => new Function('return 1')(),
      () => (() => {}).constructor('return 1')(),
      () => (async () => {}).constructor('return 1')(),
      () => (function* () {}).constructor('yield 1')().next().value,
      () => (async function* () {}).constructor('yield 1')(),
      () => Reflect.construct(Function, ['return 1'])(),
      () => new (class extends Function { constructor() { super('return 1'); } })(),
      () => Object.getPrototypeOf((async () => {}).constructor)('return 1')(),
      () => Object.getPrototypeOf(class extends Function {})('return 1')(),
      () => log.constructor('return 1')(),
      () => (Object.getOwnPropertyDescriptor(globalThis, 'URL') as any).get.constructor('return 1')(),
    ];
    export default () => attempts.map((attempt) => { try { return String(attempt()); } catch (error) { return (error as Error).name; } });
  `);
  assert.ok(Array.isArray(result));
  assert.deepEqual(
    result.filter((outcome) => outcome !== 'EvalError' && outcome !== 'TypeError'),
    [],
  );
  assert.ok(result.filter((outcome) => outcome === 'EvalError').length >= 11);
});

test('functions are instances of Function, although Function cannot make code', async () => {
  const { result } = await runScript(
    'export default () => [log instanceof Function, (() => 1) instanceof Function, typeof Function, Function.name]',
  );
  assert.deepEqual(result, [true, true, 'function', 'Function']);
});

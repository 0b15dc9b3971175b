import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScript } from '../helpers/worker.ts';

const DEAD = 'the script awaits something that nothing can settle any more';
const dead: Array<[name: string, code: string]> = [
  ['at top level', 'await new Promise(() => {})'],
  ['in the default function', 'export default () => new Promise(() => {})'],
  ['after a call', 'await sleep(1); await new Promise(() => {})'],
  ['in one branch of Promise.all', 'await Promise.all([sleep(1), new Promise(() => {})])'],
  ['behind a thenable', 'await ({ then() {} })'],
];
for (const [name, code] of dead) {
  test(`an await that nothing can settle fails the run: ${name}`, async () => {
    const { done } = await runScript(code);
    assert.equal(done.end_reason, 'script_error');
    assert.equal(done.error_message, DEAD);
  });
}

test('a long chain of microtasks and calls does not count as an await that nothing can settle', async () => {
  const { result } = await runScript(
    'let n = 0; for (let i = 0; i < 50; i++) { await sleep(1); for (let j = 0; j < 100; j++) n += await j }\nexport default () => n',
  );
  assert.equal(result, 50 * 4950);
});

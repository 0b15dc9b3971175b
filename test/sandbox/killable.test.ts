import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withWorker } from '../helpers/worker.ts';

const bombs: Array<[name: string, code: string]> = [
  ['an endless loop', 'for (;;);'],
  ['endless microtasks', 'for (;;) await null'],
  ['a power of BigInts', '(7n ** 30_000_000n) * (3n ** 30_000_000n)'],
  ['a regular expression', '/^(a+)+$/.test("a".repeat(40) + "b")'],
  ['a native loop over a typed array', 'new Uint8Array(5e7).map((x) => x).sort().reverse().indexOf(5); Array.from({ length: 2 ** 31 })'],
  ['a getter on what it throws', 'throw Object.defineProperty(new Error("x"), "message", { get() { for (;;); } })'],
  ['a toJSON of what it returns', 'export default () => ({ toJSON() { for (;;); } })'],
];
for (const [name, code] of bombs) {
  test(`SIGKILL ends ${name}; what it logged before has arrived`, async () => {
    await withWorker(async (worker) => {
      const event = await worker.runUntilEvent(`log('before');\n${code}`);
      assert.deepEqual(event, { kind: 'log', line: 'before' });
      const end = await worker.kill();
      assert.equal(end.signal, 'SIGKILL');
    });
  });
}

test('a worker whose runner has died ends by itself, whatever its script does', async () => {
  await withWorker(async (worker) => {
    await worker.runUntilEvent("log('before'); for (;;);");
    const end = await worker.hangUp();
    assert.equal(end.signal, 'SIGKILL');
  });
});

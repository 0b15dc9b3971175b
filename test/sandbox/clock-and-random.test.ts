import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScript } from '../helpers/worker.ts';

test('the clock stands still while the script computes and moves with answers', async () => {
  const { result } = await runScript(
    `const a = Date.now(); let x = 0; for (let i = 0; i < 1e6; i++) x += i; const b = Date.now();
     await admin_api.get('/x'); const c = Date.now();
     await sleep(10); const d = Date.now();
     export default () => [b - a, c - a, d - c, new Date().getTime() - d, Temporal.Now.instant().epochMilliseconds - d,
       new Intl.DateTimeFormat('en-GB', { dateStyle: 'short', timeStyle: 'medium' }).format(), new Date().getTimezoneOffset(), Temporal.Now.timeZoneId(), Date() === new Date().toString()]`,
    {
      nowMs: Date.UTC(2024, 1, 3, 4, 5, 6),
      respond: ({ operation }) =>
        operation === 'sleep'
          ? { value: 'null', now_ms: Date.UTC(2024, 1, 3, 4, 0, 0) }
          : { value: '{"status":200,"body":null}', now_ms: Date.UTC(2024, 1, 3, 4, 5, 8) },
    },
  );
  assert.deepEqual(result, [0, 2000, 0, 0, 0, '03/02/2024, 04:05:08', 0, 'UTC', true]);
});

const DRAW = 'const draw = () => [Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(4))]];\n';

test('random numbers are the same for the same seed, and different after a checkpoint', async () => {
  const source = `${DRAW}const first = draw(); await checkpoint({}); export default () => [first, draw()]`;
  const respond = () => ({ value: 'null', seed: 'cd'.repeat(32) });
  const one = await runScript(source, { respond });
  const two = await runScript(source, { respond });
  const resumed = await runScript(`${DRAW}export default draw`, { seed: 'cd'.repeat(32) });
  assert.ok(Array.isArray(one.result));
  assert.deepEqual(one.result, two.result);
  assert.notDeepEqual(one.result[0], one.result[1]);
  assert.deepEqual(one.result[1], resumed.result);
});

test('the random numbers of a seed are those of ChaCha20, the same in every version, so that open runs outlive an upgrade', async () => {
  const known = [
    // RFC 8439, A.1, the first test vector.
    ['00'.repeat(32), '76b8e0ada0f13d90405d6ae55386bd28'],
    ['0123456789abcdef'.repeat(4), '173f1d33303cef177ae3bf141f7b95f3'],
  ];
  for (const [seed = '', bytes] of known) {
    const { result } = await runScript('export default () => crypto.getRandomValues(new Uint8Array(16)).toHex()', { seed });
    assert.equal(result, bytes);
  }
});

test('random numbers are spread evenly, and UUIDs are of version 4', async () => {
  const { result } = await runScript(`
    let sum = 0, low = 1, high = 0;
    for (let i = 0; i < 20_000; i++) { const x = Math.random(); sum += x; low = Math.min(low, x); high = Math.max(high, x); }
    export default () => [Math.abs(sum / 20_000 - 0.5) < 0.02, low >= 0 && low < 0.01, high < 1 && high > 0.99,
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID())]`);
  assert.deepEqual(result, [true, true, true, true]);
});

test('no other way to read the time is left', async () => {
  const { result } = await runScript(
    `
    const own = new (class extends Date {})();
    export default () => [own.getTime(), new (Date.prototype.constructor as any)().getTime(), Reflect.construct(Date, []).getTime(),
      performance.timeOrigin + performance.now(), new Intl.DateTimeFormat('en').formatToParts().length > 0, new Date(5).getTime(), Date.UTC(1970, 0, 2)]`,
    { nowMs: 777, beganMs: 700 },
  );
  assert.deepEqual(result, [777, 777, 777, 777, true, 5, 86_400_000]);
});

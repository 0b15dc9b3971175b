import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type PartProcess, startPart } from '../../ops/processes.ts';
import { claimOf, openShopDouble } from './shop-double.ts';

/**
 * The runner ends a script that V8 itself does not end (spec LI5), by whichever limit the script reaches first. On an idle
 * machine that takes less than a second (`npm run bench -- neighbours`). On a busy machine it may take longer, but waiting for V8
 * would take minutes.
 */

const LIMITS = { heap_mib: 64, cpu_seconds: 1, wall_seconds: 3 };
const GRACE_MS = 60_000;
const bombs: [name: string, source: string][] = [
  ['BigInts that grow', 'let n = 3n; for (;;) n = n ** 3n;'],
  ['one power of BigInts', '(7n ** 30_000_000n) * (3n ** 30_000_000n);'],
  ['a typed array', 'for (;;) new Uint8Array(5e7).map((x) => x ^ 1).sort().reverse().indexOf(5);'],
  ['a list from a length', 'Array.from({ length: 2 ** 31 });'],
  ['a regular expression', "/(x+x+)+y/.test('x'.repeat(40));"],
  ['arrays', 'const kept = []; for (;;) kept.push(new Array(100_000).fill(kept.length));'],
  ['buffers', 'const kept = []; for (;;) kept.push(new Uint8Array(1 << 24).fill(1));'],
  ['strings', "'x'.repeat(2 ** 28).split('');"],
  ['microtasks', 'for (;;) await null;'],
];

describe('LI5: scripts that V8 cannot stop', () => {
  let shop: Awaited<ReturnType<typeof openShopDouble>>;
  let runner: PartProcess;
  before(async () => {
    shop = await openShopDouble();
    runner = startPart('runner', { SERVER_URL: shop.url, RUNNER_TOKEN: 'token', RUNNER_SLOTS: '1', LOG_LEVEL: 'error' }, (line) =>
      process.stderr.write(`runner: ${line}\n`),
    );
    await endOf('', {});
  });
  after(async () => {
    await runner.stop();
    await shop[Symbol.asyncDispose]();
  });

  async function endOf(source: string, limits: Partial<typeof LIMITS>) {
    const claim = claimOf(source, { limits });
    const offeredAt = performance.now();
    shop.offer(claim);
    for (;;) {
      const end = shop.eventsOf(claim.run.id).find(({ kind }) => kind === 'finalize');
      if (end) return { end, tookMs: performance.now() - offeredAt };
      if (performance.now() - offeredAt > 240_000) throw new Error('the run does not end');
      await delay(5);
    }
  }

  for (const [name, source] of bombs) {
    test(`${name}: a limit ends the run, and the next run is not affected`, async () => {
      const { end, tookMs } = await endOf(source, LIMITS);
      assert.match(`${end['status']}/${end['end_reason']}`, /^(failed\/(cpu|heap)|timed_out\/wall)$/, String(end['error_message']));
      assert.ok(tookMs <= LIMITS.wall_seconds * 1000 + GRACE_MS, `it took ${Math.round(tookMs)} ms`);
      assert.equal((await endOf('export default () => 1', {})).end['status'], 'success');
    });
  }
});

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { hostCallKinds, isHostOperation } from '../../contract/script-library.ts';
import { snapshotOf } from '../../runner/prelude.ts';
import { openHostileRunner, REAL_WORKER } from './hostile-harness.ts';

/**
 * Code that has got hold of the one function of the host, as no script can, calls it with whatever it likes: the real worker with
 * another prelude, which does as its parameters say. The run ends for a stated reason, and the next run is not affected.
 */

const SEED = Number(process.env['SEED'] ?? 20_261_126);
const GUESTS = Number(process.env['GUESTS'] ?? 15);

/** In the worker's own first run (task 0) and where there is nothing to call, the guest only ends. */
const PRELUDE = `(function () {
  let host, config;
  return function enter(kind, a, b) {
    if (kind === 'boot') [host, config] = [a, JSON.parse(b)];
    if (kind !== 'run') return;
    for (const [how, ...parts] of config.parameters.calls ?? []) {
      try { host[how](undefined, parts.map((part) => (0, eval)(part)), { arguments: { copy: true } }); } catch {}
    }
    host.applyIgnored(undefined, [0, 'outcome', '{"end_reason":"completed","pending":0,"result":null}']);
  };
})()`;

type Call = { how: 'applyIgnored' | 'applySync'; parts: string[]; ends: 'sandbox' | 'script_error' | null };

const how = fc.constantFrom('applyIgnored' as const, 'applySync' as const);
const payload = fc.oneof(
  fc.json({ maxDepth: 2 }).map((text) => JSON.stringify(text)),
  fc.constantFrom('""', '"{"', '"\\ud800"', '"\\0"', '"x".repeat(9_000_000)', '"[".repeat(100_000)', 'JSON.stringify({ line: "y" })'),
);
const operation = fc.constantFrom(...Object.keys(hostCallKinds));
/** Nothing that a call of the protocol could be: the worker ignores it. */
const ignored = fc.record({
  how,
  parts: fc.oneof(
    fc.tuple(
      fc.constantFrom('"1"', 'null', '{}', '[1]', '1n'),
      operation.map((name) => JSON.stringify(name)),
      payload,
    ),
    fc.tuple(fc.constant('1'), fc.constantFrom('"fetch"', '"__proto__"', '"constructor"', '5', 'null', '["log"]', '"turn"'), payload),
    fc.tuple(
      fc.constant('1'),
      operation.map((name) => JSON.stringify(name)),
      fc.constantFrom('5', 'null', '{}', 'new Uint8Array(9)', '[[]]'),
    ),
    fc.constant<string[]>([]),
    // These cannot leave the isolate at all.
    fc.constantFrom<string[][]>(['Symbol()'], ['() => 1'], ['new Proxy({}, {})'], ['1', '"log"', '({ get a() { throw 1 } })']),
  ),
  ends: fc.constant(null),
});
/** Calls of the protocol. An id that is no whole number from 0 on breaks it, where the operation has an answer. */
const called = fc
  .record({ how, id: fc.constantFrom('0', '1', '2 ** 40', '-1', '1.5', 'NaN', '1 / 0'), name: operation, payload })
  .map(({ how: way, id, name, payload: text }): Call => {
    const isWrong = ['-1', '1.5', 'NaN', '1 / 0'].includes(id);
    const isSent = !text.startsWith('"x".repeat(9');
    const isAnswered = isHostOperation(name) && hostCallKinds[name] !== 'instant';
    return { how: way, parts: [id, JSON.stringify(name), text], ends: isWrong && isAnswered && isSent ? 'sandbox' : null };
  });
const outcomes = fc
  .constantFrom<[string, Call['ends']][]>(
    ['{', 'sandbox'],
    ['null', 'sandbox'],
    ['{"end_reason":"completed","retry_after_ms":-1}', 'sandbox'],
    ['{"end_reason":"completed","retry_after_ms":1.5}', 'sandbox'],
    ['5', 'script_error'],
    ['[]', 'script_error'],
    ['{"end_reason":"revoked","error_message":{"deep":[]},"result":{}}', 'script_error'],
    ['{"__proto__":{"end_reason":"completed"}}', 'script_error'],
  )
  .map(([text, ends]): Call => ({ how: 'applyIgnored', parts: ['0', '"outcome"', JSON.stringify(text)], ends }));

const guests = fc
  .record({
    calls: fc.array(fc.oneof<fc.Arbitrary<Call>[]>(ignored, called), { maxLength: 20 }),
    outcome: fc.option(outcomes, { freq: 1 }),
  })
  .map(({ calls, outcome }) => (outcome ? [...calls, outcome] : calls));

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backroom-hostile-'));
  await writeFile(join(folder, 'prelude.snapshot'), await snapshotOf(PRELUDE));
});
after(() => rm(folder, { recursive: true, force: true }));

test(`whatever the code in the isolate asks of the host, only its own run ends (seed ${SEED})`, { timeout: 600_000 }, async () => {
  await using runner = await openHostileRunner(REAL_WORKER, join(folder, 'prelude.snapshot'));
  const isServed = async () =>
    assert.deepEqual(
      (await runner.run('')).map(({ status }) => status),
      ['success'],
    );
  await isServed();
  await fc.assert(
    fc.asyncProperty(guests, async (calls) => {
      const ends = await runner.run('', { parameters: { calls: calls.map(({ how: way, parts }) => [way, ...parts]) } });
      const expected = calls.find((call) => call.ends !== null)?.ends ?? 'completed';
      assert.deepEqual(
        ends.map(({ end_reason }) => end_reason),
        [expected],
      );
    }),
    { seed: SEED, numRuns: GUESTS },
  );
  await isServed();
});

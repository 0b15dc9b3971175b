import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScript } from '../helpers/worker.ts';

const thrown = async (source: string) => (await runScript(source)).done;

test('a thrown RetryAfter asks for another attempt after its time, with the line where it was thrown', async () => {
  const done = await thrown('\nexport default async () => { await sleep(1); throw new RetryAfter(60_000.5, "the report is not there"); }');
  assert.deepEqual([done.end_reason, done.retry_after_ms], ['script_error', 60_001]);
  assert.match(done.error_message ?? '', /^RetryAfter: the report is not there\n {4}at .*task\.ts:2:/);
  assert.equal((await thrown('throw new RetryAfter(0)')).retry_after_ms, 0);
});

test('any other error asks for none, even one that looks like it', async () => {
  for (const source of [
    'throw new Error("no")',
    'throw Object.assign(new Error("no"), { name: "RetryAfter", ms: 5 })',
    'throw { ms: 5, name: "RetryAfter" }',
    'const e: any = new RetryAfter(5); Object.defineProperty(e, "ms", { get() { throw 1 } }); throw e;',
    'const e: any = new RetryAfter(5); e.ms = 1e12; throw e;',
    'const e: any = Object.create(RetryAfter.prototype); e.ms = -1; throw e;',
  ]) {
    const done = await thrown(source);
    assert.deepEqual([done.end_reason, done.retry_after_ms], ['script_error', undefined], source);
  }
});

test('a time that is none, or beyond a day, is refused where the error is made', async () => {
  for (const ms of ['-1', '86_400_001', 'NaN', '"60"', 'undefined']) {
    const done = await thrown(`new (RetryAfter as any)(${ms})`);
    assert.match(done.error_message ?? '', /^RangeError: RetryAfter takes a time from 0 to 86400000 ms \(24 hours\)/, ms);
  }
  assert.equal((await thrown('throw new RetryAfter(86_400_000)')).retry_after_ms, 86_400_000);
});

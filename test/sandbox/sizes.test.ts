import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScript } from '../helpers/worker.ts';

const tooLarge: Array<[name: string, code: string, message: RegExp]> = [
  [
    'a request body of more than 1 MiB',
    'await admin_api.post("/orders", { text: "é".repeat(600_000) })',
    /^RangeError: the body of a request may have at most 1048576 bytes/,
  ],
  [
    'a checkpoint of more than 1 MiB',
    'await checkpoint({ text: "x".repeat(1_048_577) })',
    /^RangeError: the state of a checkpoint may have at most 1048576 bytes/,
  ],
  ['a path of more than 8192 characters', 'await admin_api.get("/x" + "y".repeat(9000))', /^RangeError: a path/],
  ['a checkpoint that is no object', 'await checkpoint([1] as any)', /^TypeError: the state of a checkpoint must be an object/],
  ['a sleep that is no number', 'await sleep("5" as any)', /^RangeError: sleep takes/],
];
for (const [name, code, message] of tooLarge) {
  test(`${name} throws in the script and is not sent`, async () => {
    const { done, calls } = await runScript(code);
    assert.match(done.error_message ?? '', message);
    assert.deepEqual(calls, []);
  });
}

test('bodies and checkpoints up to the limit are sent', async () => {
  const { done, calls } = await runScript(
    'await admin_api.post("/x", "x".repeat(1_048_574)); await checkpoint({ s: "x".repeat(1_048_568) })',
    {
      respond: ({ operation }) => ({ value: operation === 'admin_api' ? '{"status":200,"body":null}' : 'null' }),
    },
  );
  assert.equal(done.error_message, null);
  assert.equal(calls.length, 2);
});

test('an answer of more than 4 MiB makes the call throw', async () => {
  const { result } = await runScript(
    'export default async () => { try { await admin_api.get("/x") } catch (error) { return (error as Error).message } }',
    { respond: () => ({ value: JSON.stringify({ status: 200, body: 'x'.repeat(4 * 1024 * 1024 + 100) }) }) },
  );
  assert.equal(result, 'the answer is larger than 4194304 bytes');
});

test('an answer of exactly 4 MiB arrives', async () => {
  const { result } = await runScript('export default async () => String((await admin_api.get("/x")).body).length', {
    respond: () => ({ value: JSON.stringify({ status: 200, body: 'x'.repeat(4 * 1024 * 1024 - 2) }) }),
  });
  assert.equal(result, 4 * 1024 * 1024 - 2);
});

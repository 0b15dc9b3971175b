import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScript } from '../helpers/worker.ts';

test('prompt returns the answers by the names of their fields', async () => {
  const { result, calls } = await runScript(
    `export default async ({ prompt: ask }) => [(await prompt({ label: 'Sure?', fields: [{ name: 'sure', kind: 'boolean' }] })).sure, ask === prompt]`,
    { respond: () => ({ value: '{"sure":true}' }) },
  );
  assert.deepEqual(result, [true, true]);
  assert.deepEqual(
    calls.map(({ operation, payload }) => [operation, payload]),
    [['prompt', { label: 'Sure?', fields: [{ name: 'sure', kind: 'boolean' }] }]],
  );
});

test('a wrong or too large question throws in the script and is not sent', async () => {
  const { result, calls } = await runScript(
    `export default async () => {
       const seen = [];
       for (const question of [undefined, null, 'Sure?', {}, { label: 5 }, { label: ' ' }, { label: 'x', fields: {} },
         { label: 'x'.repeat(10 * 1024 * 1024) }, { label: 'x', fields: Array(1000).fill({ label: 'y'.repeat(1000) }) }]) {
         await prompt(question).catch((error) => seen.push(error.name));
       }
       return seen;
     };`,
  );
  assert.deepEqual(result, [...Array(7).fill('TypeError'), 'RangeError', 'RangeError']);
  assert.deepEqual(calls, []);
});

test('a checkpoint waits for the question before it', async () => {
  const { result, calls } = await runScript(
    `export default async () => {
       const order = [];
       await Promise.all([prompt({ label: 'a', fields: [] }).then(() => order.push('answer')), checkpoint({}).then(() => order.push('checkpoint'))]);
       return order;
     };`,
    { respond: ({ operation }) => ({ value: operation === 'prompt' ? '{}' : 'null' }) },
  );
  assert.deepEqual(result, ['answer', 'checkpoint']);
  assert.deepEqual(
    calls.map(({ operation }) => operation),
    ['prompt', 'checkpoint'],
  );
});

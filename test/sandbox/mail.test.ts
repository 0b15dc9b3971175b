import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScript } from '../helpers/worker.ts';

test('mail sends one request with what it is given, and returns the mails', async () => {
  const answer = { mails: [{ id: 7, to: 'ann@example.com' }], left_out: [] };
  const { calls, result, done } = await runScript(
    `export default async ({ mail: same }: any) => {
       const sent = await mail({ to: 'ann@example.com', subject: 'Hi', text: 'Hello', kind: 'marketing' });
       const wrong = await mail('Hello' as any).catch((error: any) => error.name);
       return [sent, wrong, same === mail, Object.isFrozen(mail)];
     };`,
    { respond: () => ({ value: JSON.stringify({ status: 201, body: answer }) }) },
  );
  assert.equal(done.error_message, null);
  assert.deepEqual(result, [answer, 'TypeError', true, true]);
  assert.deepEqual(
    calls.map(({ payload }) => payload),
    [{ method: 'POST', path: '/mails', body: { to: 'ann@example.com', subject: 'Hi', text: 'Hello', kind: 'marketing' } }],
  );
});

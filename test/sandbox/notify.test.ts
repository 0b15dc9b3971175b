import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScript } from '../helpers/worker.ts';

test('notify sends one request with what it is given, and returns the id', async () => {
  const { calls, result, done } = await runScript(
    `export default async ({ notify: same }: any) => {
       const told = await notify({ title: 'Low', body: 'Tea', link: '/products', admins: [1], severity: 'error' });
       const wrong = await notify('Low' as any).catch((error: any) => error.name);
       return [told, wrong, same === notify, Object.isFrozen(notify)];
     };`,
    { respond: () => ({ value: JSON.stringify({ status: 201, body: { id: 7 } }) }) },
  );
  assert.equal(done.error_message, null);
  assert.deepEqual(result, [{ id: 7 }, 'TypeError', true, true]);
  assert.deepEqual(
    calls.map(({ payload }) => payload),
    [
      {
        method: 'POST',
        path: '/notifications',
        body: { title: 'Low', body: 'Tea', link: '/products', admins: [1], severity: 'error' },
      },
    ],
  );
});

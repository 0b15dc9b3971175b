import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Call, runScript } from '../helpers/worker.ts';

test('at most 16 calls are out at a time, and all are answered', async () => {
  let out = 0;
  let most = 0;
  const held: Array<() => void> = [];
  const { result } = await runScript(
    'export default async () => (await Promise.all(Array.from({ length: 40 }, (_, i) => admin_api.get("/" + i)))).map(({ body }) => body)',
    {
      async respond({ payload }: Call) {
        out += 1;
        most = Math.max(most, out);
        // Sixteen calls are held until all have arrived, so that a seventeenth would be seen.
        if (held.length < 16) {
          await new Promise<void>((resolve) => {
            held.push(resolve);
            if (held.length === 16) for (const release of held) release();
          });
        }
        out -= 1;
        assert.ok(typeof payload === 'object' && payload !== null && 'path' in payload);
        return { value: JSON.stringify({ status: 200, body: payload.path }) };
      },
    },
  );
  assert.equal(most, 16);
  assert.deepEqual(
    result,
    Array.from({ length: 40 }, (_, i) => `/${i}`),
  );
});

test('a checkpoint goes out when every earlier call has settled, and later calls wait for it', async () => {
  const order: string[] = [];
  await runScript(
    'const a = admin_api.get("/a"); const c = checkpoint({ n: 1 }); const b = admin_api.get("/b"); await Promise.all([a, c, b])',
    {
      async respond({ operation, text }) {
        order.push(`ask ${operation === 'checkpoint' ? 'checkpoint' : text}`);
        await new Promise((resolve) => setImmediate(resolve));
        order.push('answer');
        return { value: operation === 'checkpoint' ? 'null' : '{"status":200,"body":null}' };
      },
    },
  );
  assert.deepEqual(order, [
    'ask {"method":"GET","path":"/a"}',
    'answer',
    'ask checkpoint',
    'answer',
    'ask {"method":"GET","path":"/b"}',
    'answer',
  ]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScript } from '../helpers/worker.ts';

const SAMPLE = { status: 200, headers: {}, body: 'ok', encoding: 'text', url: 'https://a.example/' };

test('http.request sends a read or a write, with its body as text, JSON or base64, and returns the answer', async () => {
  const { calls, result, done } = await runScript(
    `export default async ({ http: same }: any) => {
       const url = 'https://a.example/';
       const read = await http.request({ url, headers: { accept: 'text/plain' }, repeat: true });
       await http.request({ method: 'head' as any, url, timeout_ms: 5, sample: {} });
       await http.request({ method: 'POST', url, body: { a: [1] } });
       await http.request({ method: 'PUT', url, body: 'text', headers: { 'Content-Type': 'text/csv' }, repeat: true });
       await http.request({ method: 'PATCH', url, body: new Uint8Array([255, 0]) });
       await http.request({ method: 'DELETE', url });
       const wrong = [];
       for (const one of [undefined, 'https://a.example/', { url, body: 'x' }])
         wrong.push(await http.request(one as any).catch((error: any) => error.name));
       return [read, wrong, same === http, Object.isFrozen(http)];
     };`,
    { respond: () => ({ value: JSON.stringify({ status: 200, body: SAMPLE }) }) },
  );
  assert.equal(done.error_message, null);
  assert.deepEqual(result, [SAMPLE, ['TypeError', 'TypeError', 'TypeError'], true, true]);
  const url = 'https://a.example/';
  const of = (path: string, body: object) => ({ method: 'POST', path, body });
  assert.deepEqual(
    calls.map(({ payload }) => payload),
    [
      of('/http/fetch', { method: 'GET', headers: { accept: 'text/plain' }, url }),
      of('/http/fetch', { method: 'HEAD', headers: {}, url, timeout_ms: 5, sample: {} }),
      of('/http/send', { method: 'POST', url, headers: { 'content-type': 'application/json' }, body: '{"a":[1]}' }),
      of('/http/send', { method: 'PUT', url, repeat: true, headers: { 'Content-Type': 'text/csv' }, body: 'text' }),
      of('/http/send', {
        method: 'PATCH',
        url,
        headers: { 'content-type': 'application/octet-stream' },
        body: '/wA=',
        encoding: 'base64',
      }),
      of('/http/send', { method: 'DELETE', url, headers: {} }),
    ],
  );
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { endpointList } from '../../contract/index.ts';
import { startApp, type TestApp } from '../helpers/app.ts';

/** Declared endpoints that answer 501. */
const notImplemented: readonly string[] = [];

let app: TestApp;
before(async () => {
  app = await startApp('sqlite');
});
after(() => app.close());

test('exactly these declared endpoints are not implemented yet', async () => {
  const found: string[] = [];
  for (const endpoint of endpointList) {
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name.endsWith('id') ? '1' : 'order_placed'));
    const request = { method: endpoint.method, path: `/admin/api${path}` };
    const { status } = await app.request(endpoint.method === 'GET' ? request : { ...request, body: {} });
    if (status === 501) found.push(endpoint.id);
    else assert.ok(status < 500, `${endpoint.id}: ${status}`);
  }
  assert.deepEqual(found.sort(), notImplemented);
});

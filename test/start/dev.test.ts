import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { request } from 'undici';
import { npmRunDev, PROJECT } from '../helpers/npm-start.ts';

test('npm run dev: a filled shop, signed in by its link, whose parts start again when a source changes', {
  timeout: 300_000,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'backroom-dev-'));
  const changed = (name: 'server' | 'runner'): string => join(PROJECT, name, `dev-test-${process.pid}.txt`);
  const { child, exited, line } = npmRunDev(t, { DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'info' });
  t.after(() => {
    for (const path of [folder, changed('server'), changed('runner')]) rmSync(path, { recursive: true, force: true });
  });
  const address = (await line(/^Open /)).slice('Open '.length);
  const { origin, hash } = new URL(address);

  const page = await request(address, { headers: { accept: 'text/html' } });
  assert.equal(page.statusCode, 200);
  assert.match(await page.body.text(), /@vite\/client[\s\S]*src="\/main\.tsx/);
  const source = await request(`${origin}/features/orders/routes.ts`);
  assert.equal(source.statusCode, 200);
  await source.body.dump();

  // What is not the console's goes through Vite to the server.
  const headers = { 'content-type': 'application/json' };
  const signIn = await request(`${origin}/admin/api/sign-in`, { method: 'POST', headers, body: JSON.stringify({ code: hash.slice(1) }) });
  assert.equal(signIn.statusCode, 201);
  const { token } = Object(await signIn.body.json());
  const orders = async (): Promise<number> => {
    const answer = await request(`${origin}/admin/api/orders?per_page=1`, { headers: { authorization: `Bearer ${token}` } });
    assert.equal(answer.statusCode, 200);
    return Object(await answer.body.json()).total;
  };
  assert.ok((await orders()) > 1900);

  writeFileSync(changed('server'), '');
  await line(/^The server started again\./);
  writeFileSync(changed('runner'), '');
  await line(/^The runner started again\./);

  child.kill('SIGINT');
  assert.equal(await exited, 0);
  await assert.rejects(request(origin), { code: 'ECONNREFUSED' });
});

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { bundleClient } from '../../tools/client-bundle.ts';
import { chromiumPath } from '../console/browser.ts';
import { OWNER_TOKEN, startApp, type TestApp } from '../helpers/app.ts';

/** The client of the package in a real browser and in Deno; Node has the tests of test/client. */

const SCRIPTS = ['client.js', 'use-client.js'];
const DENO = fileURLToPath(new URL('../../node_modules/.bin/deno', import.meta.url));

let app: TestApp;
let folder: string;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'backroom-client-'));
  await bundleClient(join(folder, 'client.js'));
  const source = readFileSync(new URL('use-client.ts', import.meta.url), 'utf8').replace('../../client/index.ts', './client.js');
  writeFileSync(join(folder, 'use-client.js'), stripTypeScriptTypes(source));
  app = await startApp('sqlite');
  for (let n = 0; n < 130; n++) await app.client.customers.create({ email: `row-${n}@example.com`, name: `Row ${n}` });
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await app.close();
});

/** A network that loses the answer of the first write, and cuts the first stream after its first change. */
async function openNetwork(t: { after(end: () => void): void }) {
  const keys: string[] = [];
  const streams: string[] = [];
  const { port } = new URL(app.url);
  const proxy = createServer((request, response) => {
    const { method, url = '/', headers } = request;
    const isStream = url.endsWith('/changes');
    if (method === 'POST') keys.push(String(headers['idempotency-key']));
    if (isStream) streams.push(String(headers['last-event-id'] ?? ''));
    const isLost = method === 'POST' && keys.length === 1;
    const isCut = isStream && streams.length === 1;
    const onward = send({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      if (isLost) return void answer.resume().on('end', () => request.socket.destroy());
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.on('data', (chunk) =>
        response.write(chunk, () => isCut && String(chunk).includes('event: change') && request.socket.destroy()),
      );
      answer.on('end', () => response.end());
      answer.on('error', () => request.socket.destroy());
    });
    onward.on('error', () => request.socket.destroy());
    response.once('close', () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const address: AddressInfo | string | null = proxy.address();
  assert.ok(typeof address === 'object' && address !== null);
  return { url: `http://127.0.0.1:${address.port}`, keys, streams };
}

function check({ keys, streams }: { keys: string[]; streams: string[] }, told: unknown): void {
  assert.deepEqual(told, {
    ...{ page: 2, rows: 130, madeOnce: 1, missed: [] },
    ...{ refused: [422, ['/email', '/name']], sameBytes: true },
  });
  assert.match(keys[0] ?? '', /^"[0-9a-f]{32}"$/);
  assert.equal(keys[1], keys[0]);
  assert.equal(new Set(keys).size, keys.length - 1);
  assert.equal(streams[0], '');
  assert.match(streams[1] ?? '', /^\d+-\d+$/);
}

test('in a browser, on a page of the shop’s own address, the client does what it does in Node', async (t) => {
  const network = await openNetwork(t);
  const browser = await chromium.launch({ executablePath: chromiumPath() ?? 'chromium', args: ['--no-sandbox', '--disable-gpu'] });
  t.after(() => browser.close());
  const page = await browser.newPage();
  await page.route('**/page.html', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Page</title>' }));
  for (const name of SCRIPTS) {
    const body = readFileSync(join(folder, name));
    await page.route(`**/${name}`, (route) => route.fulfill({ contentType: 'text/javascript', body }));
  }
  await page.goto(`${network.url}/page.html`);
  const run = `import('/use-client.js').then(({ useClient }) => useClient(location.origin, '${OWNER_TOKEN}'))`;
  check(network, await page.evaluate(run));
});

test('in Deno, the client does what it does in Node, and needs nothing but the network', async (t) => {
  const network = await openNetwork(t);
  writeFileSync(
    join(folder, 'run.js'),
    `import { useClient } from './use-client.js';\nconsole.log(JSON.stringify(await useClient(...Deno.args)));\n`,
  );
  const options = ['run', '--quiet', '--no-config', '--no-lock', '--no-remote', '--no-prompt', `--allow-net=${new URL(network.url).host}`];
  const env = { PATH: process.env['PATH'], HOME: folder, DENO_NO_UPDATE_CHECK: '1' };
  const { stdout } = await promisify(execFile)(DENO, [...options, join(folder, 'run.js'), network.url, OWNER_TOKEN], { env });
  check(network, JSON.parse(stdout));
});

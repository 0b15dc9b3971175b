import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { OWNER_TOKEN, startApp, type TestApp } from '../helpers/app.ts';

/** Checks the document that the server serves with tools of others. */

const here = fileURLToPath(new URL('.', import.meta.url));
const bins = [join(here, 'node_modules/.bin'), join(here, '../../node_modules/.bin')];
const run = promisify(execFile);

let app: TestApp;
let folder: string;
before(async () => {
  app = await startApp('sqlite');
  folder = await mkdtemp(join(tmpdir(), 'backroom-openapi-'));
  const { text } = await app.request({ path: '/openapi.json', token: null });
  await writeFile(join(folder, 'openapi.json'), text);
});
after(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a command; the error of a failed command contains its output. */
async function tool(name: string, ...args: string[]): Promise<void> {
  const env = {
    ...process.env,
    PATH: [...bins, process.env['PATH']].join(delimiter),
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  };
  await run(name, args, { cwd: folder, env }).catch((error) => assert.fail(`${error.message}\n${error.stdout}${error.stderr}`));
}

test('redocly finds nothing wrong with the document', async () => {
  await tool('redocly', 'lint', 'openapi.json', '--config', join(here, 'redocly.yaml'), '--format', 'stylish');
});

test('openapi-typescript makes types that compile, and a program with them and plain fetch sells something', async () => {
  await cp(join(here, 'client'), folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await tool('openapi-typescript', 'openapi.json', '--output', 'schema.ts');
  await tool(join(here, 'node_modules/.bin/tsc'), '--project', '.');
  const client: { sellSomething(origin: string, token: string): Promise<unknown> } = await import(
    pathToFileURL(join(folder, 'client.ts')).href
  );
  assert.deepEqual(await client.sellSomething(app.url, OWNER_TOKEN), { stale: '412', total: 1, orders: [[true, 900, 'processing']] });
});

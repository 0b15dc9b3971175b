import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fetch } from 'undici';
import { z } from 'zod';
import { buildMissingApp } from '../../ops/missing-builds.ts';
import { startListeningServer } from '../../ops/processes.ts';
import { childrenOf, readProc } from '../../runner/isolation/proc.ts';
import { openClient } from '../helpers/agents.ts';
import { NPM_START_TOKEN as TOKEN } from '../helpers/npm-start.ts';

/** The build as it runs in production: what few shops use is in memory only after its first use. */

/** Notes the address of each module that a process and its threads load. */
const HOOK = `
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
const load = (url, context, next) => {
  appendFileSync(process.env.LOADED_FILE, url + '\\n');
  return next(url, context);
};
registerHooks({ load });
`;

const PACKAGES = ['@modelcontextprotocol', 'oidc-provider', 'openai', '@anthropic-ai/sdk', 'typescript'];

async function startBuilt(t: TestContext) {
  await buildMissingApp(() => undefined);
  const folder = mkdtempSync(join(tmpdir(), 'backroom-loaded-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const hook = join(folder, 'hook.mjs');
  writeFileSync(hook, HOOK);
  const file = join(folder, 'loaded');
  const server = await startListeningServer({
    ...{ DATA_DIR: folder, HOST: '127.0.0.1', PORT: '0', BOOTSTRAP_ADMIN_TOKEN: TOKEN },
    ...{ NODE_OPTIONS: `--import=${pathToFileURL(hook)}`, LOADED_FILE: file },
  });
  t.after(() => server.stop());

  /** Those of the packages that it has loaded: from their own files, or bundled in a file of the build. */
  function loaded(): string[] {
    const urls = readFileSync(file, 'utf8').trim().split('\n');
    const files = urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url));
    assert.ok(files.some((path) => path.includes('/dist/app/')) && files.some((path) => path.includes('/node_modules/better-sqlite3/')));
    const bundled = [...new Set(files)].filter((path) => path.includes('/dist/app/') && existsSync(path));
    const text = bundled.map((path) => readFileSync(path, 'utf8')).join('\n');
    // TypeScript is bundled with the editor, and has a process of its own.
    const isChecking = childrenOf(server.pid).some((pid) => readProc(pid, 'cmdline')?.includes('type-check'));
    const isElsewhere: Record<string, boolean | undefined> = {
      '@modelcontextprotocol': text.includes('io.modelcontextprotocol/protocolVersion'),
      typescript: isChecking,
    };
    return PACKAGES.filter((name) => isElsewhere[name] || files.some((path) => path.includes(`/node_modules/${name}/`)));
  }

  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const answer = await fetch(`${server.url}${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path}: ${text}`);
    return JSON.parse(text);
  };
  return { url: server.url, loaded, ask };
}

test('what few use is loaded by its first use', async (t) => {
  const { url, loaded, ask } = await startBuilt(t);
  for (const path of ['/orders', '/customers', '/runs', '/task-examples', '/me', '/settings']) await ask('GET', `/admin/api${path}`);
  assert.deepEqual(loaded(), []);

  const made = await ask('POST', '/admin/api/me/agents', { name: 'first', permissions: ['admin_api.orders.read'] });
  assert.deepEqual(loaded(), []);
  const { token } = z.object({ token: z.string() }).parse(made);
  const { client, tool } = await openClient({ url }, token);
  await tool('call', { operation: 'orders.list' });
  await client.close();
  assert.deepEqual(loaded(), ['@modelcontextprotocol']);

  await ask('PATCH', '/admin/api/settings', { public_url: url });
  await ask('GET', '/.well-known/oauth-authorization-server');
  assert.deepEqual(loaded(), ['@modelcontextprotocol', 'oidc-provider']);

  const draft = { source_code: 'const one: number = 1; log(one);', permissions: [], parameters: [] };
  await ask('POST', '/admin/api/task-drafts/check', draft);
  assert.deepEqual(loaded(), ['@modelcontextprotocol', 'oidc-provider', 'typescript']);
});

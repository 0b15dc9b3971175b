import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { OWNER_TOKEN, startApp, type TestApp } from '../helpers/app.ts';
import { openCommandLine } from '../helpers/command-line.ts';
import { hooks, macOf } from '../helpers/hooks.ts';
import { makeTask } from '../helpers/runs.ts';

const line = openCommandLine();
let app: TestApp;
before(async () => {
  app = await startApp('sqlite');
});
after(() => app.close());

const type = (words: readonly string[], env: Record<string, string> = {}) =>
  line.type(words, { env: { SERVER_URL: app.url, BACKROOM_TOKEN: OWNER_TOKEN, ...env } });

test('a hook is made, listed, given a new address and deleted; the address alone is printed', async () => {
  const { call } = hooks(() => app);
  const taskId = String(await makeTask(app, { parameters: [{ name: 'payload', kind: 'json' }] }));
  const words = ['hook', 'create', taskId, '--name', 'Pushes', '--parameter', 'payload', '--verify', 'github'];
  const made = await type([...words, '--set', 'days=3', '--repeat-by', 'X-GitHub-Delivery'], { BACKROOM_HOOK_SECRET: 'of the sender' });
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stderr, /^Hook 1 "Pushes" is made; its address is shown once:\n$/);
  const address = made.stdout.trim();
  assert.match(address, new RegExp(`^${app.url}/hooks/1/\\w{43}$`));
  const signed = { 'x-hub-signature-256': `sha256=${macOf('of the sender', '{}')}` };
  assert.equal((await call(new URL(address).pathname, '{}', signed)).status, 202);
  const [hook] = await app.client.ai_tasks.list_hooks(Number(taskId));
  assert.deepEqual([hook?.parameters, hook?.idempotency_header, hook?.wait], [{ days: 3 }, 'X-GitHub-Delivery', false]);
  assert.equal((await type(['hook', 'list', taskId])).stdout, '1  Pushes  on, signed (github)\n');
  const rotated = await type(['hook', 'rotate', taskId, '1']);
  assert.notEqual(rotated.stdout.trim(), address);
  assert.equal((await call(new URL(address).pathname, '{}', signed)).status, 404);
  assert.equal((await call(new URL(rotated.stdout.trim()).pathname, '{}', signed)).status, 202);
  assert.deepEqual(await type(['hook', 'delete', taskId, '1']), { code: 0, stdout: '', stderr: 'Hook 1 is deleted.\n' });
  assert.equal((await type(['hook', 'list', taskId])).stdout, '');
});

test('what is missing or wrong on the command line is named', async () => {
  const refused: [string[], RegExp][] = [
    [['hook', 'create', '1'], /--name is missing/],
    [['hook', 'create', '1', '--name', 'x', '--verify', 'paypal'], /accepted are: github, stripe, shopify/],
    [['hook', 'create', '1', '--name', 'x', '--verify', 'github'], /BACKROOM_HOOK_SECRET is missing/],
    [['hook', 'rotate', '1'], /TASK_ID and HOOK_ID must be given/],
  ];
  for (const [words, message] of refused) {
    const { code, stderr } = await type(words);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  }
});

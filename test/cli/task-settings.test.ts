import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { OWNER_TOKEN, startApp, type TestApp } from '../helpers/app.ts';
import { openCommandLine } from '../helpers/command-line.ts';

const mine = openCommandLine();
const colleague = openCommandLine();
let app: TestApp;
before(async () => {
  app = await startApp('sqlite');
});
after(() => app.close());

const path = (name: string, who = mine): string => join(who.folder, name);
const type = (line: string, who = mine) => who.type(line.split(' '), { env: { SERVER_URL: app.url, BACKROOM_TOKEN: OWNER_TOKEN } });
async function ok(line: string, who = mine): Promise<string> {
  const { code, stdout, stderr } = await type(line, who);
  assert.deepEqual([code, stderr], [0, ''], line);
  return stdout;
}
async function refused(line: string, message: RegExp): Promise<void> {
  const { code, stderr } = await type(line);
  assert.equal(code, 1, stderr);
  assert.match(stderr, message);
}

test('settings of the task file: push sets those that it names, pull writes those that are not the defaults, and none is overwritten unasked', async () => {
  await app.client.ai_tasks.create({ name: 'Set', description: '', source_code: 'log(1);', permissions: [], parameters: [] });
  const setTo = async (settings: object, who = mine) => {
    const file = path('set.task.json', who);
    await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), settings }));
  };
  const settings = async () => (await app.client.ai_tasks.get(1)).task.settings;
  await ok('task pull set');
  await setTo({ retry: { attempts: 3 }, limits: { host_cals: 5 } });
  await refused('task push', /set\.task\.json: settings\.limits: .*host_cals/);
  await setTo({ error_handler: { task_id: 1 } });
  await refused('task push', /set\.task\.json: settings: .*error_handler/);
  await setTo({ retry: { attempts: 3 }, limits: { host_calls: 5 } });
  assert.match(await ok('task status'), /same as version 1, approved; settings changed here\n$/);
  assert.match(await ok('task diff'), /^\+\s+"attempts": 3$/m);
  assert.equal(await ok('task push'), 'set: task 1, unchanged, settings changed: version 1, approved\n');
  assert.equal(await ok('task push'), 'set: task 1, unchanged: version 1, approved\n');
  assert.deepEqual([(await settings()).retry.attempts, (await settings()).limits], [3, { host_calls: 5 }]);

  assert.equal(await ok('task pull set', colleague), 'set: task 1, version 1, approved\n');
  const pulled = JSON.parse(await readFile(path('set.task.json', colleague), 'utf8'));
  assert.deepEqual(pulled.settings, { limits: { host_calls: 5 }, retry: { attempts: 3 } });
  await app.client.ai_tasks.update(1, { settings: { on_interrupt: 'resume' } });
  await setTo({ retry: { attempts: 4 } }, colleague);
  assert.match(await ok('task pull set', colleague), /; no newer version on the server, and changed here\n$/);
  await ok('task push set', colleague);
  const kept = await settings();
  assert.deepEqual([kept.retry.attempts, kept.limits, kept.on_interrupt], [4, { host_calls: 5 }, 'resume']);
  assert.equal(await ok('task pull set'), 'set: task 1, version 1, approved\n');
  const mineNow = JSON.parse(await readFile(path('set.task.json'), 'utf8'));
  assert.deepEqual(mineNow.settings, { limits: { host_calls: 5 }, on_interrupt: 'resume', retry: { attempts: 4 } });
  await setTo({ limits: { cpu_seconds: 3601 } });
  await refused('task push', /settings\.limits\.cpu_seconds/);
  await ok('task pull set --force');
  await setTo({ limits: { host_calls: null } });
  assert.equal(await ok('task push'), 'set: task 1, unchanged, settings changed: version 1, approved\n');
  assert.deepEqual((await settings()).limits, {});
  assert.equal(await ok('task push'), 'set: task 1, unchanged: version 1, approved\n');
});

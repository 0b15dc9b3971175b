import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { connectShop } from '../../cli/remote-shop.ts';
import { buildMissingApp, buildMissingConsole } from '../../ops/missing-builds.ts';
import { limitMemory } from '../helpers/memory-limit.ts';
import { PROJECT } from '../helpers/npm-start.ts';

/** The whole of it in half a gigabyte: npm, the demo with its sample shop, the server, the runner, its workers, and their runs. */

const LIMIT = 512 * 1024 * 1024;
const RUNS = 10;
/** The usual heap of a task is 64 MiB. One run fills most of it, the others read the shop. */
const HUNGRY =
  'const kept = []; for (let i = 0; i < 40; i++) kept.push(new Uint8Array(2 ** 20).fill(i)); export default () => kept.length;';
const READING = "await admin.orders.list({ per_page: 100 }); log('read');";
("const { items } = await admin.orders.list({ per_page: 100 }); log('read', items.length); export default () => items.length;");

const limit = limitMemory(LIMIT);

test('npm run demo and ten runs of tasks need no more than half a gigabyte', {
  timeout: 600_000,
  skip: typeof limit === 'string' && `no limit of memory can be set here: ${limit}`,
}, async (t) => {
  if (typeof limit === 'string') return;
  t.after(limit.remove);
  const say = (line: string): void => t.diagnostic(line);
  // Who installs it on so small a machine builds it there, too, but once; the build tool of the console alone takes half of the memory.
  await buildMissingApp(say);
  await buildMissingConsole(say);
  const [program = '', ...args] = [...limit.prefix, 'npm', 'run', 'demo'];
  const child = spawn(program, args, {
    cwd: PROJECT,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const exited = once(child, 'exit');
  const found = new Map<string, string>();
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    const [, name, value] = /^ {2}(URL|Token) +(\S+)/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) found.set(name, value);
    if (found.size === 2) break;
  }
  child.stdout.resume();
  const [url, token] = [found.get('URL'), found.get('Token')];
  assert.ok(url && token, lines.join('\n'));

  const shop = connectShop(url, token);
  await shop.client.settings.update({ approval_policy: 'author' });
  const push = async (name: string, source: string): Promise<number> => {
    const permissions = ['admin_api.orders.read'];
    return (await shop.client.ai_tasks.create({ name, description: '', source_code: source, permissions, parameters: [] })).task_id;
  };
  const tasks = [await push('Hungry', HUNGRY), await push('Reading', READING)];
  const started = await Promise.all(
    Array.from({ length: RUNS }, async (_, n) => {
      const taskId = tasks[n === 0 ? 0 : 1] ?? 0;
      return { taskId, runId: (await shop.client.ai_tasks.start_run(taskId, {})).run_id };
    }),
  );
  for (const { taskId, runId } of started) {
    const { status, error } = await shop.followRun(taskId, runId, () => undefined);
    assert.equal(status, 'success', error ?? '');
  }
  assert.equal(limit.kills(), 0, 'the kernel killed a process for its memory');
  t.diagnostic(`at most ${Math.round(limit.peakBytes() / 2 ** 20)} MiB, files in memory among them`);
  // As a terminal does: npm does not pass it on, and then ends by it itself.
  process.kill(-(child.pid ?? assert.fail()), 'SIGINT');
  await exited;
});

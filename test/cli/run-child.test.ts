import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runChild } from '../../cli/run-child.js';

const MODULE = new URL('../../cli/run-child.js', import.meta.url).href;
const LAUNCHER = fileURLToPath(new URL('../../cli/backroom.js', import.meta.url));

test('the exit code is that of the child, or 128 + n if signal n ended it', async () => {
  assert.equal(await runChild(process.execPath, ['-e', '']), 0);
  assert.equal(await runChild(process.execPath, ['-e', 'process.exitCode = 3']), 3);
  assert.equal(await runChild(process.execPath, ['-e', `process.kill(process.pid, 'SIGKILL')`]), 128 + 9);
  await assert.rejects(runChild('/no/such/program', []), { code: 'ENOENT' });
});

test('SIGTERM is passed on to the child, which decides how it ends', async () => {
  const deaf = await startParent(`process.stdout.write('ready'); setTimeout(() => {}, 60_000)`);
  deaf.kill('SIGTERM');
  assert.equal(await codeOf(deaf), 128 + 15);
  const tidy = await startParent(
    `process.on('SIGTERM', () => process.exit(7)); process.stdout.write('ready'); setTimeout(() => {}, 60_000)`,
  );
  tidy.kill('SIGTERM');
  assert.equal(await codeOf(tidy), 7);
});

test('Ctrl-C reaches the child once, and the parent waits for it', async () => {
  const parent = await startParent(`let interrupts = 0;
    process.on('SIGINT', () => process.stdout.write('interrupted' + ++interrupts));
    process.on('SIGTERM', () => process.exit(10 + interrupts));
    process.stdout.write('ready'); setTimeout(() => {}, 60_000)`);
  // A terminal sends the signal to every process of the group.
  process.kill(-(parent.pid ?? assert.fail('it has no id')), 'SIGINT');
  await outputOf(parent);
  parent.kill('SIGTERM');
  assert.equal(await codeOf(parent), 11);
});

test('the launcher on an older Node.js, which cannot run TypeScript, starts the project’s Node.js', () => {
  const older = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '20.1.0' })`;
  const launch = (...args: string[]) =>
    spawnSync(process.execPath, ['--no-strip-types', '--import', older, LAUNCHER, ...args], { encoding: 'utf8' });
  const listed = launch('task', 'list', '--dir', fileURLToPath(new URL('../../tasks-examples', import.meta.url)));
  assert.deepEqual([listed.status, listed.stderr], [0, '']);
  assert.match(listed.stdout, /^low-stock-report$/m);
  const wrong = launch('frobnicate');
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /^"frobnicate" is not a command/);
});

/** Starts a process that runs this code in a child; both are in their own group. Resolves when the child has written something. */
async function startParent(code: string): Promise<ChildProcess> {
  const source = `import { runChild } from '${MODULE}';
    process.exitCode = await runChild(process.execPath, ['-e', ${JSON.stringify(code)}]);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', source], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  await outputOf(parent);
  return parent;
}

async function outputOf(child: ChildProcess): Promise<void> {
  await once(child.stdout ?? assert.fail('it has no output'), 'data');
}

async function codeOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

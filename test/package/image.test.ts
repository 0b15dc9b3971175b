import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { dockerImage, dockerStages } from '../helpers/dockerfile.ts';
import { startProgram } from '../helpers/programs.ts';
import { bytesBelow, type Installed, installPackage } from './installed.ts';

/** The images, put together by the steps of the Dockerfile without an engine, and run as it says. Needs Debian, and tini and bubblewrap. */

const MOST_BYTES = 250_000_000;
const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const TOKEN = 'owner-token-of-the-image-0123456789';
const RUNNER_TOKEN = 'runner-token-of-the-image-0123456789';

let shop: Installed;
let root: string;
const layers: Record<string, number> = {};
before(() => {
  shop = installPackage();
  const folder = mkdtempSync(join(tmpdir(), 'backroom-image-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  root = join(folder, 'root');
  const cwd = join(folder, 'app');
  mkdirSync(cwd);
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(PROJECT, name), join(cwd, name));
  const steps = dockerStages().find(({ name }) => name === 'dependencies')?.steps ?? [];
  const [, packages = ''] = /^PACKAGES="(.*)"$/.exec(steps.find(({ word }) => word === 'ARG')?.rest ?? '') ?? [];
  for (const { word, rest } of steps)
    if (word === 'RUN') shop.run(rest.replace('sh /', `sh ${PROJECT}tools/`), { cwd, env: { PACKAGES: packages }, fetches: true });
  shop.run(`sh ${PROJECT}tools/image-root.sh '${root}'`);
  layers['system'] = bytesBelow(root);
  layers['packages'] = bytesBelow(join(cwd, 'node_modules'));
  renameSync(join(cwd, 'node_modules'), join(root, 'app/node_modules'));
  shop.run(`tar -xzf '${shop.tarball}' -C '${cwd}'`);
  layers['program'] = bytesBelow(join(cwd, 'package'));
  shop.run(`cp -r '${cwd}/package/.' '${root}/app'`);
});

/** Starts the image's own command as its user, with a root that may not be written. */
function start(t: TestContext, name: 'server' | 'runner', env: Record<string, string>) {
  const image = dockerImage(name);
  const [uid = '', gid = ''] = image.user?.split(':') ?? [];
  const data = mkdtempSync(join(tmpdir(), 'backroom-image-data-'));
  t.after(() => rmSync(data, { recursive: true, force: true }));
  const command: string[] = [...JSON.parse(image.last('ENTRYPOINT')), ...JSON.parse(image.last('CMD'))];
  const set = Object.entries({ ...Object.fromEntries(image.env), ...env }).flatMap(([key, value]) => ['--setenv', key, value]);
  mkdirSync(join(root, 'data'), { recursive: true });
  const program = startProgram(
    [
      ...['bwrap', '--die-with-parent', '--unshare-user', '--unshare-pid', '--uid', uid, '--gid', gid, '--clearenv', ...set],
      ...['--ro-bind', root, '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', '--bind', data, '/data', '--chdir', '/app', '--'],
      ...command,
    ],
    { env: { PATH: process.env['PATH'] ?? '' } },
  );
  t.after(async () => {
    program.child.kill('SIGKILL');
    await program.exited;
  });
  return program;
}

test('the layers of an image are at most 250 MB', () => {
  const sum = Object.values(layers).reduce((bytes, one) => bytes + one, 0);
  const told = Object.entries({ ...layers, sum }).map(([name, bytes]) => `${name} ${(bytes / 1_000_000).toFixed(1)} MB`);
  process.stdout.write(`layers of the images: ${told.join(', ')}\n`);
  assert.ok(sum <= MOST_BYTES, told.join(', '));
});

test('the image has the licence of each Debian package that it has files of, and a record of it for scanners', () => {
  const recorded = readdirSync(join(root, 'var/lib/dpkg/status.d'));
  assert.ok(recorded.includes('util-linux') && recorded.includes('bubblewrap'), recorded.join());
  for (const name of recorded) assert.ok(existsSync(join(root, 'usr/share/doc', name, 'copyright')), name);
});

test('server and runner start from the images as their users, and a task runs behind the layers that the image requires', async (t) => {
  const server = start(t, 'server', { HOST: '127.0.0.1', PORT: '0', BOOTSTRAP_ADMIN_TOKEN: TOKEN, RUNNER_TOKEN });
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(await server.line(/http:\/\/127\.0\.0\.1:\d+/)) ?? [];
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  assert.match(await (await fetch(url, { headers: { accept: 'text/html' } })).text(), /<div id="root">/);
  const runner = start(t, 'runner', { SERVER_URL: url, RUNNER_TOKEN, RUNNER_HEALTH_PORT: '0' });
  await runner.line(/"msg":"the runner is ready to claim runs"/);
  const ran = shop.run('npx backroom task run low-stock-report --dir node_modules/backroom/tasks-examples', {
    env: { SERVER_URL: url, BACKROOM_TOKEN: TOKEN },
  });
  assert.match(ran, /success/);
});

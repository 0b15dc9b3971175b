import assert from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { connect } from '../../client/index.ts';
import { faultsOfSbom } from '../../tools/release/sbom.ts';
import { startBrowser } from '../console/browser.ts';
import { makeOrder } from '../helpers/builders.ts';
import { until } from '../helpers/machines.ts';
import { shownOf } from '../helpers/pdf-text.ts';
import { IN_TERMINAL } from '../helpers/programs.ts';
import { type Installed, installPackage } from './installed.ts';

/** What somebody meets who has the package alone: no clone, no tools of the project. */

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const MOST_BYTES = 100_000_000;

let shop: Installed;
before(() => {
  shop = installPackage();
});

/** `lsof` of the poor: the processes that were started below the folder and still run. */
const processesOf = (folder: string): string[] =>
  globSync('/proc/[0-9]*/cmdline').flatMap((file) => {
    try {
      const line = readFileSync(file, 'utf8').replaceAll('\0', ' ');
      return line.includes(folder) ? [line] : [];
    } catch {
      return [];
    }
  });

test('the package has programs, types, console and documents, and no source that Node would have to run', () => {
  const own = join(shop.folder, 'node_modules/backroom');
  const files = globSync('**', { cwd: own, withFileTypes: true }).filter((entry) => entry.isFile());
  const sources = files
    .map((entry) => join(entry.parentPath, entry.name).slice(own.length + 1))
    .filter((path) => /(?<!\.d)\.tsx?$/.test(path) && !path.startsWith('tasks-examples/'));
  // Agents read it as the reference of what scripts may use.
  assert.deepEqual(sources, ['sandbox-lib/index.ts']);
  for (const path of [
    'dist/console/index.html',
    'dist/app/package/server-main.js',
    'dist/types/sandbox-lib/testing.d.ts',
    'docs/tasks.md',
    'LICENSE',
  ])
    assert.ok(existsSync(join(own, path)), path);
  const { dependencies } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
  for (const name of ['stripe', 'openai', '@aws-sdk/client-s3'])
    assert.ok(!(name in dependencies) && !existsSync(join(shop.folder, 'node_modules', name)));
  const mb = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
  process.stdout.write(
    `packed ${mb(shop.tarballBytes)}, installed ${mb(shop.installedBytes)} in ${shop.installSeconds.toFixed(1)} s from a warm cache\n`,
  );
  assert.ok(shop.installedBytes <= MOST_BYTES, mb(shop.installedBytes));
});

test('its bill of materials is valid, and has all that npm installs and all that is bundled; each licence is told', () => {
  const own = join(shop.folder, 'node_modules/backroom');
  const bom = JSON.parse(readFileSync(join(own, 'dist/sbom.cdx.json'), 'utf8'));
  assert.deepEqual(faultsOfSbom(bom), []);
  const Component = z.object({ name: z.string(), version: z.string(), properties: z.array(z.object({ value: z.string() })) });
  const listed = z.array(Component).parse(bom.components);
  const ways = new Map(listed.map(({ name, version, properties }) => [`${name}@${version}`, properties.map(({ value }) => value)]));
  const manifests = globSync(
    ['node_modules/*/package.json', 'node_modules/@*/*/package.json', 'node_modules/*/node_modules/*/package.json'],
    {
      cwd: shop.folder,
    },
  );
  const installed = manifests
    .map((file) => JSON.parse(readFileSync(join(shop.folder, file), 'utf8')))
    .filter(({ name }) => name !== 'backroom');
  assert.ok(installed.length > 20);
  for (const { name, version } of installed) assert.ok(ways.get(`${name}@${version}`)?.includes('installed'), `${name}@${version}`);
  const licences = readFileSync(join(own, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
  // Of the server, scripts, workers, the client, the console, its editor, the documentation, and fonts.
  const bundled = [
    'koa',
    'core-js-pure',
    'zod',
    'react',
    '@codemirror/view',
    'vue',
    '@fontsource/dejavu-sans',
    '@fontsource-variable/geist',
  ];
  for (const name of bundled) {
    const { version } = listed.find((one) => one.name === name) ?? assert.fail(name);
    assert.ok(ways.get(`${name}@${version}`)?.includes('bundled'), name);
    assert.ok(licences.includes(`- ${name} ${version} (`), name);
  }
  const { version } = JSON.parse(readFileSync(join(PROJECT, 'console/editor/node_modules/typescript/package.json'), 'utf8'));
  assert.deepEqual(ways.get(`typescript@${version}`), ['bundled']);
});

test('an older Node gets one line, before anything is loaded', () => {
  const older = `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"24.1.0"})`;
  const told = shop.run(`node --import '${older}' node_modules/backroom/cli/backroom.js demo`, { code: 1 });
  assert.equal(told, 'Backroom needs Node.js 26 or newer, and this is 24.1.0: install a newer one from https://nodejs.org\n');
});

test('without a terminal, npx backroom starts the demo; its link signs in to the console; Ctrl-C ends all of it', async (t) => {
  const began = performance.now();
  const demo = shop.start(['npx', 'backroom'], { PORT: '0' });
  t.after(() => shop.signal(demo, 'SIGKILL'));
  const address = new URL((await demo.line(/^Open http/)).slice('Open '.length));
  process.stdout.write(`the demo shows its link after ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
  const browser = await startBrowser();
  t.after(() => browser.close());
  const page = await browser.open(address.origin, { path: address.href.slice(address.origin.length), token: null });
  await page.getByRole('heading', { name: 'Needs a person' }).waitFor();
  await page.getByText('The plan of “Cancel unpaid orders” can be applied').waitFor();
  await page.done();
  // Its letters need a font that the package has; the PDF is made by what was bundled.
  const [, token = ''] = /^ {2}Token {2}(\S+)$/m.exec(demo.output()) ?? [];
  const { api } = connect({ url: address.origin, token });
  const { id } = await makeOrder({ client: api }, { customer_name: 'Őrsi Tűnde' });
  const { shipment } = await api.orders.create_shipment(id);
  const { label_url: label } = await api.orders.buy_label(id, shipment.id, { courier_id: 'express', courier_name: 'Express' });
  const pdf = Buffer.from(await (await fetch(new URL(label ?? '', address))).arrayBuffer());
  assert.ok(shownOf(pdf).some(({ text }) => text.includes('Őrsi Tűnde')));
  shop.signal(demo, 'SIGINT');
  await demo.exited;
  await until('no process of the demo is left', () => processesOf(shop.folder).length === 0);
});

test('in a terminal, npx backroom asks which shop; one’s own opens signed in, is kept, and is what it offers next time', async (t) => {
  const opened = join(shop.folder, 'opened.txt');
  shop.place('xdg-open', `#!/bin/sh\nprintf '%s\\n' "$1" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`);
  const env = { PORT: '0', DISPLAY: ':99', TERM: 'xterm' };
  const first = shop.start([...IN_TERMINAL, 'npx', 'backroom'], env);
  t.after(() => shop.signal(first, 'SIGKILL'));
  await first.line(/2 {2}your own: empty at first/);
  first.child.stdin.write('2\r');
  await first.line(/This address signs in once/);
  await until('the browser is opened', () => existsSync(opened));
  const address = readFileSync(opened, 'utf8').trim();
  assert.ok(first.output().includes(`Open ${address}`), first.output());
  const redeemed = await fetch(new URL('/admin/api/sign-in', address), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: new URL(address).hash.slice(1) }),
  });
  assert.equal(redeemed.status, 201);
  first.child.stdin.write('\x03');
  await first.exited;
  await until('no process of the shop is left', () => processesOf(shop.folder).length === 0);
  assert.ok(existsSync(join(shop.folder, 'data/backroom.db')));

  const second = shop.start([...IN_TERMINAL, 'npx', 'backroom'], env);
  t.after(() => shop.signal(second, 'SIGKILL'));
  await second.line(/2 {2}your own: the one that is kept in this folder/);
  second.child.stdin.write('\x03');
  await second.exited;
});

test('a project of tasks is checked by types, tested, and pushed to a shop', async (t) => {
  shop.run('npx backroom init tasks-of-shop');
  const cwd = join(shop.folder, 'tasks-of-shop');
  const manifest = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'));
  assert.equal(manifest.name, 'tasks-of-shop');
  shop.run(`npm install --no-audit --no-fund --loglevel=error --save-dev '${shop.tarball}'`, {
    cwd,
    fetches: true,
  });
  shop.run('npm run --silent check', { cwd });
  assert.match(shop.run('npm test', { cwd }), /pass 1\n/);

  const source = join(cwd, 'tasks/count-orders.ts');
  const text = readFileSync(source, 'utf8');
  writeFileSync(source, text.replace('  return', "  await admin.orders.update_status(1, { status: 'cancelled' });\n  return"));
  assert.match(shop.run('npm run --silent check', { cwd, code: 1 }), /PermissionNotDeclared<"admin_api\.orders\.write">/);
  writeFileSync(source, text);

  mkdirSync(join(shop.folder, 'own'));
  const token = 'owner-token-of-the-package-0123456789';
  const server = shop.start(['npx', 'backroom', 'start'], { PORT: '0', BOOTSTRAP_ADMIN_TOKEN: token, DATA_DIR: join(shop.folder, 'own') });
  t.after(() => shop.signal(server, 'SIGKILL'));
  const [url = ''] = /http:\S+/.exec(await server.line(/^Backroom is at http/)) ?? [];
  const login = { SERVER_URL: url, BACKROOM_TOKEN: token };
  assert.match(shop.run('npm run push', { cwd, env: login }), /count-orders/);
  const ran = shop.run('npx backroom task run count-orders --dir tasks', { cwd, env: login });
  assert.match(ran, /success/);
  // The typed client, as TypeScript reads it and as Node runs it.
  writeFileSync(
    join(cwd, 'who.ts'),
    `import { connect } from 'backroom/client';
const { api } = connect({ url: process.env['SERVER_URL'] ?? '', token: process.env['BACKROOM_TOKEN'] ?? '' });
const me: { role: 'owner' | 'staff' } = await api.me.get();
await api.customers.create({ email: 'ann@example.com', name: 'Ann' });
const names: string[] = [];
for await (const { name } of api.customers.each()) names.push(name);
process.stdout.write(\`\${me.role} \${names.join()}\n\`);
`,
  );
  shop.run('npx tsc --noEmit --strict --module nodenext --target es2024 --types node who.ts', { cwd });
  assert.equal(shop.run('node who.ts', { cwd, env: login }), 'owner Ann\n');
  assert.match(shop.run('npx backroom init .', { cwd, code: 1 }), /package\.json.* are already there: nothing was written\n$/);
  shop.signal(server, 'SIGINT');
  await server.exited;
});

test('what only some shops need is asked for in one line where it is configured and missing', () => {
  const start = 'node node_modules/backroom/ops/run.js server/main';
  const told = shop.run(start, { env: { STRIPE_SECRET_KEY: 'sk_test_x' }, code: 2 });
  assert.equal(told, 'for payments with Stripe the package stripe is needed and not installed: npm install stripe\n');
});

test('the doctor tells the layers of the sandbox, with the package’s own worker', () => {
  const told = shop.run('npx backroom doctor');
  assert.match(told, /^ {2}active {3}process /m);
});

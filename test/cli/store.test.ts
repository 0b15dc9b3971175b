import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { startApp, type TestApp } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { openCommandLine } from '../helpers/command-line.ts';
import { createDatabase, stopPostgres } from '../helpers/stores.ts';

const { type, folder } = openCommandLine();
let app: TestApp;
before(async () => {
  app = await startApp('sqlite');
});
after(async () => {
  await app.close();
  await stopPostgres();
});
const of = (url: string) => ({ env: { DATABASE_URL: `sqlite:${url}` } });

test('db backup makes a complete copy of the store of a running server: another server can start on it', async () => {
  const { id: customerId } = await makeCustomer(app);
  const target = join(folder, 'copy.db');
  // The server writes meanwhile, and the copy must show one moment.
  let writing = true;
  const writes = (async () => {
    while (writing) await app.client.customers.create_note(customerId, { body: 'again' });
  })();
  const made = await type(['db', 'backup', 'copy.db'], of(app.databaseUrl));
  writing = false;
  await writes;
  assert.deepEqual([made.code, made.stderr], [0, '']);
  assert.match(made.stdout, /copy\.db: \d+ bytes\nUploaded files are not in it: copy .* as well\.\n$/);
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('copy')),
    ['copy.db'],
  );
  assert.equal((await stat(target)).mode & 0o077, 0, 'only its owner may read it');
  const second = await startApp('sqlite', { databaseUrl: target });
  try {
    assert.equal((await second.client.customers.get(customerId)).id, customerId);
    assert.ok((await app.client.customers.list_notes(customerId)).length >= (await second.client.customers.list_notes(customerId)).length);
  } finally {
    await second.close();
  }
});

test('the folder of a new store is open to its owner alone', async () => {
  const made = await type(['db', 'migrate'], { env: { DATA_DIR: join(folder, 'new', 'shop') } });
  assert.equal(made.code, 0, made.stderr);
  assert.equal((await stat(join(folder, 'new', 'shop'))).mode & 0o077, 0);
});

test('admin sign-in-link needs no token: its address signs in once, as the first owner or the admin of an email', async () => {
  const colleague = await app.client.admins.create({ name: 'Ida', email: 'ida@example.test', role: 'staff', permissions: [] });
  const link = (...args: string[]) => type(['admin', 'sign-in-link', '--server', 'http://shop.test', ...args], of(app.databaseUrl));
  const signIn = async (address: string) => {
    assert.match(address, /^http:\/\/shop\.test\/sign-in#\w+\n$/);
    return app.client.me.redeem_sign_in_link({ code: address.trim().split('#')[1] ?? '' });
  };
  const first = await link();
  assert.deepEqual([first.code, /^Works once, until /.test(first.stderr)], [0, true], first.stderr);
  assert.equal((await signIn(first.stdout)).admin.id, (await app.client.me.get()).id);
  await assert.rejects(signIn(first.stdout), /invalid_code/);
  const named = await link('--email', ' IDA@example.test');
  assert.deepEqual((await signIn(named.stdout)).admin, { id: colleague.id, name: 'Ida' });

  assert.deepEqual(await link('--email', 'nobody@example.test'), {
    code: 1,
    stdout: '',
    stderr: 'No admin has the email nobody@example.test.\n',
  });
  assert.match((await link('--minutes', '61')).stderr, /^--minutes is "61": a whole number from 1 to 60 is expected\./);
  await app.client.admins.update(colleague.id, { active: false });
  assert.match((await link('--email', 'ida@example.test')).stderr, /is deactivated/);
  const nowhere = await type(['admin', 'sign-in-link'], of(join(folder, 'no-shop.db')));
  assert.match(nowhere.stderr, /^There is no shop in .*no-shop\.db yet: start it first/);
});

test('db check finds nothing wrong with a running shop and its copy, and names what is wrong with a file or the database itself', async () => {
  await app.client.files.create({ file: { filename: 'a.pdf', content: '%PDF-1.7', content_type: 'application/pdf' } });
  const shop = { env: { DATABASE_URL: `sqlite:${app.databaseUrl}`, DATA_DIR: dirname(app.filesDir) } };
  const check = (at = shop) => type(['db', 'check'], at);
  const good = await check();
  assert.deepEqual([good.code, good.stderr], [0, '']);
  assert.match(good.stdout, /^ok {4}the file of the database is whole\n(ok {4}.+\n){10,}$/);

  const [key = ''] = (await readdir(app.filesDir, { recursive: true })).filter((name) => /[0-9a-f]{40}$/.test(name));
  const bytes = join(app.filesDir, key);
  const orphan = bytes.replace(/.{32}$/, 'f'.repeat(32)).replace(/[0-9a-f]{2}(?=\/[0-9a-f]{40}$)/, 'ff');
  await mkdir(dirname(orphan), { recursive: true });
  await rename(bytes, orphan);
  await utimes(orphan, 0, 0);
  const lost = await check();
  assert.equal(lost.code, 1);
  assert.match(lost.stdout, /^WRONG every file that was stored is there, whole\n {8}file [0-9a-f]{40}: is missing$/m);
  assert.match(lost.stdout, /^WRONG every file belongs to something\n {8}file [0-9a-f]{8}f{32} belongs to nothing$/m);
  await rename(orphan, bytes);
  assert.equal((await check()).code, 0);

  await type(['db', 'backup', 'spoilt.db', '--force'], shop);
  const spoilt = join(folder, 'spoilt.db');
  const pages = await readFile(spoilt);
  // Every page in the middle of the file but the schema's is filled with nonsense.
  pages.fill(0x5a, Math.ceil(pages.length / 8192) * 4096, pages.length - 4096);
  await writeFile(spoilt, pages);
  const broken = await check({ env: { ...shop.env, DATABASE_URL: `sqlite:${spoilt}` } });
  assert.equal(broken.code, 1);
  assert.match(broken.stdout + broken.stderr, /WRONG the file of the database is whole|malformed/);

  await writeFile(join(folder, 'empty.db'), '');
  const empty = await check({ env: { ...shop.env, DATABASE_URL: `sqlite:${join(folder, 'empty.db')}` } });
  assert.deepEqual([empty.code, empty.stdout], [1, '']);
  assert.match(empty.stderr, /^the store has no schema yet, or is not one of this program: backroom db migrate makes it\n$/);
  assert.equal((await check({ env: { ...shop.env, DATABASE_URL: `sqlite:${join(folder, 'none.db')}` } })).code, 1);
});

test('db backup replaces a file only with --force, and names every other error', async () => {
  await writeFile(join(folder, 'precious'), 'not to be lost');
  const there = await type(['db', 'backup', 'precious'], of(app.databaseUrl));
  assert.equal(there.code, 1);
  assert.match(there.stderr, /precious is already there: give another FILE, or --force to replace it\n$/);
  assert.equal((await stat(join(folder, 'precious'))).size, 14);
  assert.equal((await type(['db', 'backup', 'precious', '--force'], of(app.databaseUrl))).code, 0);
  assert.ok((await stat(join(folder, 'precious'))).size > 10_000);
  for (const [args, env, code, message] of [
    [['backup', '.', '--force'], of(app.databaseUrl), 2, /is a folder: give another FILE\n$/],
    [['backup', app.databaseUrl, '--force'], of(app.databaseUrl), 2, /is the store itself: give another FILE\n$/],
    [['backup', 'x.db'], of(join(folder, 'none.db')), 1, /^there is no store at .*none\.db: name it by DATA_DIR or DATABASE_URL\n$/],
    [['backup', 'no/such/x.db'], of(app.databaseUrl), 1, /^the backup failed: .*\n$/],
    [
      ['backup', 'x.db'],
      { env: { DATABASE_URL: 'postgres://u:secret@h/d' } },
      2,
      /^the store is in PostgreSQL: make its backup with pg_dump.*\n$/,
    ],
    [['backup', 'x.db'], { env: { DATABASE_URL: 'mysql:x' } }, 2, /^DATABASE_URL is not valid: .*\n$/],
    [['migrate', 'now'], of(app.databaseUrl), 2, /^backroom db migrate takes no argument\n$/],
  ] as const) {
    const typed = await type(['db', ...args], env);
    assert.equal(typed.code, code, typed.stderr);
    assert.match(typed.stderr, message);
    assert.ok(!typed.stderr.includes('secret'));
  }
  assert.deepEqual(
    (await readdir(folder)).sort().filter((name) => name.includes('x.db') || name.includes('none')),
    [],
  );
});

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`db migrate brings an empty store to the newest schema, and changes nothing the second time (${engine})`, async () => {
    const { url, drop } = await createDatabase(engine, { empty: true });
    try {
      const options = engine === 'sqlite' ? of(url) : { env: { DATABASE_URL: url } };
      assert.match((await type(['db', 'check'], options)).stderr, /^(there is no store at|the store has no schema yet)/);
      const first = await type(['db', 'migrate'], options);
      assert.deepEqual([first.code, first.stderr], [0, '']);
      assert.match(first.stdout, /^Applied: 0001-baseline\n$/);
      assert.equal((await type(['db', 'migrate'], options)).stdout, 'The store has the newest schema already.\n');
      const checked = await type(['db', 'check'], options);
      assert.deepEqual([checked.code, checked.stdout.includes('WRONG'), checked.stderr], [0, false, '']);
    } finally {
      await drop();
    }
  });
}

test('admin create stores an admin with a valid token', async () => {
  const made = await type(
    ['admin', 'create', '--email', 'ann@example.com', '--permission', 'admin_api.orders.read', '--token'],
    of(app.databaseUrl),
  );
  assert.equal(made.code, 0, made.stderr);
  const [, token = ''] = /^Access token, shown once: (\S+)$/m.exec(made.stdout) ?? [];
  assert.equal((await app.clientFor(token).me.get()).email, 'ann@example.com');
  const wrong = await type(['admin', 'create', '--email', 'nobody']);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /^--email must be an email address\.\n\nbackroom admin create --email ADDRESS/);
});

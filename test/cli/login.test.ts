import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { OWNER_TOKEN, startApp, type TestApp } from '../helpers/app.ts';
import { openCommandLine } from '../helpers/command-line.ts';

const person = openCommandLine();
const { type, config } = person;
const file = join(config, 'backroom', 'login.json');
let app: TestApp;
before(async () => {
  app = await startApp('sqlite');
});
after(() => app.close());

test('login stores server and token in a file that only the user can read; commands then need neither', async () => {
  // The folder existed before and is readable by all users.
  await mkdir(join(config, 'backroom'), { recursive: true });
  await chmod(join(config, 'backroom'), 0o755);
  const typed = await type(['login', '--server', `${app.url}/`], { input: `${OWNER_TOKEN}\n` });
  assert.deepEqual([typed.code, typed.stderr], [0, '']);
  assert.match(typed.stdout, /^Logged in to http:\S+ as Owner \(owner\); stored in .*login\.json\n$/);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await stat(join(config, 'backroom'))).mode & 0o777, 0o700);
  assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), { server: app.url, token: OWNER_TOKEN });

  const made = await type(['token', 'create', '--name', 'ci', '--permission', 'admin_api.orders.read', '--days', '3']);
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stderr, /"ci" expires \d{4}-.* and may admin_api\.orders\.read; it is shown once:\n$/);
  const token = made.stdout.trim();
  assert.equal((await app.clientFor(token).orders.list()).total, 0);
  await assert.rejects(app.clientFor(token).customers.list(), { status: 403 });
});

test('sign-in-link prints an address that signs in once as the admin of the token', async () => {
  const made = await type(['sign-in-link', '--minutes', '5']);
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stderr, /^Works once, until \d{4}-.*:\n$/);
  const address = new URL(made.stdout.trim());
  assert.deepEqual([address.origin, address.pathname], [app.url, '/sign-in']);
  const { token } = await app.client.me.redeem_sign_in_link({ code: address.hash.slice(1) });
  assert.equal((await app.clientFor(token ?? '').me.get()).name, 'Owner');
  const wrong = await type(['sign-in-link', '--minutes', '61']);
  assert.deepEqual([wrong.code, wrong.stdout], [1, '']);
  assert.match(wrong.stderr, /expires_in_minutes/);
});

test('options win over the environment, and the environment over the login; a token is sent only to its own server', async () => {
  const asked: (string | undefined)[] = [];
  const other = createServer((request, answer) => {
    asked.push(request.headers.authorization);
    answer.end('<html>');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const address = other.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  try {
    const none = await type(['task', 'pull', '1', '--server', url]);
    assert.deepEqual([none.code, asked], [1, []], none.stderr);
    assert.match(none.stderr, /^no token is known for http:\S+: log in .*--token or BACKROOM_TOKEN\n$/);
    const env = { SERVER_URL: url, BACKROOM_TOKEN: 'of-the-environment' };
    await type(['task', 'pull', '1'], { env });
    await type(['task', 'pull', '1', '--token', 'given'], { env });
    assert.deepEqual(asked, ['Bearer of-the-environment', 'Bearer given']);
    const back = await type(['task', 'pull', '1', '--server', app.url], { env });
    assert.match(back.stderr, /^the token is not accepted by the server \(401/);
  } finally {
    other.close();
  }
});

test('a wrong token is neither stored nor shown; one line says what is wrong', async () => {
  const secret = 'a-wrong-token-0123456789';
  const kept = await readFile(file, 'utf8');
  for (const [args, code, message] of [
    [['login', '--server', app.url, '--token', secret], 1, /^the token is not accepted by the server \(401 unauthorized\): log in .*\n$/],
    [
      ['login', '--server', 'ftp://x', '--token', secret],
      2,
      /^"ftp:\/\/x" is not the address of a server: an address such as http:.* is expected\n$/,
    ],
    [['login', '--server', app.url], 2, /^no token was given: .*--token or BACKROOM_TOKEN\n$/],
    [['login', '--server', 'http://127.0.0.1:9', '--token', secret], 1, /^the server http:.* cannot be reached.*: is it running.*\n$/],
    [['login', '--server', `${app.url}/nothing`, '--token', secret], 1, /404/],
    [['task', 'pull', '1', '--token', secret], 1, /^the token is not accepted/],
    [['token', 'create'], 2, /^--name is missing.*\n$/],
    [['token', 'create', '--name', 'x', '--permission', 'orders'], 2, /^--permission orders is not known; accepted are: .*\n$/],
    [['token', 'create', '--name', 'x', '--days', '1.5'], 2, /^--days is "1.5": a whole number above 0 is expected\n$/],
    [['token', 'create', '--name', 'x', '--days', '400'], 1, /^422 .*days.*\n$/],
  ] as const) {
    const typed = await type(args);
    assert.equal(typed.code, code, `${args.join(' ')}: ${typed.stderr}`);
    assert.match(typed.stderr, message);
    assert.equal(typed.stderr.split('\n').length, 2, typed.stderr);
    assert.ok(!`${typed.stdout}${typed.stderr}`.includes(secret));
  }
  assert.equal(await readFile(file, 'utf8'), kept);
});

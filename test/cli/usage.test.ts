import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { openCommandLine } from '../helpers/command-line.ts';

const { type } = openCommandLine({ SERVER_URL: 'http://127.0.0.1:9', BACKROOM_TOKEN: 'none-is-asked' });

test('every listed command prints its options', async () => {
  const listed = await type(['--help']);
  assert.equal(listed.code, 0);
  const names = [...listed.stdout.matchAll(/^ {2}backroom (\w+(?: \w+)?) {2}/gm)].map((match) => match[1] ?? '');
  for (const name of ['login', 'task new', 'task pull', 'task push', 'task diff', 'task status', 'task run', 'task replay', 'run watch']) {
    assert.ok(names.includes(name), name);
  }
  assert.ok(names.length >= 15, names.join());
  await Promise.all(
    names.map(async (name) => {
      const help = await type([...name.split(' '), '--help']);
      assert.deepEqual([help.code, help.stderr], [0, ''], name);
      assert.match(help.stdout, new RegExp(`^backroom ${name}\\b.*\n  \\w`));
    }),
  );
});

test('a wrong command line ends with one line that names what is accepted, and code 2', async () => {
  const lines = [
    ['frobnicate', /^"frobnicate" is not a command; there are: start, demo, init, login, doctor, task new, .*\n$/],
    ['task frob', /^"task frob" is not a command; there are: task new, .*task replay.*\n$/],
    ['task push --colour red', /^Unknown option '--colour'; accepted are --server, --token, --dir, --force, --yes, --note, --help\n$/],
    ['task run', /^NAME or TASK_ID must be given; nothing was given\n$/],
    ['task run a b', /^NAME or TASK_ID must be given; 2 were given: a b\n$/],
    ['task run a --set x', /^--set x: KEY=VALUE is expected\n$/],
    ['task run none', /^there is no task "none" in \. .*; there is none\n$/],
    ['task push', /^there is no task in \.: backroom task new NAME makes one.*\n$/],
    ['task new ../x', /^"\.\.\/x" is not accepted as the name of a task's files: 1 to 100 letters, digits, - and _ are, .*\n$/],
    ['task run 3 --draft', /^--draft needs the NAME of a task in the folder, not a TASK_ID\n$/],
    ['task run a --draft --note x', /^--draft pushes nothing: --force and --note cannot be used with it\n$/],
    ['task replay a 0', /^RUN_ID is "0": a whole number above 0 is expected\n$/],
    ['task replay 3 1 --push', /^--push needs the NAME of a task.*\n$/],
    ['task pull --all x', /^--all and a NAME cannot be used together\n$/],
    ['run watch 1', /^TASK_ID and RUN_ID must be given; 1 were given: 1\n$/],
    ['db backup', /^exactly one file is expected: backroom db backup FILE \[--force\]\n$/],
    ['db copy shop', /^FROM and TO are expected, each a folder, sqlite:FILE or postgres:.*: backroom db copy FROM TO \[--verify\]\n$/],
    ['db copy a b', /^both stores are in SQLite: use backroom db backup FILE; .*\n$/],
    ['db import nowhere', /^the source "nowhere" is unknown; use: backroom db import online-retail FILE.*\n$/],
  ] as const;
  await Promise.all(
    lines.map(async ([line, message]) => {
      const typed = await type(line.split(' '));
      assert.equal(typed.code, 2, `${line}: ${typed.stderr}`);
      assert.match(typed.stderr, message);
      assert.equal(typed.stdout, '');
    }),
  );
  const words = await type(['task']);
  assert.deepEqual([words.code, words.stdout], [2, '']);
  assert.match(words.stderr, /backroom task push/);
  const missing = await type(['task', 'list', '--dir', 'nowhere']);
  assert.deepEqual([missing.code, missing.stderr], [1, 'the folder nowhere cannot be read (ENOENT)\n']);
});

test('the launcher starts the same command line', async () => {
  const child = spawn(process.execPath, ['cli/backroom.js', 'task', 'list', '--dir', 'tasks-examples'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  assert.equal(child.exitCode, 0);
  assert.match(output, /^low-stock-report$/m);
});

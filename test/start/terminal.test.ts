import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { request } from 'undici';
import { allStats, readProc } from '../../runner/isolation/proc.ts';
import { until } from '../helpers/machines.ts';
import { npmStart } from '../helpers/npm-start.ts';
import { IN_TERMINAL } from '../helpers/programs.ts';

/** What `npm start` shows a person, and what `backroom admin sign-in-link` does without a token. */

const NAME = `terminal-${process.pid}`;

const processesLeft = (): number[] =>
  allStats().flatMap(({ pid }) => (readProc(pid, 'environ')?.includes(`RUNNER_NAME=${NAME}`) ? [pid] : []));

async function signIn(address: string): Promise<{ status: number; role?: string }> {
  const { origin, hash } = new URL(address);
  const headers = { 'content-type': 'application/json' };
  const redeemed = await request(`${origin}/admin/api/sign-in`, { method: 'POST', headers, body: JSON.stringify({ code: hash.slice(1) }) });
  const made = Object(await redeemed.body.json());
  if (redeemed.statusCode !== 201) return { status: redeemed.statusCode };
  const me = await request(`${origin}/admin/api/me`, { headers: { authorization: `Bearer ${made.token}` } });
  return { status: 201, role: Object(await me.body.json()).role };
}

test('in a terminal the start prints no JSON, the first token on lines of its own, and last an address that signs in once', {
  timeout: 300_000,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'backroom-terminal-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { child, exited, line, output } = npmStart(
    t,
    { DATA_DIR: folder, RUNNER_NAME: NAME, BOOTSTRAP_ADMIN_TOKEN: '', CI: 'yes' },
    IN_TERMINAL,
  );
  await line(/This address signs in once/);
  const shown = output().replaceAll('\r', '');
  assert.doesNotMatch(shown, /^\{/m);
  assert.match(shown, /shown once:\n\n {2}pat_1_\w+\n\n/);
  const address = /^Open (\S+)$/m.exec(shown)?.[1] ?? assert.fail(shown);
  assert.deepEqual(await signIn(address), { status: 201, role: 'owner' });
  assert.equal((await signIn(address)).status, 422);

  // The terminal is closed. The start gets SIGHUP and ends its parts.
  child.kill('SIGKILL');
  await exited;
  await until('no process of the start is left', () => processesLeft().length === 0);
});

test('LOG_FORMAT=json keeps the log as it is in a terminal, and prints no address that signs in', { timeout: 300_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'backroom-terminal-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { line, output } = npmStart(t, { DATA_DIR: folder, LOG_FORMAT: 'json', CI: 'yes' }, IN_TERMINAL);
  await line(/"msg":"the runner is ready to claim runs"/);
  assert.doesNotMatch(output(), /sign-in#/);
});

test('--open opens the browser also where the log is JSON, or says that there is none; the address is in no log', {
  timeout: 300_000,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'backroom-open-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const opened = join(folder, 'opened');
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\nprintf '%s' "$1" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`, {
    mode: 0o755,
  });
  const env = { DATA_DIR: folder, LOG_FORMAT: 'json', PATH: `${folder}:${process.env['PATH']}` };
  const seen = npmStart(t, { ...env, DISPLAY: ':99' }, [], ['--open']);
  await seen.line(/^The browser is opened; it is signed in as the first owner\.$/);
  await until('the browser is opened', () => existsSync(opened));
  assert.deepEqual(await signIn(readFileSync(opened, 'utf8')), { status: 201, role: 'owner' });
  assert.doesNotMatch(seen.output(), /sign-in#/);
  seen.child.kill('SIGINT');
  await seen.exited;
  const blind = npmStart(t, env, [], ['--open']);
  await blind.line(/^--open: there is no screen here to open a browser on; `backroom admin sign-in-link` prints an address/);
  assert.doesNotMatch(blind.output(), /sign-in#/);
});

test('a LOG_FORMAT that is unknown stops the start with one line', { timeout: 300_000 }, async (t) => {
  const { exited, output } = npmStart(t, { LOG_FORMAT: 'xml' });
  assert.equal(await exited, 1);
  assert.equal(output(), 'LOG_FORMAT is "xml": expected json or text');
});

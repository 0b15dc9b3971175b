import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { showProgress } from '../../cli/progress-bar.ts';
import { connectShop } from '../../cli/remote-shop.ts';
import { showRun } from '../../cli/run-screen.ts';
import { oneLine, print } from '../../cli/screen.ts';
import { OWNER_TOKEN, startApp, type TestApp } from '../helpers/app.ts';
import { openCommandLine } from '../helpers/command-line.ts';

/** Text that somebody else wrote must not control the terminal of the person who reads it. */

const [ESC, BEL, CSI] = ['\u001b', '\u0007', '\u009b'];
/** Control sequences: set the clipboard, the window's title, clear the screen, the same in one character, go back, change the direction. */
const EVIL = `a${ESC}]52;c;ZXZpbA==${BEL}b${ESC}]0;t${ESC}\\c${ESC}[2Jd${CSI}2Je\rf\u0008\u007f\u202eg\u2028h`;
const STEERS = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u;

const STYLES = new RegExp(`${ESC}\\[(?:1|2|22|31|32|39)m`, 'g');

const mine = openCommandLine();
let app: TestApp;
let taskId: number;
let runId: number;
before(async () => {
  app = await startApp('sqlite');
  const { client } = app;
  const made = await client.ai_tasks.create({
    name: EVIL,
    description: EVIL,
    source_code: `// ${EVIL}\n?`,
    permissions: [],
    parameters: [],
  });
  taskId = made.task_id;
  runId = (await client.ai_tasks.start_run(taskId, { executor: 'external' })).run_id;
  await client.ai_tasks.append_run_events(taskId, runId, {
    events: [
      { kind: 'log', line: `${EVIL}\n  success in 1.0 s` },
      { kind: 'progress', current: 1, total: 2, label: EVIL },
      { kind: 'result', status: EVIL, item: `${EVIL}\n  forged 2`, details: { [EVIL]: EVIL } },
      { kind: 'finalize', status: 'failed', error_message: `${EVIL}\n  success` },
    ],
  });
});
after(() => app.close());

const env = () => ({ SERVER_URL: app.url, BACKROOM_TOKEN: OWNER_TOKEN });
async function type(...args: string[]) {
  const typed = await mine.type(args, { env: env() });
  assert.doesNotMatch(typed.stdout + typed.stderr, STEERS, args.join(' '));
  return typed;
}

test('a run is shown without control characters, and its lines cannot look like lines of the command', async () => {
  const { stdout } = await type('run', 'watch', String(taskId), String(runId));
  assert.match(stdout, /a\ufffd\]52;c;ZXZpbA==\ufffdb/);
  const failed = stdout.indexOf('\n  failed in ');
  assert.ok(failed > 0, stdout);
  assert.doesNotMatch(stdout, /^ {0,2}(success|forged)/m);

  const screen = { isTTY: true, text: '', write: (text: string) => (screen.text += text) };
  await showRun(connectShop(app.url, OWNER_TOKEN), taskId, runId, screen);
  const own = screen.text.replaceAll('\r\u001b[K', '').replaceAll(STYLES, '');
  assert.doesNotMatch(own, STEERS);
  assert.ok(screen.text.includes(`${ESC}[31mfailed`));
});

test('names, sources, questions and errors of the server are printed without control characters too', async () => {
  await type('task', 'pull', String(taskId), '--as', 'evil');
  await writeFile(join(mine.folder, 'evil.ts'), `// ${EVIL} edited`);
  assert.match((await type('task', 'diff', 'evil')).stdout, /^ \/\/ a‹U\+001B›\]52[\s\S]*^\+h edited/m);
  assert.match((await type('task', 'push', 'evil')).stderr, /evil is not pushed/);
  assert.equal((await type('task', 'push', 'evil', '--yes')).code, 0);
  await mkdir(join(mine.folder, 'other'));
  await writeFile(
    join(mine.folder, 'other/evil.task.json'),
    JSON.stringify({ name: EVIL, description: '', permissions: [], parameters: [] }),
  );
  await writeFile(join(mine.folder, 'other/evil.ts'), '');
  assert.match((await type('task', 'push', 'evil', '--dir', 'other')).stderr, /the server has task \d+ "a\ufffd\]52/);
  // The folder came from somebody else.
  await writeFile(join(mine.folder, `other/${EVIL.replaceAll('/', '')}.task.json`), EVIL);
  assert.match((await type('task', 'list', '--dir', 'other')).stdout, /a\ufffd/);
  await type('task', 'status', '--dir', 'other');
  await writeFile(join(mine.folder, 'other/evil.task.json'), `{"name": "${EVIL}`);
  assert.equal((await type('task', 'push', 'evil', '--dir', 'other')).code, 1);
  assert.ok((await readdir(mine.folder)).includes('evil.ts'));
});

test('the answers of a foreign server are printed without control characters', async () => {
  const answers: { status: number; body: unknown }[] = [
    { status: 422, body: { type: EVIL, title: EVIL, status: 422, code: EVIL, detail: EVIL, instance: '/', request_id: '1', errors: [] } },
    { status: 200, body: { id: 1, name: EVIL, email: EVIL, role: EVIL } },
    { status: 500, body: EVIL },
  ];
  const server = createServer((_, response) => {
    const { status, body } = answers[0] ?? { status: 500, body: '' };
    response.writeHead(status, { 'content-type': 'application/json' }).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert(typeof address === 'object' && address);
  const SERVER_URL = `http://127.0.0.1:${address.port}`;
  for (; answers.length > 0; answers.shift()) {
    const { code, stdout, stderr } = await mine.type(['login'], { env: { SERVER_URL, BACKROOM_TOKEN: 'some-token' } });
    assert.notEqual(stdout + stderr, '');
    assert.doesNotMatch(stdout + stderr, STEERS);
    assert.equal(code, answers[0]?.status === 200 ? code : 1);
  }
  await new Promise((resolve) => server.close(resolve));
});

test('a terminal gets the command’s own styles and progress bar, and no control characters from texts', () => {
  const screen = { isTTY: true, text: '', write: (text: string) => (screen.text += text) };
  print(screen, `${ESC}[1mbold${ESC}[22m ${ESC}[5mblinks ${ESC}[1;31mmore ${EVIL} ${ESC}`);
  assert.ok(screen.text.startsWith(`${ESC}[1mbold${ESC}[22m \ufffd[5mblinks \ufffd[1;31mmore `), screen.text);
  assert.doesNotMatch(screen.text.replaceAll(STYLES, ''), STEERS);
  screen.text = '';
  const bar = showProgress(screen);
  bar.update(oneLine(`${EVIL}\n`), 1);
  bar.line(EVIL);
  bar.end();
  assert.doesNotMatch(screen.text.replaceAll('\r\u001b[K', ''), STEERS);
  const pipe = { text: '', write: (text: string) => (pipe.text += text) };
  print(pipe, `${ESC}[1mx${ESC}[22m`);
  assert.equal(pipe.text, '\ufffd[1mx\ufffd[22m');
  assert.equal(oneLine('Ünïcode 👩‍💻 ok\n\ttab'), 'Ünïcode 👩‍💻 ok  tab');
});

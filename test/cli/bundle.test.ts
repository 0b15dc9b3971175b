import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, before, test } from 'node:test';
import { confirm } from '../../cli/confirm.ts';
import { loadTask } from '../../cli/task-files.ts';
import { OWNER_TOKEN, startApp, type TestApp } from '../helpers/app.ts';
import { openCommandLine } from '../helpers/command-line.ts';
import { runScript } from '../helpers/worker.ts';

/** A source that somebody else wrote must not be able to send anything from the machine of the person who pushes it. */

const CANARY = 'canary-of-the-owner';
const mine = openCommandLine();
const tasks = join(mine.folder, 'tasks');
let app: TestApp;
before(async () => {
  app = await startApp('sqlite');
  const json = JSON.stringify({ server: 'http://127.0.0.1:1', token: CANARY });
  await put('../config/backroom/login.json', json);
  await put('../config/library/index.js', `module.exports = '${CANARY}';`);
  await put('.cache/hidden.json', json);
  await put('node_modules/.cache/tool.json', json);
  await put('node_modules/.pnpm/deep@1.0.0/node_modules/deep/index.js', "module.exports = 'of pnpm';\n");
  await symlink('.pnpm/deep@1.0.0/node_modules/deep', join(tasks, 'node_modules/deep'));
  await put('secret.txt', CANARY);
  await put('helper.ts', "export const sign: string = 'Ann';\nexport default sign;\n");
  await put('data.json', '{"answer": 42}');
  await put('node_modules/polite/package.json', '{"name": "polite", "main": "index.js", "browser": {"./gone.js": false, "fs": false}}');
  await put(
    'node_modules/polite/index.js',
    "exports.greet = (name) => 'Dear ' + name; exports.gone = [require('./gone.js'), require('fs')];\n",
  );
  await put('node_modules/polite/gone.js', "module.exports = 'for Node alone';\n");
  await put(
    'node_modules/nameless/package.json',
    '{"name": "nameless", "browser": {"./inspect.js": false, "./lib": false, "./own.js": "./missing.js", "./never.js": false}}',
  );
  await put(
    'node_modules/nameless/index.js',
    "module.exports = [require('./inspect'), require('./lib'), require('./own'), require('./never'), typeof eval, [eval].length];\n",
  );
  await put('node_modules/nameless/inspect.js', "module.exports = 'for Node alone';\n");
  await put('node_modules/nameless/lib/index.js', "module.exports = 'for Node alone';\n");
  await put('node_modules/nameless/own.js', "module.exports = 'its own';\n");
  await put('node_modules/named/package.json', '{"name": "named", "exports": "./../../../config/backroom/login.json"}');
  await put('node_modules/main/package.json', '{"name": "main", "main": "../../../config/backroom/login.json"}');
  await put('node_modules/mapped/package.json', '{"name": "mapped", "browser": {"./a.js": "../../../config/backroom/login.json"}}');
  await put('node_modules/mapped/index.js', "module.exports = require('./a.js');\n");
  await put('node_modules/mapped/a.js', 'module.exports = 1;\n');
  await put(
    'package.json',
    '{"name": "self", "imports": {"#login": "./../config/backroom/login.json"}, "exports": {"./helper": "./helper.ts"}}',
  );
  const secretPath = '{"compilerOptions": {"paths": {"secret": ["../config/backroom/login.json"]}}}';
  await put('base.json', secretPath);
  await put('tsconfig.json', '{"extends": "./base.json"}');
  await symlink(join(mine.config, 'backroom/login.json'), join(tasks, 'link.json'));
  await symlink(join(mine.config, 'backroom'), join(tasks, 'folder'));
  await symlink(join(mine.config, 'backroom'), join(tasks, 'node_modules/linked'));
  await symlink(join(mine.config, 'backroom/login.json'), join(tasks, 'whole.ts'));
  await put('whole.task.json', meta('whole'));
});
after(() => app.close());

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(tasks, path)), { recursive: true });
  await writeFile(join(tasks, path), text);
}
const meta = (name: string): string => JSON.stringify({ name, description: '', permissions: [], parameters: [] });
async function write(name: string, source: string): Promise<void> {
  await put(`${name}.task.json`, meta(name));
  await put(`${name}.ts`, source);
}
const type = (args: readonly string[]) =>
  mine.type([...args, '--dir', 'tasks'], { env: { SERVER_URL: app.url, BACKROOM_TOKEN: OWNER_TOKEN, NODE_PATH: mine.config } });
const pushAs = (name: string, source_code: string) =>
  app.client.ai_tasks.create({ name, description: '', source_code, permissions: [], parameters: [] });

const OUTSIDE = /lies outside the task's folder \(.*\); accepted are \.ts, .*\.json of the task's folder and its node_modules$/;
const ADDRESS = /is an address; accepted are/;
const REFUSED: readonly (readonly [what: string, imports: string, why: RegExp])[] = [
  ['a path that leads out', "'../config/backroom/login.json'", OUTSIDE],
  ['the same, written otherwise', "'./helper.ts/../../config//backroom/./login.json'", /Could not resolve|outside/],
  ['an absolute path', `'${mine.config}/backroom/login.json'`, OUTSIDE],
  ['a file: URL', `'file://${mine.config}/backroom/login.json'`, ADDRESS],
  ['a data: URL', "'data:text/javascript,export default 1'", ADDRESS],
  ['an https: URL', "'https://example.com/a.js'", ADDRESS],
  ['a link to a file', "'./link.json'", OUTSIDE],
  ['a link to a folder', "'./folder/login.json'", OUTSIDE],
  ['a package that is a link', "'linked/login.json'", OUTSIDE],
  ['a path through a package', "'polite/../../../config/backroom/login.json'", /outside/],
  ["a package's main", "'main'", OUTSIDE],
  ["a package's exports", "'named'", /Could not resolve|outside/],
  ["a package's browser map", "'mapped'", OUTSIDE],
  ["the folder's own imports map", "'#login'", /Could not resolve|outside/],
  ["paths of the folder's tsconfig", "'secret'", /Could not resolve "secret"/],
  ['a folder of NODE_PATH', "'library'", /Could not resolve "library"/],
  ['a hidden file', "'./.cache/hidden.json'", /hidden\.json is hidden; accepted are/],
  ['a hidden file among the packages', "'.cache/tool.json'", /tool\.json is hidden/],
  ['what is no code', "'./secret.txt'", /secret\.txt is not imported as code; accepted are/],
  ['code as a text', "'./helper.ts' with { type: 'text' }", /helper\.ts is not imported as code/],
  ['a folder', "'./node_modules'", /Could not resolve/],
];

test('an import from outside the folder, or of a file that is not code, is not bundled, whatever path leads there', async () => {
  process.env['NODE_PATH'] = mine.config;
  try {
    for (const [what, imports, why] of REFUSED) {
      await write('thief', `import x from ${imports};\nexport default () => x;\n`);
      const said = await loadTask(tasks, 'thief').then(
        ({ source_code }) => source_code,
        (error) => String(error.message),
      );
      assert.match(said, why, what);
      assert.ok(!said.includes(CANARY), what);
    }
  } finally {
    delete process.env['NODE_PATH'];
  }
  for (const asked of [
    "import('../config/backroom/login.json')",
    `import(\`../config/backroom/\${name}.json\`)`,
    "require('../config/backroom/login.json')",
  ]) {
    await write('thief', `import 'polite';\nexport default async (name) => ${asked};\n`);
    await assert.rejects(loadTask(tasks, 'thief'), OUTSIDE, asked);
  }
  await assert.rejects(loadTask(tasks, 'whole'), /whole\.ts is a link to .*login\.json, outside the task's folder/);
});

test('code and JSON of the folder and its packages are bundled as for a browser', async () => {
  await write(
    'honest',
    "import { greet, gone } from 'polite';\nimport { sign } from './helper.ts';\nimport data from './data.json' with { type: 'json' };\nimport deep from 'deep';\nexport default () => [greet(sign), gone, data.answer, deep];\n",
  );
  const { source_code } = await loadTask(tasks, 'honest');
  assert.match(source_code, /Dear .*Ann/s);
  assert.match(source_code, /answer: 42/);
  assert.match(source_code, /of pnpm/);
  assert.doesNotMatch(source_code, /for Node alone/);
});

test('a package may name what it disables for browsers without its ending, or a folder, or a file that is not there', async () => {
  await write('nameless', "import parts from 'nameless';\nexport default () => parts;\n");
  const { source_code } = await loadTask(tasks, 'nameless');
  assert.doesNotMatch(source_code, /for Node alone/);
  assert.deepEqual((await runScript(source_code)).result, [{}, {}, 'its own', {}, 'undefined', 1]);
});

test('what only Node has is named as such', async () => {
  await put('node_modules/noded/index.js', "module.exports = require('events');\n");
  await write('noded', "import noded from 'noded';\nexport default () => noded;\n");
  await assert.rejects(
    loadTask(tasks, 'noded'),
    /noded\/index\.js:1: Could not resolve "events", a module of Node, which the sandbox does not have; a package/,
  );
});

test('dynamic imports are part of the bundle; an import that only Node has is refused when it is reached', async () => {
  await put('node_modules/lazy/package.json', '{"name": "lazy", "type": "module", "main": "index.js"}');
  await put(
    'node_modules/lazy/index.js',
    "export const tried = () => import('node:zlib').catch((error) => error.message);\nexport const own = () => import('./own.js');\n",
  );
  await put('node_modules/lazy/own.js', "export const name = 'its own';\n");
  await write('lazy', "import { tried, own } from 'lazy';\nexport default async () => [await tried(), (await own()).name];\n");
  const { source_code } = await loadTask(tasks, 'lazy');
  assert.doesNotMatch(source_code, /import\(/);
  const { result } = await runScript(source_code);
  assert.deepEqual(result, ['node:zlib is a module of Node, which the sandbox does not have', 'its own']);
});

test('a source that came from the server cannot import files of the folder, and is pushed only after the user agreed to its diff', async () => {
  const evil = (path: string): string => `import x from '${path}';\nexport default () => x;\n`;
  const { task_id: id } = await pushAs('from staff', evil('../config/backroom/login.json'));
  const pulled = await type(['task', 'pull', String(id), '--as', 'staff']);
  assert.equal(pulled.code, 0, pulled.stderr);
  const asItIs = await type(['task', 'push', 'staff']);
  assert.match(asItIs.stdout, /^staff: task \d+, unchanged: version 1/, asItIs.stderr);
  // Other permissions alone do not make the source the user's own: nobody has looked at it.
  await put(
    'staff.task.json',
    (await readFile(join(tasks, 'staff.task.json'), 'utf8')).replace('"permissions": []', '"permissions": ["llm"]'),
  );
  const permitted = await type(['task', 'push', 'staff']);
  assert.match(permitted.stdout, /^staff: task \d+, new version: version 2, approved\n {2}\+ llm\n$/, permitted.stderr);

  const versions = async (): Promise<string[]> => {
    const { versions: all } = await app.client.ai_tasks.get(id);
    return Promise.all(all.map(async (version) => (await app.client.ai_tasks.get_version(id, version.id)).source_code));
  };
  for (const path of ['../config/backroom/login.json', './data.json', './helper.ts', 'self/helper', 'polite/../../data.json']) {
    await put('staff.ts', `${evil(path)}// edited\n`);
    await assert.rejects(loadTask(tasks, 'staff'), /came from the server and imports|lies outside|Could not resolve/, path);
  }
  for (const line of [
    ['task', 'push', 'staff', '--yes', '--force'],
    ['task', 'run', 'staff', '--yes'],
  ]) {
    const { code, stderr } = await type(line);
    assert.deepEqual([code, /staff\.ts came from the server and imports/.test(stderr)], [1, true], stderr);
  }
  await put('staff.ts', `import polite from 'polite';\nconst n = await import(\`./dat\${polite.a}.json\`);\nexport default () => n;\n`);
  await assert.rejects(loadTask(tasks, 'staff'), /staff\.ts came from the server and imports "\.\/dat\*\.json": /);
  // The user's own source cannot import it either.
  await write('own', "import './staff.ts';\n");
  await put('staff.ts', "import data from './data.json';\nexport default data;\n");
  await assert.rejects(loadTask(tasks, 'own'), /staff\.ts came from the server and imports "\.\/data\.json"/);
  assert.equal((await versions()).length, 2);

  await put('staff.ts', "export default () => 'mended';\n");
  const unasked = await type(['task', 'push', 'staff']);
  assert.deepEqual([unasked.code, (await versions()).length], [1, 2]);
  assert.match(unasked.stdout, /^staff: its source came from the server; it differs from the newest version .*\n@@ .*\n(-.*\n)+\+.*mended/);
  assert.match(
    unasked.stderr,
    /^staff is not pushed: its source came from the server, and nobody can be asked here; --yes pushes it as it is shown\n$/,
  );
  const agreed = await type(['task', 'push', 'staff', '--yes']);
  assert.match(agreed.stdout, /\n\+.*mended.*\n(.*\n)*staff: task \d+, new version: version 3, approved\n/, agreed.stderr);
  // From then on the source counts as the text of the user who pushed it, until the next pull.
  await put('staff.ts', "import { sign } from './helper.ts';\nexport default () => sign;\n");
  assert.match((await type(['task', 'push', 'staff'])).stdout, /^staff: task \d+, new version: version 4/);
  await app.client.ai_tasks.create_version(id, { source_code: evil('./data.json'), permissions: [], parameters: [] });
  assert.equal((await type(['task', 'pull', 'staff'])).code, 0);
  await put('staff.ts', `${evil('./data.json')}\n`);
  await assert.rejects(loadTask(tasks, 'staff'), /staff\.ts came from the server/);
  assert.equal(
    (await type(['task', 'pull', 'staff', '--force'])).code,
    0,
    'a pull must be able to replace a source that cannot be bundled',
  );
});

test('pull overwrites only files of tasks, and follows no link that leads out of the folder', async () => {
  const { task_id: id } = await pushAs('Helper', "log('not yours');");
  const before = await readFile(join(tasks, 'helper.ts'), 'utf8');
  const all = await type(['task', 'pull', String(id)]);
  assert.equal(all.code, 1);
  assert.match(
    all.stderr,
    /^tasks\/helper\.ts exists and belongs to no task: --as NAME gives the files of task \d+ another name, --force overwrites/,
  );
  assert.equal(await readFile(join(tasks, 'helper.ts'), 'utf8'), before);

  await symlink(join(mine.folder, '.bashrc'), join(tasks, 'dangling.ts'));
  await put('../config/rc', 'kept');
  await symlink(join(mine.config, 'rc'), join(tasks, 'rc.permissions.ts'));
  for (const name of ['whole', 'dangling', 'rc']) {
    const { code, stderr } = await type(['task', 'pull', String(id), '--as', name, '--force']);
    assert.equal(code, 1, name);
    assert.match(stderr, /is a link .*only files in the folder are accepted\n$/, name);
  }
  assert.ok((await readFile(join(mine.config, 'backroom/login.json'), 'utf8')).includes(CANARY));
  await assert.rejects(readFile(join(mine.folder, '.bashrc')), /ENOENT/);
});

test('only the answer yes counts as agreement', async () => {
  for (const [typed, isYes] of [
    ['y\n', true],
    [' YES \n', true],
    ['n\n', false],
    ['\n', false],
    ['yy\n', false],
    ['', false],
  ] as const) {
    const input = new PassThrough();
    input.end(typed);
    assert.equal(await confirm('Push?', input, new PassThrough()), isYes, typed);
  }
});

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PART_FLAGS } from '../../ops/processes.ts';
import { readUsers } from '../../ops/users.ts';
import { ELSEWHERE } from '../../site/navigation.ts';
import { dockerImage, dockerStages, isGivenToBuilder } from '../helpers/dockerfile.ts';

/** The container images: what is in them, as which user they run, and how they tell their health. No engine is needed. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest: Record<'scripts' | 'devDependencies' | 'peerDependencies', Record<string, string>> & { files: string[] } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const system = dockerStages().find(({ name }) => name === 'system')?.steps ?? [];
const images = ['server', 'runner', 'all-in-one'] as const;

/** The files that the builds of the package read: imports of values, and paths of the project that they name. */
function readBy(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/^(import|export) type [^;]*;/gms, '');
  const relative = [...text.matchAll(/(?:from|import|import\(|URL\()\s*'(\.\.?\/[^']+\.(?:ts|js))'/g)].map(([, path = '']) =>
    normalize(join(dirname(file), path)),
  );
  const named = [...text.matchAll(/'((?:ops|tools|runner|server|sandbox-lib)\/[^'.]+)(?:\.ts)?'/g)].map(([, path = '']) => `${path}.ts`);
  return [...relative, ...named].filter((path) => existsSync(join(root, path)));
}

const needed = new Set([
  ...[
    'tools/build-package.ts',
    'tools/image-prune.sh',
    'tools/image-root.sh',
    'tools/package-types.json',
    'tools/package-sandbox-types.json',
    'tools/editor-worker.ts',
    'console/vite.config.ts',
    'tsconfig.json',
  ],
  ...['sandbox-lib/bootstrap.ts', 'sandbox-lib/index.ts', 'sandbox-lib/testing.ts', 'client/index.ts', 'runner/worker/main.ts'],
  ...['ops/run.js', 'ops/healthy.js', 'cli/backroom.js', 'package.json', 'package-lock.json', 'console/editor/package.json'],
  ...['tools/build-docs.ts', 'site/package.json', 'site/.vitepress/config.ts', 'site/.vitepress/theme/index.ts', ...Object.keys(ELSEWHERE)],
]);
for (const file of needed) if (/\.(ts|js)$/.test(file)) for (const path of readBy(file)) needed.add(path);

test('what the package is built of is given to the builder, and the images have the package alone', () => {
  assert.ok(
    needed.size > 700 && needed.has('ops/secrets.ts') && needed.has('server/db/migrations/0001-baseline.ts'),
    `${needed.size} files`,
  );
  assert.deepEqual(
    [...needed].filter((file) => !isGivenToBuilder(file)),
    [],
  );
  for (const path of manifest.files.filter((name) => !name.startsWith('!') && !name.startsWith('dist/')))
    for (const file of globSync(path, { cwd: root })) assert.ok(isGivenToBuilder(file), file);
  const copied = dockerImage('program').steps.filter(({ word }) => word === 'COPY');
  assert.deepEqual(
    copied.map(({ rest }) => rest),
    [
      '--from=system /image /',
      '--from=system /usr/local/LICENSE /usr/share/doc/nodejs/copyright',
      '--from=dependencies /app/node_modules ./node_modules',
      '--from=package /package ./',
    ],
  );
});

test('no tests, benchmarks, data or folders of packages are given to the builder, but what makes the examples of the API, and no command that the package does not need', () => {
  const files = globSync('**', { cwd: root, exclude: ({ name }) => ['node_modules', '.git', 'dist'].includes(name), withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length));
  const given = files.filter(isGivenToBuilder);
  assert.ok(given.length > 1000, `${given.length} of ${files.length}`);
  assert.deepEqual(
    given.filter((file) =>
      /^(test(?!\/helpers\/)|bench|deploy(?!\/README\.md)|data)\/|^(?!tasks-examples\/).*\.test\.ts$|\.env$/.test(file),
    ),
    [],
  );
  assert.deepEqual(
    given.filter((file) => /^(ops|tools)\//.test(file) && !needed.has(file)),
    [],
  );
  for (const path of [
    'node_modules/koa/index.js',
    'console/editor/node_modules/x.js',
    'dist/console/index.html',
    'data/backroom.db',
    '.git/HEAD',
  ])
    assert.equal(isGivenToBuilder(path), false, path);
});

test('only the packages of production are in the images, of one base, and what only some shops use as it is tested', () => {
  const stages = dockerStages();
  assert.equal(stages.at(-1)?.name, 'all-in-one');
  const steps = stages.find(({ name }) => name === 'dependencies')?.steps ?? [];
  assert.ok(steps.some(({ rest }) => rest === 'npm ci --omit=dev'));
  const optional = Object.keys(manifest.peerDependencies).map((name) => `${name}@${manifest.devDependencies[name]}`);
  assert.equal(steps.find(({ word }) => word === 'ARG')?.rest, `PACKAGES="${optional.join(' ')}"`);
  for (const name of images) {
    const { base, last, env } = dockerImage(name);
    assert.equal(base, 'scratch');
    assert.equal(env.get('NODE_ENV'), 'production');
    assert.equal(last('ENTRYPOINT'), '["/usr/bin/tini", "--"]');
    for (const command of [last('CMD'), last('HEALTHCHECK')])
      assert.match(command, /"ops\/run\.js", "(server\/main|runner\/main|ops\/start)"|"ops\/healthy\.js", "\d+"/);
  }
});

test('each part has a user of its own, which is not root; all in one starts as root and becomes the same users', () => {
  const { steps, env } = dockerImage('all-in-one');
  const made = [...steps, ...system].flatMap(({ rest }) =>
    [...rest.matchAll(/useradd --uid (\d+).*? (\w+)(?= &&|$)/g)].map(([, id, name]) => [name, id]),
  );
  assert.deepEqual(Object.fromEntries(made), { backroom: '10001', runner: '10002', worker: '10003' });
  assert.equal(dockerImage('server').user, '10001:10001');
  assert.equal(dockerImage('runner').user, '10002:10002');
  assert.equal(dockerImage('all-in-one').user, null);
  assert.equal(env.get('START_USERS'), '10001,10002,10003');
  const users = readUsers('10001,10002,10003');
  if (process.getuid?.() === 0) assert.ok(users !== null && !('problem' in users) && users.workerUid === 10003);
});

test('nobody but the server’s user reads its data, and a runner requires its layers of isolation and has what makes them', () => {
  for (const name of ['server', 'all-in-one']) {
    const { steps, env } = dockerImage(name);
    assert.equal(env.get('DATA_DIR'), '/data');
    assert.ok(steps.some(({ rest }) => rest.includes("fs.mkdirSync('/data', { mode: 0o700 }); fs.chownSync('/data', 10001, 10001)")));
  }
  for (const [name, layers] of [
    ['runner', 'process,rlimits,no_new_privs,unprivileged,namespaces,network,filesystem'],
    ['all-in-one', 'process,no_new_privs,unprivileged,filesystem'],
  ] as const) {
    const { steps, env } = dockerImage(name);
    assert.equal(env.get('RUNNER_ISOLATION_REQUIRED'), layers);
    assert.ok(steps.some(({ rest }) => rest === '--from=system /image /'));
    assert.ok(system.some(({ rest }) => /apt-get install .*\bbubblewrap\b/.test(rest)));
  }
});

test('a part has the same options of Node.js wherever it is started', () => {
  for (const [name, image] of [
    ['server', 'server'],
    ['runner', 'runner'],
    ['start', 'all-in-one'],
  ] as const) {
    const command: string[] = JSON.parse(dockerImage(image).last('CMD'));
    assert.equal(command.join(' '), manifest.scripts[name]);
    if (name !== 'start') assert.ok(manifest.scripts[name]?.includes(` ${PART_FLAGS[name].join(' ')} ops/run.js `), name);
    assert.equal(dockerImage(image).env.get('MALLOC_ARENA_MAX'), '2');
  }
});

test('the health check of each part asks the port that it has', () => {
  const server = dockerImage('server');
  assert.match(server.last('HEALTHCHECK'), /"8787", "\/healthz"/);
  assert.equal(server.last('EXPOSE'), '8787');
  const runner = dockerImage('runner');
  assert.match(runner.last('HEALTHCHECK'), new RegExp(`"${runner.env.get('RUNNER_HEALTH_PORT')}", "/readyz"`));
  assert.ok(!runner.steps.some(({ word }) => word === 'EXPOSE' || word === 'VOLUME'));
});

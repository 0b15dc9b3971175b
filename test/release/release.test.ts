import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { carryOut, type Release, StepFailed } from '../../tools/release/carry-out.ts';
import { provenanceOf } from '../../tools/release/provenance.ts';
import { obstacleTo, publish } from '../../tools/release/publish.ts';
import { ROOT } from '../../tools/release/shipped.ts';

/** The command that makes a release: its list, its statement, and what a registry gets. */

const release: Release = { dryRun: true, registry: null, provenance: true, startedOn: new Date(), command: 'npm run release -- --dry-run' };
let folder: string;
let tarball: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'backroom-release-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'backroom', version: '7.8.9', license: 'MIT' }));
  spawnSync('npm', ['pack', '--silent'], { cwd: folder });
  tarball = join(folder, 'backroom-7.8.9.tgz');
});
after(() => rmSync(folder, { recursive: true }));

test('each step is told in a line with its seconds; after one that fails, none is begun, and the code is 1', async () => {
  const lines: string[] = [];
  const step = (name: string, work: () => string) => ({ name, carryOut: async () => work() });
  const fail = () => {
    throw new StepFailed('the sky is green');
  };
  const all = [step('look', () => 'it is blue'), step('look again', fail), step('paint', () => 'painted')];
  assert.equal(await carryOut(all, release, (line) => lines.push(line)), 1);
  assert.deepEqual(
    lines.map((line) => line.replaceAll(/ +\d+\.\d s /g, ' N s ')),
    ['ok     look N s  it is blue', 'FAILED look again N s  the sky is green', 'not begun: paint'],
  );
  assert.equal(await carryOut(all.slice(0, 1), release, () => undefined), 0);
});

test('unknown steps are refused, and so is a release of some steps alone', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'tools/release.ts', ...args], { cwd: ROOT, encoding: 'utf8' });
  const unknown = run('--dry-run', '--only=pack,sing');
  assert.deepEqual([unknown.status, unknown.stderr.split(';')[0]], [2, '"sing" is no step']);
  const some = run('--only=pack');
  assert.deepEqual([some.status, some.stderr.split(',')[0]], [2, '--only goes with --dry-run alone']);
});

test('the statement says what was built of what, where and when', () => {
  const sha = (algorithm: string, file: string) => createHash(algorithm).update(readFileSync(file)).digest('hex');
  const lockFile = join(ROOT, 'package-lock.json');
  const times = { startedOn: new Date('2026-11-28T12:00:00Z'), finishedOn: new Date('2026-11-28T12:30:00Z') };
  const build = {
    name: 'backroom',
    version: '7.8.9',
    tarball,
    lockFile,
    commit: 'c0ffee',
    repository: null,
    command: 'npm run release',
    tools: { node: 'v26' },
    ...times,
  };
  const text = JSON.stringify(provenanceOf({ ...build, env: {} }));
  const statement = z
    .object({
      _type: z.literal('https://in-toto.io/Statement/v1'),
      predicateType: z.literal('https://slsa.dev/provenance/v1'),
      subject: z.array(z.object({ name: z.string(), digest: z.record(z.string(), z.string()) })),
      predicate: z.object({
        buildDefinition: z.object({ resolvedDependencies: z.array(z.looseObject({ digest: z.record(z.string(), z.string()) })) }),
        runDetails: z.object({ metadata: z.record(z.string(), z.string()) }),
      }),
    })
    .parse(JSON.parse(text));
  assert.deepEqual(statement.subject, [
    { name: 'pkg:npm/backroom@7.8.9', digest: { sha256: sha('sha256', tarball), sha512: sha('sha512', tarball) } },
  ]);
  assert.deepEqual(
    statement.predicate.buildDefinition.resolvedDependencies.map(({ digest }) => digest),
    [{ gitCommit: 'c0ffee' }, { sha256: sha('sha256', lockFile) }],
  );
  assert.deepEqual(statement.predicate.runDetails.metadata, {
    startedOn: '2026-11-28T12:00:00.000Z',
    finishedOn: '2026-11-28T12:30:00.000Z',
  });
  const ci = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'me/shop', GITHUB_RUN_ID: '5' };
  assert.match(
    JSON.stringify(provenanceOf({ ...build, env: ci })),
    /"uri":"git\+https:\/\/github\.com\/me\/shop@c0ffee".*"invocationId":"https:\/\/github\.com\/me\/shop\/actions\/runs\/5\/attempts\/1"/,
  );
});

test('without an identity of a CI service nothing goes to npm’s registry, and nothing goes there without provenance', () => {
  const toNpm = { registry: null, provenance: true };
  const ci = { ACTIONS_ID_TOKEN_REQUEST_URL: 'https://token.example' };
  assert.match(obstacleTo(toNpm, {}, {}) ?? '', /identity that a CI service gives/);
  assert.match(obstacleTo(toNpm, {}, ci) ?? '', /"repository" in package\.json/);
  assert.equal(obstacleTo(toNpm, { repository: 'github:me/shop' }, ci), null);
  assert.match(obstacleTo({ registry: null, provenance: false }, {}, ci) ?? '', /--registry of your own/);
  assert.equal(obstacleTo({ registry: 'http://127.0.0.1:4873', provenance: false }, {}, {}), null);
});

test('a registry gets the tarball, byte for byte, under its version', async (t) => {
  const got: { method: string; path: string; body: string }[] = [];
  const registry = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      got.push({ method: request.method ?? '', path: request.url ?? '', body: Buffer.concat(parts).toString('utf8') });
      response.writeHead(request.method === 'PUT' ? 201 : 404, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((done) => registry.listen(0, '127.0.0.1', done));
  t.after(() => registry.close());
  const { port } = registry.address() as AddressInfo;
  const env = { ...process.env, [`npm_config_//127.0.0.1:${port}/:_authToken`]: 'token-of-the-test' };
  await publish({ tarball, registry: `http://127.0.0.1:${port}`, provenance: false }, env);
  const put = got.find(({ method }) => method === 'PUT') ?? assert.fail('nothing was sent');
  assert.equal(put.path, '/backroom');
  const { versions, _attachments } = z
    .object({ versions: z.record(z.string(), z.unknown()), _attachments: z.record(z.string(), z.object({ data: z.string() })) })
    .parse(JSON.parse(put.body));
  assert.deepEqual(Object.keys(versions), ['7.8.9']);
  assert.deepEqual(Buffer.from(_attachments['backroom-7.8.9.tgz']?.data ?? '', 'base64'), readFileSync(tarball));
});

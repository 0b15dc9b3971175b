import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Checks which folder may import which (ARCHITECTURE.md); each folder is a trust zone or a layer. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const zones = [
  'contract',
  'client',
  'server',
  'runner',
  'tracing',
  'sandbox-lib',
  'tasks-examples',
  'cli',
  'console',
  'site',
  'ops',
  'tools',
  'bench',
  'test',
];

/** The build of the console, which makes data for it out of the contract. */
const build = 'console/vite.config.ts';

type Import = { from: string; to: string; typeOnly: boolean };

const imports: Import[] = zones.flatMap((zone) =>
  readdirSync(join(root, zone), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => importsOf(join(zone, name))),
);

function importsOf(file: string): Import[] {
  const source = readFileSync(join(root, file), 'utf8');
  const statements = source.matchAll(/^\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm);
  return [...statements].map(([, type, specifier = '']) => ({
    from: file,
    to: specifier.startsWith('.') ? relative(root, join(root, dirname(file), specifier)) : specifier,
    typeOnly: type !== undefined,
  }));
}

const isIn = (folder: string) => (path: string) => path.startsWith(`${folder}/`);
const zoneOf = (path: string): string | undefined => zones.find((zone) => isIn(zone)(path));

/** The folder of the resource that the file belongs to. */
const resourceOf = (path: string): string | undefined => /^server\/(?:resources|automation)\/[^/]+(?=\/)/.exec(path)?.[0];

function assertNone(rule: string, breaks: (one: Import) => boolean): void {
  const broken = imports.filter(breaks).map(({ from, to }) => `${from} imports ${to}`);
  assert.deepEqual(broken, [], rule);
}

test('the check finds imports in every zone', () => {
  assert.ok(imports.length > 300);
  for (const zone of ['contract', 'server', 'runner', 'sandbox-lib']) assert.ok(imports.some(({ from }) => isIn(zone)(from)));
});

test('each zone imports only what it may', () => {
  const allowed: Record<string, readonly string[]> = {
    contract: ['contract'],
    client: ['contract', 'client'],
    server: ['contract', 'server', 'tracing'],
    runner: ['contract', 'runner', 'tracing'],
    tracing: ['tracing'],
    'sandbox-lib': ['contract', 'sandbox-lib'],
    'tasks-examples': ['contract', 'tasks-examples'],
    cli: ['contract', 'client', 'cli'],
    console: ['contract', 'client', 'console'],
  };
  assertNone('zones', ({ from, to }) => {
    const zone = zoneOf(from) ?? '';
    const target = zoneOf(to);
    if (from === build && ['bundled-packages', 'console-types', 'script-reference'].some((name) => to === `tools/${name}.ts`)) return false;
    return target !== undefined && allowed[zone] !== undefined && !allowed[zone].includes(target);
  });
});

test('guest code imports only types from the contract, or values from its files that import nothing', () => {
  const importing = new Set(imports.map(({ from }) => from));
  assertNone(
    'guest code',
    ({ from, to, typeOnly }) =>
      (isIn('sandbox-lib')(from) || isIn('tasks-examples')(from)) && isIn('contract')(to) && !typeOnly && importing.has(to),
  );
});

test('the console takes types alone from the contract, and what has no schemas, so that a browser loads none', () => {
  const names = [
    'agent-rules',
    'calls',
    'declared',
    'line-diff',
    'permission-dangers',
    'permission-uses',
    'request-text',
    'script-library',
    'source-marks',
    'source-text',
    'texts',
  ];
  const withoutSchemas = names.map((name) => `contract/${name}.ts`);
  assertNone(
    'console',
    ({ from, to, typeOnly }) =>
      isIn('console')(from) && from !== build && isIn('contract')(to) && !typeOnly && !withoutSchemas.includes(to),
  );
  // The others make a client of all operations, which the console does with the table of its build.
  const senders = ['errors', 'follow', 'requests', 'streams'].map((name) => `client/${name}.ts`);
  assertNone('console', ({ from, to, typeOnly }) => isIn('console')(from) && isIn('client')(to) && !typeOnly && !senders.includes(to));
});

test('features of the console never import one another', () => {
  const featureOf = (path: string): string | undefined => /^console\/features\/[^/]+(?=\/)/.exec(path)?.[0];
  assertNone(
    'features',
    ({ from, to }) => featureOf(from) !== undefined && featureOf(to) !== undefined && featureOf(from) !== featureOf(to),
  );
});

test('in the console, imports go features → app → parts → ui → api → texts → language, never back', () => {
  const layers = ['language', 'texts', 'api', 'ui', 'parts', 'app', 'features'];
  const layerOf = (path: string): number => layers.findIndex((layer) => isIn(`console/${layer}`)(path));
  // A language knows the types of the texts that it translates.
  const isTyped = ({ from, typeOnly }: Import): boolean => typeOnly && isIn('console/language')(from);
  assertNone('layers', (one) => layerOf(one.from) !== -1 && layerOf(one.to) > layerOf(one.from) && !isTyped(one));
});

test('isolated-vm is imported in only one file', () => {
  assertNone('isolated-vm', ({ from, to }) => to === 'isolated-vm' && from !== 'runner/worker/isolate.ts' && zoneOf(from) !== 'bench');
});

test('OpenTelemetry is imported in only one file, which is loaded only where there is tracing', () => {
  assertNone('OpenTelemetry', ({ from, to }) => to.startsWith('@opentelemetry/') && from !== 'tracing/sdk.ts' && zoneOf(from) !== 'test');
  assertNone('the SDK', ({ to, typeOnly }) => to === 'tracing/sdk.ts' && !typeOnly);
});

test('the database drivers are imported only in server/db', () => {
  const drivers = new Set(['better-sqlite3', 'pg']);
  assertNone('drivers', ({ from, to }) => isIn('server')(from) && drivers.has(to) && !isIn('server/db')(from));
});

/** The store file of a whole resource (`store.ts`) or of one topic (`claim-store.ts`). */
const isStore = (path: string): boolean => /\/(?:[a-z-]+-)?store\.ts$/.test(path);

test('in the server, imports go http → calls → routes → domain → store → db', () => {
  const http = isIn('server/http');
  const calls = isIn('server/calls');
  assertNone(
    'http is imported by the assembly alone',
    ({ from, to }) => http(to) && isIn('server')(from) && !http(from) && from !== 'server/server.ts',
  );
  assertNone('calls knows no wire', ({ from, to }) => calls(from) && (http(to) || to === 'koa' || to.startsWith('@koa/')));
  assertNone('resources know no calls', ({ from, to }) => resourceOf(from) !== undefined && calls(to));
  assertNone('store never looks up', ({ from, to }) => isStore(from) && (/\/(domain|routes)\.ts$/.test(to) || http(to)));
  assertNone('domain never looks up', ({ from, to }) => from.endsWith('/domain.ts') && (to.endsWith('/routes.ts') || http(to)));
  assertNone(
    'verbs, providers and values know no resource',
    ({ from, to }) => /^server\/(verbs|providers|values)\//.test(from) && resourceOf(to) !== undefined,
  );
  assertNone('db knows no resource', ({ from, to }) => isIn('server/db')(from) && (resourceOf(to) !== undefined || http(to)));
});

test("nobody imports another resource's store", () => {
  assertNone(
    'stores',
    ({ from, to }) => isIn('server')(from) && isStore(to) && resourceOf(to) !== undefined && resourceOf(to) !== resourceOf(from),
  );
});

test('SQL is only in stores and in server/db', () => {
  const mayHold = (file: string): boolean => isStore(file) || isIn('server/db')(file);
  assertNone('kysely', ({ from, to }) => isIn('server')(from) && to === 'kysely' && !mayHold(from));
  for (const file of new Set(imports.map(({ from }) => from).filter((from) => isIn('server')(from) && !mayHold(from)))) {
    assert.doesNotMatch(readFileSync(join(root, file), 'utf8'), /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/, file);
  }
});

/** The part of the server that a file belongs to: a folder (each folder in resources, automation and calls is a part), or a file beside them. */
const partOf = (path: string): string =>
  resourceOf(path) ?? /^server\/(?:calls\/[^/]+|(?!resources\/|automation\/|calls\/)[^/]+)(?=\/)/.exec(path)?.[0] ?? path;

test('imports of values between files form no circle, and none between parts of the server', () => {
  const isOwn = ({ to }: Import): boolean => zoneOf(to) !== undefined;
  assertNoCircle(imports.filter(isOwn), (path) => path);
  assertNoCircle(
    imports.filter(({ from, to }) => isIn('server')(from) && isIn('server')(to)),
    partOf,
  );
});

function assertNoCircle(among: readonly Import[], nodeOf: (path: string) => string): void {
  let left = among.filter(({ from, to, typeOnly }) => !typeOnly && nodeOf(from) !== nodeOf(to));
  assert.ok(left.length > 300);
  // What imports nothing that remains, or what nothing that remains imports, is in no circle and is removed.
  for (let before = Number.POSITIVE_INFINITY; left.length < before; ) {
    before = left.length;
    const importing = new Set(left.map(({ from }) => nodeOf(from)));
    const imported = new Set(left.map(({ to }) => nodeOf(to)));
    left = left.filter(({ from, to }) => imported.has(nodeOf(from)) && importing.has(nodeOf(to)));
  }
  assert.deepEqual(
    left.map(({ from, to }) => `${from} imports ${to}`),
    [],
  );
}

test('in automation each folder imports values only of those before it', () => {
  const order = [
    ...[
      'parameters',
      'grants',
      'decisions',
      'trials',
      'verification',
      'trigger-queue',
      'recordings',
      'tasks',
      'secrets',
      'variables',
      'llm',
      'outgoing',
      'task-mails',
    ],
    ...[
      'runs',
      'gathered-starts',
      'task-starts',
      'task-state',
      'run-files',
      'artifacts',
      'run-prompts',
      'dry-runs',
      'undo',
      'replays',
      'run-bulk',
      'approvals',
      'version-comments',
      'schedules',
      'triggers',
      'hooks',
      'run-waits',
    ],
    ...['runner', 'retention', 'task-examples', 'assistant'],
  ];
  const place = (path: string): number => order.indexOf(resourceOf(path)?.slice('server/automation/'.length) ?? '');
  const inside = imports.filter(({ from, to }) => isIn('server/automation')(from) && isIn('server/automation')(to));
  assert.deepEqual(
    [...new Set(inside.map(({ from }) => from).filter((from) => place(from) === -1))],
    [],
    'every folder of automation must have a place in the order',
  );
  assertNone('order', (one) => inside.includes(one) && !one.typeOnly && place(one.to) > place(one.from));
});

test('in automation/runs each room imports values only of those before it', () => {
  const rooms = ['rows', 'log', 'errors', 'health', 'life', 'views', 'routes.ts'].map((room) => `server/automation/runs/${room}`);
  const place = (path: string): number => rooms.findIndex((room) => path === room || isIn(room)(path));
  const inside = imports.filter(({ from, to }) => isIn('server/automation/runs')(from) && isIn('server/automation/runs')(to));
  assert.ok(inside.length > 50 && inside.every(({ from }) => place(from) !== -1));
  assertNone('rooms', (one) => inside.includes(one) && !one.typeOnly && place(one.to) > place(one.from));
});

test('rules.ts is pure: no I/O, no clock, no database', () => {
  assertNone(
    'rules',
    ({ from, to }) =>
      from.endsWith('/rules.ts') &&
      (to.startsWith('node:') || to === 'kysely' || isStore(to) || to.endsWith('/domain.ts') || isIn('server/db')(to)),
  );
  for (const file of new Set(imports.map(({ from }) => from).filter((from) => from.endsWith('/rules.ts')))) {
    assert.doesNotMatch(readFileSync(join(root, file), 'utf8'), /Date\.now\(|new Date\(\)|Math\.random/, file);
  }
});

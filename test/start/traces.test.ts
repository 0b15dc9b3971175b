import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connectShop } from '../../cli/remote-shop.ts';
import { type PartProcess, startListeningServer, startPart } from '../../ops/processes.ts';
import { type Collector, startCollector } from '../helpers/collector.ts';
import { NPM_START_TOKEN, npmStart } from '../helpers/npm-start.ts';

/** Traces of the real processes: what they load, that the environment reaches both, and that they end without a collector. */

const RUNNER_TOKEN = 'runner-0123456789-0123456789-0123456789';
/** Prints each file of OpenTelemetry, and of what is loaded only when it is needed, that the process loads, by import or by require. */
const WATCH = `import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) {
    if (/[/]node_modules[/](@opentelemetry|@anthropic-ai|openai)[/]/.test(url)) process.stderr.write('loaded ' + url + '\\n');
    return next(url, context);
  } });`;
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(WATCH)}`;

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'backroom-traces-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Those packages that a server and a runner have loaded when the runner is ready to work. */
async function loadedBy(t: TestContext, env: Record<string, string>): Promise<{ server: string[]; runner: string[] }> {
  const loaded = { server: new Set<string>(), runner: new Set<string>() };
  const note = (part: 'server' | 'runner') => (line: string) => {
    const [, name] = /^loaded .*\/node_modules\/(?:@opentelemetry\/)?([^/]+)\//.exec(line) ?? [];
    if (name !== undefined) loaded[part].add(name);
  };
  const server = await startListeningServer({ ...env, PORT: '0', DATA_DIR: folderOf(t), RUNNER_TOKEN, NODE_OPTIONS }, note('server'));
  const { promise: isReady, resolve } = Promise.withResolvers<void>();
  const runner: PartProcess = startPart('runner', { ...env, SERVER_URL: server.url, RUNNER_TOKEN, NODE_OPTIONS }, (line) => {
    note('runner')(line);
    if (line.includes('the runner is ready to claim runs')) resolve();
  });
  await Promise.race([isReady, runner.exited.then(() => assert.fail('the runner ended'))]);
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
  await runner.stop();
  await server.stop();
  return { server: [...loaded.server].sort(), runner: [...loaded.runner].sort() };
}

test('without a configuration, neither server nor runner loads anything of OpenTelemetry or of a language model', {
  timeout: 300_000,
}, async (t) => {
  const { server, runner } = await loadedBy(t, {});
  // prom-client, which makes the metrics, itself loads the API where there is no build: a package without an SDK, which does nothing.
  assert.deepEqual([server.filter((name) => name !== 'api'), runner], [[], []]);
});

test('with an endpoint, both load the SDK, and they end although no collector answers', { timeout: 300_000 }, async (t) => {
  const collector = await startCollector();
  t.after(() => collector.close());
  collector.hold();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_EXPORTER_OTLP_TIMEOUT: '600000', OTEL_BSP_SCHEDULE_DELAY: '1' };
  const { server, runner } = await loadedBy(t, env);
  for (const part of [server, runner]) assert.ok(part.includes('sdk-trace') && part.includes('exporter-trace-otlp-http'), part.join());
});

test('npm start gives the configuration to both of its processes: one trace goes through them', { timeout: 300_000 }, async (t) => {
  const collector: Collector = await startCollector();
  t.after(() => collector.close());
  const { child, exited, line } = npmStart(t, {
    DATA_DIR: folderOf(t),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  });
  const [, url = ''] = /Backroom is at (http:\S+)/.exec(await line(/Backroom is at/)) ?? [];
  const { client } = connectShop(url, NPM_START_TOKEN);
  const { task_id } = await client.ai_tasks.create({
    name: 'Traced',
    description: '',
    source_code: `import { admin } from 'backroom';\nexport default () => admin.orders.list();`,
    permissions: ['admin_api.orders.read'],
    parameters: [],
  });
  const { run_id } = await client.ai_tasks.start_run(task_id, {});
  const run = await collector.span(({ name, attributes }) => name === 'run' && attributes['backroom.run.id'] === run_id);
  const opening = await collector.span(({ name }) => name === 'POST /admin/api/ai-tasks/{id}/runs');
  const call = await collector.span(({ name }) => name === 'call admin_api');
  const list = await collector.span(({ name }) => name === 'GET /admin/api/orders');
  assert.deepEqual(
    [opening, run, call, list].map(({ traceId, service }) => [traceId, service]),
    ['backroom-server', 'backroom-runner', 'backroom-runner', 'backroom-server'].map((service) => [opening.traceId, service]),
  );
  assert.deepEqual(
    [run, call, list].map(({ parentSpanId }) => parentSpanId),
    [opening.spanId, run.spanId, call.spanId],
  );
  assert.equal(run.attributes['backroom.run.status'], 'success');
  assert.ok(collector.texts.some((text) => text.includes('deployment.environment.name')));
  child.kill('SIGTERM');
  assert.equal(await exited, 0);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../helpers/app.ts';
import { startCollector } from '../helpers/collector.ts';
import { freePort } from '../helpers/ports.ts';

const PATH = '/admin/api/inquiries';
/** Far longer than a test may take. */
const NEVER_MS = '600000';

async function ask(app: Awaited<ReturnType<typeof startApp>>, times: number): Promise<void> {
  for (let n = 0; n < times; n++) assert.equal((await app.request({ path: PATH })).status, 200);
}

test('a sampler that is off sends nothing, whatever its client asks for', async () => {
  const collector = await startCollector();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_BSP_SCHEDULE_DELAY: '1', OTEL_TRACES_SAMPLER: 'always_off' };
  const app = await startApp('sqlite', { env });
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  assert.equal((await app.request({ path: PATH, headers: { traceparent } })).status, 200);
  // What waits is sent before the server has closed.
  await app.close();
  assert.deepEqual(collector.texts, []);
  await collector.close();
});

test('where no collector listens, requests are answered and the log tells it once', async () => {
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  const lines: string[] = [];
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    // Too short for the exporter to try again.
    OTEL_EXPORTER_OTLP_TIMEOUT: '100',
    OTEL_BSP_SCHEDULE_DELAY: '1',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '1',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret-of-the-collector',
  };
  const app = await startApp('sqlite', { env, log: (line) => void lines.push(line) });
  await ask(app, 20);
  await app.close();
  const told = lines.filter((line) => line.includes('spans cannot be sent to the collector'));
  assert.equal(told.length, 1);
  assert.match(told[0] ?? '', /ECONNREFUSED/);
  assert.ok(!lines.join().includes('secret-of-the-collector'));
});

test('a collector that does not answer costs a bounded queue, and does not keep the server from closing', {
  timeout: 300_000,
}, async () => {
  const collector = await startCollector();
  const answer = collector.hold();
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_TIMEOUT: NEVER_MS,
    OTEL_BSP_EXPORT_TIMEOUT: NEVER_MS,
    OTEL_BSP_SCHEDULE_DELAY: '1',
    OTEL_BSP_MAX_QUEUE_SIZE: '20',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret-of-the-collector,x-shop=a%2Cb',
  };
  const app = await startApp('sqlite', { env });
  await ask(app, 1);
  await collector.requests(1);
  await ask(app, 200);
  await app.close();
  answer();
  // One batch was under way and 20 spans waited; 200 had ended.
  await collector.span(({ name }) => name === `GET ${PATH}`);
  assert.ok(collector.spans.length <= 10 + 20, `${collector.spans.length} spans were kept`);
  const [headers] = collector.headers;
  assert.deepEqual([headers?.authorization, headers?.['x-shop']], ['Bearer secret-of-the-collector', 'a,b']);
  await collector.close();
});

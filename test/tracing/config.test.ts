import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig as readRunnerConfig } from '../../runner/config.ts';
import { readConfig } from '../../server/config.ts';
import { errorType } from '../../tracing/current.ts';

const ENDPOINT = 'http://collector:4318';
const tracingOf = (env: Record<string, string>) => readConfig(env).tracing;

test('there is no tracing without an endpoint, or where it is switched off', () => {
  assert.equal(tracingOf({}), null);
  assert.equal(tracingOf({ OTEL_SERVICE_NAME: 'shop', OTEL_TRACES_SAMPLER: 'always_on' }), null);
  assert.equal(tracingOf({ OTEL_EXPORTER_OTLP_ENDPOINT: '' }), null);
  assert.equal(tracingOf({ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_SDK_DISABLED: 'true' }), null);
  assert.equal(tracingOf({ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }), null);
});

test('the standard variables decide where spans go, which, and under what name', () => {
  assert.deepEqual(tracingOf({ OTEL_EXPORTER_OTLP_ENDPOINT: `${ENDPOINT}/` }), {
    url: `${ENDPOINT}/v1/traces`,
    headers: {},
    timeoutMs: 10_000,
    serviceName: undefined,
    resource: {},
    sampler: { root: 'always_on', ratio: 1, isParentBased: true },
    batch: { delayMs: 5000, exportTimeoutMs: 30_000, queueSize: 2048, batchSize: 512 },
  });
  const set = tracingOf({
    OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example.com/in',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc, x-shop=1',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-shop=2',
    OTEL_SERVICE_NAME: 'shop',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,team=a%3Db',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    OTEL_BSP_MAX_QUEUE_SIZE: '100',
  });
  assert.equal(set?.url, 'https://traces.example.com/in');
  assert.deepEqual(set?.headers, { authorization: 'Bearer abc', 'x-shop': '2' });
  assert.equal(set?.serviceName, 'shop');
  assert.deepEqual(set?.resource, { 'deployment.environment.name': 'test', team: 'a=b' });
  assert.deepEqual(set?.sampler, { root: 'traceidratio', ratio: 0.25, isParentBased: true });
  assert.equal(set?.batch.queueSize, 100);
  const plain = tracingOf({ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_TRACES_SAMPLER: 'always_off' });
  assert.deepEqual(plain?.sampler, { root: 'always_off', ratio: 1, isParentBased: false });
});

test('a wrong value stops the start of server and runner, in one line without the value', () => {
  for (const [name, value] of [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'secret-without-a-name'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%zz-secret'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '1s'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_BSP_MAX_QUEUE_SIZE', '999999999'],
    ['OTEL_SDK_DISABLED', 'yes'],
  ] as const) {
    const wrong = (error: unknown) => {
      assert.ok(error instanceof Error);
      assert.match(error.message, new RegExp(`^${name} is not valid: must `));
      return !error.message.includes(value) && !error.message.includes('\n');
    };
    assert.throws(() => readConfig({ [name]: value }), wrong);
    const config = readRunnerConfig({ RUNNER_TOKEN: 't', [name]: value });
    assert.ok('problem' in config);
    assert.match(config.problem, new RegExp(`^${name} must `));
    assert.ok(!config.problem.includes(value));
  }
});

test('an error is named by its code or class, never by its message', () => {
  class NotSent extends Error {}
  assert.deepEqual(
    [new NotSent('secret'), Object.assign(new Error('secret'), { code: 'ECONNRESET' }), new TypeError('secret'), 'secret'].map(errorType),
    ['NotSent', 'ECONNRESET', 'TypeError', 'unknown'],
  );
});

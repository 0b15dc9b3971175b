import { type Context, ROOT_CONTEXT, type SpanContext, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions';
import type { Logger } from 'pino';
import type { TracingConfig } from './config.ts';
import type { Span, SpanOptions, Traced, Tracing } from './tracing.ts';

/** How long the end of the process waits for the collector. */
const CLOSE_WITHIN_MS = 3000;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER, internal: SpanKind.INTERNAL };

/** The only file that loads OpenTelemetry. Nothing global is registered, so several servers of one process may trace apart. */
export function startTracing(config: TracingConfig, { part, version, log }: Traced): Tracing {
  const { url, headers, timeoutMs, batch } = config;
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: timeoutMs });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      ...config.resource,
      [ATTR_SERVICE_NAME]: config.serviceName ?? config.resource[ATTR_SERVICE_NAME] ?? `backroom-${part}`,
      [ATTR_SERVICE_VERSION]: version,
      'backroom.part': part,
    }),
    sampler: samplerOf(config),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reporting(exporter, log),
        scheduledDelayMillis: batch.delayMs,
        exportTimeoutMillis: batch.exportTimeoutMs,
        maxQueueSize: batch.queueSize,
        maxExportBatchSize: Math.min(batch.batchSize, batch.queueSize),
      }),
    ],
  });
  const tracer = provider.getTracer('backroom', version);

  function begin(name: string, context: Context, { kind = 'internal', attributes = {} }: SpanOptions): Span {
    const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, context);
    const { traceId, spanId, traceFlags } = span.spanContext();
    return {
      traceparent: `00-${traceId}-${spanId}-${(traceFlags & 0xff).toString(16).padStart(2, '0')}`,
      ids: { trace_id: traceId, span_id: spanId },
      rename: (next) => void span.updateName(next),
      set: (more) => void span.setAttributes(more),
      fail: (type) => void span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR }),
      end: () => span.end(),
      child: (childName, childOptions = {}) => begin(childName, trace.setSpan(ROOT_CONTEXT, span), childOptions),
    };
  }

  return {
    outside: { child: (name, options = {}) => begin(name, ROOT_CONTEXT, options) },
    start: (name, given = {}) => begin(name, contextOf(given.parent), given),
    async close() {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, CLOSE_WITHIN_MS);
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/s;

/** The parent's place in its trace. As W3C demands, a header that is not valid is ignored; only later versions of it may go on. */
function contextOf(parent: Span | string | undefined): Context {
  const text = (typeof parent === 'string' ? parent : parent?.traceparent) ?? '';
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(text) ?? [];
  const found: SpanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: typeof parent === 'string' };
  const isValid = version !== 'ff' && (version !== '00' || more === undefined) && trace.isSpanContextValid(found);
  return isValid ? trace.setSpanContext(ROOT_CONTEXT, found) : ROOT_CONTEXT;
}

function samplerOf({ sampler: { root, ratio, isParentBased } }: TracingConfig): Sampler {
  const samplers = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const sampler = samplers[root]();
  return isParentBased ? new ParentBasedSampler({ root: sampler }) : sampler;
}

/** Tells the log once when the collector does not take spans any more, and once when it does again. */
function reporting(exporter: SpanExporter, log: Logger): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error && !isFailing)
          log.warn({ reason: reasonOf(result.error) }, 'spans cannot be sent to the collector; they are dropped');
        if (!result.error && isFailing) log.info('the collector takes spans again');
        isFailing = result.error !== undefined;
        done(result);
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

/** Without the answer of the collector, which is not ours to repeat. */
function reasonOf(error: Error): string {
  const code = 'code' in error ? ` (${String(error.code)})` : '';
  return `${error.message.slice(0, 200) || error.name}${code}`;
}

import { z } from 'zod';

const PAIRS = /^\s*(?:[^=,\s]+\s*=[^,]*(?:,\s*[^=,\s]+\s*=[^,]*)*)?\s*$/;
const Pairs = z
  .string()
  .regex(PAIRS, 'must be name=value pairs, separated by commas, with values as in an address (%20 for a space)')
  .refine(isDecodable, 'must have values in valid percent-encoding')
  .transform(pairsOf)
  .optional();

const Endpoint = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' }).optional();
const Protocol = z.literal('http/json', { error: 'must be http/json, the only form in which spans are sent' }).optional();
const Compression = z.enum(['gzip', 'none'], { error: 'must be gzip or none' }).optional();

function number(least: number, most: number) {
  const said = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, said)
    .transform(Number)
    .refine((value) => value >= least && value <= most, said)
    .optional();
}

const Milliseconds = number(1, 600_000);
const SAMPLERS = ['always_on', 'always_off', 'traceidratio'] as const;
const KINDS = [...SAMPLERS, ...SAMPLERS.map((name) => `parentbased_${name}` as const)] as const;

/** The standard variables of OpenTelemetry that the server and the runner read; both add them to their own environment. */
export const tracingEnvironment = {
  OTEL_SDK_DISABLED: z.enum(['true', 'false'], { error: 'must be true or false' }).default('false'),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none'], { error: 'must be otlp or none' }).default('otlp'),
  /** Address of the collector, below which `v1/traces` takes the traces; without it there is no tracing. */
  OTEL_EXPORTER_OTLP_ENDPOINT: Endpoint,
  /** The whole address that takes the traces, instead. */
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: Endpoint,
  OTEL_EXPORTER_OTLP_PROTOCOL: Protocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: Protocol,
  OTEL_EXPORTER_OTLP_HEADERS: Pairs,
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: Pairs,
  OTEL_EXPORTER_OTLP_TIMEOUT: Milliseconds,
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: Milliseconds,
  /** The exporter itself reads these: how the traces are compressed, and files in PEM. */
  OTEL_EXPORTER_OTLP_COMPRESSION: Compression,
  OTEL_EXPORTER_OTLP_CERTIFICATE: z.string().optional(),
  OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: z.string().optional(),
  OTEL_EXPORTER_OTLP_CLIENT_KEY: z.string().optional(),
  OTEL_SERVICE_NAME: z.string().max(255, 'must have at most 255 characters').optional(),
  OTEL_RESOURCE_ATTRIBUTES: Pairs,
  OTEL_TRACES_SAMPLER: z.enum(KINDS, { error: `must be one of ${KINDS.join(', ')}` }).default('parentbased_always_on'),
  /** For the samplers that take a ratio: the part of all traces that is kept. */
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0?\.\d+|[01](?:\.0*)?)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .optional(),
  OTEL_BSP_SCHEDULE_DELAY: Milliseconds,
  OTEL_BSP_EXPORT_TIMEOUT: Milliseconds,
  /** Spans that wait for the collector; further ones are dropped. */
  OTEL_BSP_MAX_QUEUE_SIZE: number(1, 100_000),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: number(1, 10_000),
};

const Environment = z.object(tracingEnvironment);
type Environment = z.infer<typeof Environment>;

export type TracingConfig = {
  url: string;
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** undefined: the name of the part (`backroom-server`, `backroom-runner`). */
  serviceName: string | undefined;
  /** Further attributes of the resource. */
  resource: Readonly<Record<string, string>>;
  sampler: { root: (typeof SAMPLERS)[number]; ratio: number; isParentBased: boolean };
  batch: { delayMs: number; exportTimeoutMs: number; queueSize: number; batchSize: number };
};

/** What the environment says about traces; null: there are none, which is the default. */
export function tracingOf(e: Environment): TracingConfig | null {
  const url = e.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? below(e.OTEL_EXPORTER_OTLP_ENDPOINT);
  if (url === undefined || e.OTEL_SDK_DISABLED === 'true' || e.OTEL_TRACES_EXPORTER === 'none') return null;
  const isParentBased = e.OTEL_TRACES_SAMPLER.startsWith('parentbased_');
  const root = SAMPLERS.find((name) => e.OTEL_TRACES_SAMPLER.endsWith(name)) ?? 'always_on';
  return {
    url,
    headers: { ...e.OTEL_EXPORTER_OTLP_HEADERS, ...e.OTEL_EXPORTER_OTLP_TRACES_HEADERS },
    timeoutMs: e.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ?? e.OTEL_EXPORTER_OTLP_TIMEOUT ?? 10_000,
    serviceName: e.OTEL_SERVICE_NAME,
    resource: e.OTEL_RESOURCE_ATTRIBUTES ?? {},
    sampler: { root, ratio: e.OTEL_TRACES_SAMPLER_ARG ?? 1, isParentBased },
    batch: {
      delayMs: e.OTEL_BSP_SCHEDULE_DELAY ?? 5000,
      exportTimeoutMs: e.OTEL_BSP_EXPORT_TIMEOUT ?? 30_000,
      queueSize: e.OTEL_BSP_MAX_QUEUE_SIZE ?? 2048,
      batchSize: e.OTEL_BSP_MAX_EXPORT_BATCH_SIZE ?? 512,
    },
  };
}

function below(endpoint: string | undefined): string | undefined {
  return endpoint === undefined ? undefined : `${endpoint.replace(/\/$/, '')}/v1/traces`;
}

function pairsOf(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at === -1 ? [] : [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(pairs);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

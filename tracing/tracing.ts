import type { Logger } from 'pino';
import type { TracingConfig } from './config.ts';

/** Spans as the server and the runner see them. Without a configuration there is no tracing, and nothing of OpenTelemetry is loaded. */

/** Values of `undefined` are left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** `parent`: the span above, or the `traceparent` of another process; without one, or with an invalid one, the span begins a trace. */
export type SpanOptions = {
  kind?: 'server' | 'client' | 'consumer' | 'internal';
  parent?: Span | string | undefined;
  attributes?: Attributes;
};

export type Span = {
  /** The span in the form of the W3C header `traceparent`, for the processes that continue its trace. */
  readonly traceparent: string;
  /** The fields by which log lines name the span. */
  readonly ids: { readonly trace_id: string; readonly span_id: string };
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** Marks what the span stands for as failed. `type` is a code or the name of a class, never a message, which could hold a secret. */
  fail(type: string): void;
  end(): void;
  child(name: string, options?: Omit<SpanOptions, 'parent'>): Span;
};

/** Where new spans begin: below a span, or outside all of them, as the first of a trace. */
export type Place = Pick<Span, 'child'> & Partial<Pick<Span, 'traceparent' | 'ids'>>;

export type Tracing = {
  /** The place of what the process does by itself. */
  readonly outside: Place;
  start(name: string, options?: SpanOptions): Span;
  /** Sends the spans that wait, for a few seconds at most; never rejects. */
  close(): Promise<void>;
};

/** The part of the project that a process is, and its version; `log` is told when the collector cannot be reached. */
export type Traced = { part: 'server' | 'runner'; version: string; log: Logger };

/** Loads OpenTelemetry and starts tracing; null without a configuration. */
export async function openTracing(config: TracingConfig | null, traced: Traced): Promise<Tracing | null> {
  if (config === null) return null;
  const { startTracing } = await import('./sdk.ts');
  return startTracing(config, traced);
}

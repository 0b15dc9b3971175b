import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const Value = z.union([
  z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
  z.object({ intValue: z.coerce.number() }).transform(({ intValue }) => intValue),
  z.object({ doubleValue: z.number() }).transform(({ doubleValue }) => doubleValue),
  z.object({ boolValue: z.boolean() }).transform(({ boolValue }) => boolValue),
]);
const Attributes = z
  .array(z.object({ key: z.string(), value: Value }))
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, value])));

/** The parts of OTLP's JSON that the tests look at. */
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              kind: z.int(),
              attributes: Attributes,
              status: z.object({ code: z.int().optional() }),
            }),
          ),
        }),
      ),
    }),
  ),
});

export type CollectedSpan = {
  service: unknown;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  kind: 'internal' | 'server' | 'client' | 'other' | 'consumer';
  attributes: Record<string, string | number | boolean>;
  isFailed: boolean;
};

const KINDS = ['other', 'internal', 'server', 'client', 'other', 'consumer'] as const;
const ERROR = 2;

export type Collector = {
  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  endpoint: string;
  spans: CollectedSpan[];
  /** All that was sent, as text. */
  texts: string[];
  headers: IncomingHttpHeaders[];
  /** Resolves with the span when one that fits has come. */
  span(fits: (span: CollectedSpan) => boolean): Promise<CollectedSpan>;
  /** From now on requests are kept without an answer; the function that is returned answers them. */
  hold(): () => void;
  /** Resolves when `n` requests have come. */
  requests(n: number): Promise<void>;
  close(): Promise<void>;
};

/** A server on the loopback interface that takes traces as an OpenTelemetry collector does. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const texts: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const looking = new Set<() => void>();
  let held: Promise<void> | undefined;
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    texts.push(text);
    headers.push(request.headers);
    for (const look of [...looking]) look();
    await held;
    spans.push(...spansOf(text));
    for (const look of [...looking]) look();
    response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
  });
  // Not five seconds: a busy client would send its next request over a connection that is just being closed.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  function once<T>(look: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const again = (): void => {
        const seen = look();
        if (seen === undefined) return;
        looking.delete(again);
        resolve(seen);
      };
      looking.add(again);
      again();
    });
  }

  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    texts,
    headers,
    span: (fits) => once(() => spans.find(fits)),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = undefined;
        resolve();
      };
    },
    requests: (n) => once(() => (texts.length >= n ? null : undefined)).then(() => undefined),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function spansOf(text: string): CollectedSpan[] {
  return Export.parse(JSON.parse(text)).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ kind, status, parentSpanId, ...span }) => ({
        ...span,
        parentSpanId: parentSpanId || undefined,
        service: resource.attributes['service.name'],
        kind: KINDS[kind] ?? 'other',
        isFailed: status.code === ERROR,
      })),
    ),
  );
}

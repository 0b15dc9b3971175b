import { AsyncLocalStorage } from 'node:async_hooks';
import type { Attributes, Place, Span } from './tracing.ts';

const current = new AsyncLocalStorage<Place | undefined>();

/** While `work` and everything that it starts is running, new spans begin at this place; undefined: there are none. */
export function within<T>(place: Place | undefined, work: () => T): T {
  return current.run(place, work);
}

/** The span of what is being done, or another place where spans begin; undefined without tracing. */
export function currentPlace(): Place | undefined {
  return current.getStore();
}

/** Does the work in the span, and ends it. An error is marked by its code or class. */
export async function spanned<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await within(span, () => work(span));
  } catch (error) {
    span.fail(errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Does work that asks another system, in a span of its own at the current place. Without tracing it only does the work. */
export function clientSpan<T>(name: string, attributes: Attributes, work: (span: Span | null) => Promise<T>): Promise<T> {
  const span = currentPlace()?.child(name, { kind: 'client', attributes });
  return span ? spanned(span, work) : work(null);
}

/** What identifies the kind of an error: its code (`ECONNREFUSED`), or its class. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.name === 'Error' ? error.constructor.name : error.name;
}

/** The attributes of a request to this address: its host and port, since path and query may hold secrets. */
export function addressAttributes(url: string): Attributes {
  if (!URL.canParse(url)) return {};
  const { protocol, hostname, port } = new URL(url);
  return {
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'http:' ? 80 : 443),
    'url.scheme': protocol.slice(0, -1),
  };
}

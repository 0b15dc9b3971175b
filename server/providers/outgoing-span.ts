import { addressAttributes, clientSpan } from '../../tracing/current.ts';
import type { Attributes, Span } from '../../tracing/tracing.ts';
import { currentRequestId } from '../process/request-id.ts';

/**
 * Asks another system. While there is tracing, this is a span with the host that is asked and the request that asks; what is said is not in
 * it. The other system is not told of the trace: a script could read it from what it is answered.
 */
export function outgoingSpan<T>(name: string, url: string, attributes: Attributes, work: (span: Span | null) => Promise<T>): Promise<T> {
  return clientSpan(name, { ...addressAttributes(url), 'backroom.request_id': currentRequestId(), ...attributes }, work);
}

/** Tells the span of an HTTP request how it was answered. */
export function noteStatus(span: Span | null, status: number): void {
  span?.set({ 'http.response.status_code': status });
  if (status >= 400) span?.fail(String(status));
}

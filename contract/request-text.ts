import type { CalledRequest } from './run-events.ts';

/** What stands behind a call that sent a request to another system: the request, and how that was answered. */
export function requestText(request: CalledRequest | null | undefined): string {
  return request ? ` → ${request.method} ${request.url}${request.status === null ? '' : ` ${request.status}`}` : '';
}

/** One event of a run's log as a line; null for what is only bookkeeping. */
export function eventLine(data: string): string | null {
  const event: unknown = JSON.parse(data);
  if (typeof event !== 'object' || event === null || !('kind' in event)) return null;
  if (event.kind === 'log' && 'line' in event) return String(event.line);
  if (event.kind === 'result' && 'status' in event && 'item' in event) return `${event.status} ${event.item}`;
  if (event.kind === 'admin_api' && 'method' in event && 'path' in event && 'status' in event) {
    return `${event.method} ${event.path} ${event.status}${'request' in event ? requestLine(event.request) : ''}`;
  }
  return null;
}

function requestLine(request: unknown): string {
  if (typeof request !== 'object' || request === null || !('method' in request && 'url' in request)) return '';
  return ` → ${request.method} ${request.url}${'status' in request && request.status !== null ? ` ${request.status}` : ''}`;
}

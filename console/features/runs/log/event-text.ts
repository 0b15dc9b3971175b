import { requestText } from '../../../../contract/request-text.ts';
import type { JsonObject, LoggedEvent } from '../../../../contract/run-events.ts';
import { valueText } from '../../../ui/change.tsx';

/** One event of a log as people read it. */
export function eventText(event: LoggedEvent): string {
  switch (event.kind) {
    case 'log':
      return event.line;
    case 'admin_api':
      return `${event.method} ${event.path} ${event.status}${requestText(event.request)}`;
    case 'progress':
      return `${event.label} ${event.current} / ${event.total}`.trim();
    case 'describe':
      return event.description;
    case 'result':
      return `${event.status} ${event.item}${detailsText(event.details)}`;
    default:
      return event satisfies never;
  }
}

function detailsText(details: JsonObject): string {
  const pairs = Object.entries(details).map(([name, value]) => `${name} ${valueText(value)}`);
  return pairs.length === 0 ? '' : `  ${pairs.join(', ')}`;
}

/** Calls that went well and steps of progress keep books; what the script itself says comes first. */
export function isQuiet(event: LoggedEvent): boolean {
  return event.kind === 'progress' || (event.kind === 'admin_api' && event.status < 400);
}

import type { HostOperation } from '../contract/script-library.ts';
import type { Limits, Send } from './guest.ts';
import { toJson } from './json.ts';
import { formatLine } from './log-format.ts';
import { byteLength, cut } from './text.ts';

export type Events = {
  log(...values: unknown[]): void;
  progress(current: unknown, total: unknown, label?: unknown): void;
  result(status: unknown, item: unknown, details?: unknown): void;
  describe(description: unknown): void;
  details(markdown: unknown): void;
  /** To be called when the worker has passed on the last event of an operation of which only the latest counts. */
  sent(operation: string): void;
  /** Sends the events that are still held back. */
  flush(): void;
};

const LATEST_INTERVAL_MS = 10;
/** The runner makes one line of it, which is shorter. */
const DESCRIPTION_BYTES = 1000;

/** Makes `log`, `progress`, `result`, `describe` and `details`. Events are sent at once, so that the last line before an endless loop can be seen. */
export function createEvents(send: Send, limits: Limits, hostNow: () => number): Events {
  let bytes = 0;
  let lines = 0;
  const latest = {
    progress: createLatest((payload) => send(0, 'progress', payload), hostNow),
    describe: createLatest((payload) => send(0, 'describe', payload), hostNow),
    details: createLatest((payload) => send(0, 'details', payload), hostNow),
  };

  return {
    log(...values) {
      emit('log', JSON.stringify({ line: cut(formatLine(values), limits.line_bytes) }));
    },
    progress(current, total, label) {
      const event = { current: whole(current, 'current'), total: whole(total, 'total'), label: cut(textOf(label), 1000) };
      latest.progress.offer(JSON.stringify(event));
    },
    describe(description) {
      latest.describe.offer(JSON.stringify({ description: cut(textOf(description), DESCRIPTION_BYTES) }));
    },
    details(markdown) {
      latest.details.offer(JSON.stringify({ markdown: cut(textOf(markdown), limits.details_bytes) }));
    },
    result(status, item, details = {}) {
      if (typeof details !== 'object' || details === null || Array.isArray(details))
        throw new TypeError('the details of a result must be an object');
      const event = { status: cut(textOf(status), 1000), item: cut(textOf(item), limits.line_bytes) };
      const text = toJson(details, 'the details of a result', limits.body_bytes);
      if (!text.startsWith('{')) throw new TypeError('the details of a result must be an object');
      emit('result', `${JSON.stringify(event).slice(0, -1)},"details":${text}}`);
    },
    sent(operation) {
      if (operation === 'progress' || operation === 'describe' || operation === 'details') latest[operation].sent();
    },
    flush() {
      for (const one of [latest.progress, latest.describe, latest.details]) one.flush();
    },
  };

  /** Sends one event beyond the limit, so that the runner sees that the limit was exceeded, and none after that. */
  function emit(operation: HostOperation, payload: string): void {
    if (bytes > limits.log_bytes || lines > limits.log_lines) return;
    bytes += byteLength(payload) + 1;
    lines += 1;
    send(0, operation, payload);
  }
}

/**
 * Passes on the latest of what is offered. Normally the next event waits until the worker has passed on the last one. A synchronous loop
 * never learns of that, so after some time the event is sent anyway.
 */
function createLatest(
  pass: (payload: string) => void,
  hostNow: () => number,
): { offer(payload: string): void; sent(): void; flush(): void } {
  let held: string | null = null;
  let unsent = false;
  let sentAt = 0;
  const flush = (): void => {
    const payload = held;
    if (payload === null) return;
    held = null;
    unsent = true;
    sentAt = hostNow();
    pass(payload);
  };
  return {
    offer(payload) {
      held = payload;
      if (!unsent || hostNow() - sentAt >= LATEST_INTERVAL_MS) flush();
    },
    sent() {
      unsent = false;
      flush();
    },
    flush,
  };
}

function whole(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new TypeError(`progress: ${name} must be a number`);
  const rounded = Math.trunc(value);
  if (!Number.isSafeInteger(rounded)) throw new RangeError(`progress: ${name} is too large`);
  return rounded;
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}

import type { HostOperation } from '../contract/script-library.ts';
import type { Limits, Send } from './guest.ts';
import { toJson } from './json.ts';
import { formatLine } from './log-format.ts';
import { byteLength, cut } from './text.ts';

export type Events = {
  log(...values: unknown[]): void;
  progress(current: unknown, total: unknown, label?: unknown): void;
  result(status: unknown, item: unknown, details?: unknown): void;
  /** To be called when the worker has passed on the last progress event. */
  progressSent(): void;
  /** Sends the progress event that is still held back. */
  flush(): void;
};

const PROGRESS_INTERVAL_MS = 10;

/** Makes `log`, `progress` and `result`. Events are sent at once, so that the last line before an endless loop can be seen. */
export function createEvents(send: Send, limits: Limits, hostNow: () => number): Events {
  let bytes = 0;
  let lines = 0;
  let held: string | null = null;
  let unsent = false;
  let sentAt = 0;

  return {
    log(...values) {
      emit('log', JSON.stringify({ line: cut(formatLine(values), limits.line_bytes) }));
    },
    progress(current, total, label) {
      held = JSON.stringify({ current: whole(current, 'current'), total: whole(total, 'total'), label: cut(textOf(label), 1000) });
      // Normally the next event waits until the worker has passed on the last one. A synchronous loop never learns of that, so
      // after some time the event is sent anyway.
      if (!unsent || hostNow() - sentAt >= PROGRESS_INTERVAL_MS) sendProgress();
    },
    result(status, item, details = {}) {
      if (typeof details !== 'object' || details === null || Array.isArray(details))
        throw new TypeError('the details of a result must be an object');
      const event = { status: cut(textOf(status), 1000), item: cut(textOf(item), limits.line_bytes) };
      const text = toJson(details, 'the details of a result', limits.body_bytes);
      if (!text.startsWith('{')) throw new TypeError('the details of a result must be an object');
      emit('result', `${JSON.stringify(event).slice(0, -1)},"details":${text}}`);
    },
    progressSent() {
      unsent = false;
      if (held !== null) sendProgress();
    },
    flush() {
      if (held !== null) sendProgress();
    },
  };

  /** Sends one event beyond the limit, so that the runner sees that the limit was exceeded, and none after that. */
  function emit(operation: HostOperation, payload: string): void {
    if (bytes > limits.log_bytes || lines > limits.log_lines) return;
    bytes += byteLength(payload) + 1;
    lines += 1;
    send(0, operation, payload);
  }

  function sendProgress(): void {
    const payload = held;
    if (payload === null) return;
    held = null;
    unsent = true;
    sentAt = hostNow();
    send(0, 'progress', payload);
  }
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

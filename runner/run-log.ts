import type { z } from 'zod';
import type { EpochKeys } from './call-key.ts';
import type { EventSender } from './event-sender.ts';
import { createLogMeter, cutLine, resultEvent } from './log-events.ts';
import type { ClaimedRun, payloads } from './payloads.ts';

/** What a run says, on its way to the sender: lines cut, progress thinned out, all of it counted. */
export type RunLog = {
  event(payload: z.infer<typeof payloads.event>): void;
  adminApi(method: string, path: string, status: number): void;
  /** Lets the last progress go. */
  flush(): void;
};

const PROGRESS_INTERVAL_MS = 100;

export function createRunLog(
  { sender, limitBytes, made, keys }: { sender: EventSender; limitBytes: number; made: ClaimedRun['log_made']; keys: () => EpochKeys },
  onFull: (limit: string) => void,
): RunLog {
  const meter = createLogMeter(limitBytes, made);
  let full = false;
  let pendingProgress: string | null = null;
  let progressTimer: NodeJS.Timeout | undefined;
  let progressAt = Number.NEGATIVE_INFINITY;

  function add(json: string, live: boolean): void {
    if (full) return;
    const limit = meter.add(json);
    if (limit === null) {
      sender.add(json, live);
      return;
    }
    full = true;
    onFull(limit);
  }

  function flush(): void {
    clearTimeout(progressTimer);
    progressTimer = undefined;
    if (pendingProgress === null) return;
    const json = pendingProgress;
    pendingProgress = null;
    progressAt = performance.now();
    add(json, true);
  }

  function progress(json: string): void {
    pendingProgress = json;
    const waitMs = progressAt + PROGRESS_INTERVAL_MS - performance.now();
    if (waitMs <= 0) flush();
    else progressTimer ??= setTimeout(flush, waitMs);
  }

  return {
    flush,
    adminApi: (method, path, status) => add(JSON.stringify({ kind: 'admin_api', method, path, status }), false),
    event(payload) {
      switch (payload.kind) {
        case 'log':
          return add(JSON.stringify({ kind: 'log', line: cutLine(payload.line) }), true);
        case 'progress':
          return progress(
            JSON.stringify({ kind: 'progress', current: payload.current, total: payload.total, label: cutLine(payload.label) }),
          );
        case 'result':
          return add(resultEvent(payload, keys()), true);
      }
    },
  };
}

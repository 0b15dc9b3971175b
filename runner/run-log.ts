import { z } from 'zod';
import type { EpochKeys } from './call-key.ts';
import type { ClaimedRun } from './claimed-run.ts';
import type { EventSender } from './event-sender.ts';
import { createLogMeter, cutLine, resultEvent } from './log-events.ts';
import type { CallTime } from './monotonic.ts';
import { ParsedObject } from './parsed-json.ts';

export const LogPayload = z.object({ line: z.string() });
export const ProgressPayload = z.object({ current: z.int(), total: z.int(), label: z.string() });
export const ResultPayload = z.object({ status: z.string(), item: z.string(), details: ParsedObject });

/** A request to another system, which a call asks for. */
export type LoggedRequest = { method: string; url: string; status: number | null };
export type LoggedCall = { method: string; path: string; status: number; request?: LoggedRequest | undefined; time?: CallTime };

/** Passes the log, progress and result events of a run to the sender; cuts long lines, thins out progress, counts everything. */
export type RunLog = {
  line(text: string): void;
  progress(payload: z.infer<typeof ProgressPayload>): void;
  result(payload: z.infer<typeof ResultPayload>, keys: EpochKeys): void;
  adminApi(call: LoggedCall): void;
  /** Sends the latest progress event, if it still waits. */
  flush(): void;
};

const PROGRESS_INTERVAL_MS = 100;

export function createRunLog(
  { sender, limitBytes, made }: { sender: EventSender; limitBytes: number; made: ClaimedRun['log_made'] },
  onFull: (limit: string) => void,
): RunLog {
  const meter = createLogMeter(limitBytes, made);
  let full = false;
  let pendingProgress: string | null = null;
  let progressTimer: NodeJS.Timeout | undefined;
  let progressAt = Number.NEGATIVE_INFINITY;

  /** `sent`: what the server gets, where that is more than the line. */
  function add(json: string, live: boolean, sent = json): void {
    if (full) return;
    const limit = meter.add(json);
    if (limit === null) {
      sender.add(sent, live);
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

  return {
    flush,
    adminApi({ method, path, status, request, time }) {
      const line = { kind: 'admin_api', method, path, status, request };
      add(JSON.stringify(line), false, JSON.stringify({ ...line, ...time }));
    },
    line: (text) => add(JSON.stringify({ kind: 'log', line: cutLine(text) }), true),
    progress({ current, total, label }) {
      pendingProgress = JSON.stringify({ kind: 'progress', current, total, label: cutLine(label) });
      const waitMs = progressAt + PROGRESS_INTERVAL_MS - performance.now();
      if (waitMs <= 0) flush();
      else progressTimer ??= setTimeout(flush, waitMs);
    },
    result: (payload, keys) => add(resultEvent(payload, keys), true),
  };
}

import { z } from 'zod';
import type { Said } from '../contract/run-events.ts';
import type { EpochKeys } from './call-key.ts';
import type { ClaimedRun } from './claimed-run.ts';
import type { EventSender } from './event-sender.ts';
import { createLogMeter, cutDetails, cutLine, descriptionOf, resultEvent } from './log-events.ts';
import type { CallTime } from './monotonic.ts';
import { ParsedObject } from './parsed-json.ts';

export const LogPayload = z.object({ line: z.string() });
export const ProgressPayload = z.object({ current: z.int(), total: z.int(), label: z.string() });
export const ResultPayload = z.object({ status: z.string(), item: z.string(), details: ParsedObject });

export const DescribePayload = z.object({ description: z.string() });
export const DetailsPayload = z.object({ markdown: z.string() });

/** A request to another system, which a call asks for. */
export type LoggedRequest = { method: string; url: string; status: number | null };
export type LoggedCall = { method: string; path: string; status: number; request?: LoggedRequest | undefined; time?: CallTime };

/** Passes the events of a run to the sender; cuts long lines, thins out those of which only the latest counts, counts the lines of the log. */
export type RunLog = {
  line(text: string): void;
  progress(payload: z.infer<typeof ProgressPayload>): void;
  result(payload: z.infer<typeof ResultPayload>, keys: EpochKeys): void;
  describe(description: string): void;
  details(markdown: string): void;
  adminApi(call: LoggedCall): void;
  /** Sends the latest events that still wait. */
  flush(): void;
  /** What the script has said since its last checkpoint. */
  said(): Said;
  /** A value of `once` is stored: what was said since, while it was made, is not said again by the script of a later claim. */
  forgetSince(begun: Said): void;
  beginEpoch(): void;
};

const PROGRESS_INTERVAL_MS = 100;
/** Details may be large. */
const DETAILS_INTERVAL_MS = 500;
const NOTHING: Said = { lines: 0, calls: 0 };

export function createRunLog(
  {
    sender,
    limitBytes,
    made,
    said: before = NOTHING,
  }: { sender: EventSender; limitBytes: number; made: ClaimedRun['log_made']; said: Said | undefined },
  onFull: (limit: string) => void,
): RunLog {
  const meter = createLogMeter(limitBytes, made);
  // A script that goes on after a wait says again what is in the log already: so many of its first lines are left out.
  let logged = before;
  let said = NOTHING;
  let full = false;
  const progress = createLatest(PROGRESS_INTERVAL_MS, (json) => add(json, true));
  const description = createLatest(PROGRESS_INTERVAL_MS, (json) => add(json, true));
  // They are no line of the log.
  const details = createLatest(DETAILS_INTERVAL_MS, (json) => sender.add(json, true));

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

  /** Whether the script is still on the way to where it waited, and says what was said before. */
  const isBehind = (): boolean => said.lines < logged.lines || said.calls < logged.calls;

  return {
    flush() {
      for (const one of [progress, description, details]) one.flush();
    },
    said: () => said,
    forgetSince(begun) {
      const left = { lines: Math.max(0, logged.lines - said.lines), calls: Math.max(0, logged.calls - said.calls) };
      logged = { lines: begun.lines + left.lines, calls: begun.calls + left.calls };
      said = begun;
    },
    beginEpoch() {
      logged = NOTHING;
      said = NOTHING;
    },
    adminApi({ method, path, status, request, time }) {
      said = { ...said, calls: said.calls + 1 };
      if (said.calls <= logged.calls) return;
      const line = { kind: 'admin_api', method, path, status, request };
      add(JSON.stringify(line), false, JSON.stringify({ ...line, ...time }));
    },
    line(text) {
      said = { ...said, lines: said.lines + 1 };
      if (said.lines > logged.lines) add(JSON.stringify({ kind: 'log', line: cutLine(text) }), true);
    },
    progress({ current, total, label }) {
      if (isBehind()) return;
      progress.offer(JSON.stringify({ kind: 'progress', current, total, label: cutLine(label) }));
    },
    describe(text) {
      if (isBehind()) return;
      description.offer(JSON.stringify({ kind: 'describe', description: descriptionOf(text) }));
    },
    details(markdown) {
      if (isBehind()) return;
      details.offer(JSON.stringify({ kind: 'details', markdown: cutDetails(markdown) }));
    },
    result: (payload, keys) => add(resultEvent(payload, keys), true),
  };
}

/** Passes on the latest of what is offered, at most once in each interval, and nothing twice in a row. */
function createLatest(intervalMs: number, pass: (json: string) => void): { offer(json: string): void; flush(): void } {
  let held: string | null = null;
  let passed: string | null = null;
  let passedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const json = held;
    held = null;
    if (json === null || json === passed) return;
    passed = json;
    passedAt = performance.now();
    pass(json);
  };
  return {
    offer(json) {
      held = json;
      const waitMs = passedAt + intervalMs - performance.now();
      if (waitMs <= 0) flush();
      else timer ??= setTimeout(flush, waitMs);
    },
    flush,
  };
}

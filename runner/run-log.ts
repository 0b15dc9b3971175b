import { hash } from 'node:crypto';
import { z } from 'zod';
import { hashesIn, type Said } from '../contract/run-events.ts';
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
  /** The same, unless the script is on the way to where it waited. */
  tell(): void;
  /** What the script has said since its last checkpoint, and what it shows. */
  said(): Said;
  /** How much the script has said since its last checkpoint. */
  saidCount(): number;
  /** A value of `once` is stored: what was said since, while it was made, is not said again by the script of a later claim. */
  forgetSince(count: number): void;
  /** The script gets what this wait has brought. */
  gotAnswer(waitId: number): void;
  beginEpoch(): void;
};

const PROGRESS_INTERVAL_MS = 100;
/** Details may be large. */
const DETAILS_INTERVAL_MS = 500;

export function createRunLog(
  {
    sender,
    limitBytes,
    made,
    said: before,
  }: { sender: EventSender; limitBytes: number; made: ClaimedRun['log_made']; said: ClaimedRun['said'] },
  onFull: (limit: string) => void,
): RunLog {
  const meter = createLogMeter(limitBytes, made);
  const said = createSaid(before?.texts);
  /** A script that goes on after a wait shows again what it showed before, until it gets what the wait has brought. */
  const waits = new Set(before?.waits);
  let behind = waits.size > 0;
  let full = false;
  const latest = (kind: Shown, intervalMs: number, pass: (json: string) => void) =>
    createLatest({ intervalMs, pass, passed: before?.shown[kind], isHeld: () => behind });
  const progress = latest('progress', PROGRESS_INTERVAL_MS, (json) => add(json, true));
  const description = latest('description', PROGRESS_INTERVAL_MS, (json) => add(json, true));
  // They are no line of the log.
  const details = latest('details', DETAILS_INTERVAL_MS, (json) => sender.add(json, true));

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
    for (const one of [progress, description, details]) one.flush();
  }

  function catchUp(): void {
    behind = false;
    flush();
  }

  return {
    flush,
    tell() {
      if (!behind) flush();
    },
    said: () => ({
      texts: said.texts(),
      shown: { progress: progress.passed(), description: description.passed(), details: details.passed() },
    }),
    saidCount: said.count,
    forgetSince: said.forgetSince,
    gotAnswer(waitId) {
      if (behind && waits.has(waitId)) catchUp();
    },
    beginEpoch() {
      said.forget();
      if (behind) catchUp();
    },
    adminApi({ method, path, status, request, time }) {
      const line = { kind: 'admin_api', method, path, status, request };
      const json = JSON.stringify(line);
      if (said.isNew(json)) add(json, false, JSON.stringify({ ...line, ...time }));
    },
    line(text) {
      const json = JSON.stringify({ kind: 'log', line: cutLine(text) });
      if (said.isNew(json)) add(json, true);
    },
    progress({ current, total, label }) {
      progress.offer(JSON.stringify({ kind: 'progress', current, total, label: cutLine(label) }));
    },
    describe(text) {
      description.offer(JSON.stringify({ kind: 'describe', description: descriptionOf(text) }));
    },
    details(markdown) {
      details.offer(JSON.stringify({ kind: 'details', markdown: cutDetails(markdown) }));
    },
    result: (payload, keys) => add(resultEvent(payload, keys), true),
  };
}

type Shown = keyof Said['shown'];

/** A text as it is kept while a run waits. */
const hashOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, 8);

/**
 * What a script says between two checkpoints. `before`: what it said there before it waited without a worker, which it says again now, though
 * perhaps not in the same order: after a checkpoint, it comes another way.
 */
function createSaid(before = '') {
  const logged = new Map<string, number>();
  for (const key of hashesIn(before)) add(logged, key, 1);
  const counts = new Map<string, number>();
  let order: string[] = [];
  return {
    /** Counts a text as said; false: it was said, and logged, before. */
    isNew(text: string): boolean {
      const key = hashOf(text);
      order.push(key);
      return add(counts, key, 1) > (logged.get(key) ?? 0);
    },
    count: () => order.length,
    forgetSince(count: number): void {
      for (const key of order.splice(count)) {
        add(counts, key, -1);
        add(logged, key, -1);
      }
    },
    forget(): void {
      logged.clear();
      counts.clear();
      order = [];
    },
    texts(): string {
      const left = [...logged].flatMap(([key, count]) => Array<string>(Math.max(0, count - (counts.get(key) ?? 0))).fill(key));
      return [...order, ...left].join('');
    },
  };
}

/** Adds to a count, which never becomes negative. */
function add(counts: Map<string, number>, key: string, more: number): number {
  const count = Math.max(0, (counts.get(key) ?? 0) + more);
  counts.set(key, count);
  return count;
}

type Latest = { offer(json: string): void; flush(): void; passed(): string | undefined };
/** `passed`: the last one of an earlier claim, as `hashOf` makes it. */
type LatestRules = { intervalMs: number; pass: (json: string) => void; passed: string | undefined; isHeld: () => boolean };

/** Passes on the latest of what is offered, at most once in each interval, nothing while it is held, and nothing twice in a row. */
function createLatest({ intervalMs, pass, passed: before, isHeld }: LatestRules): Latest {
  let held: string | null = null;
  let passed = before;
  let passedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const json = held;
    held = null;
    if (json === null || hashOf(json) === passed) return;
    passed = hashOf(json);
    passedAt = performance.now();
    pass(json);
  };
  return {
    offer(json) {
      held = json;
      if (isHeld()) return;
      const waitMs = passedAt + intervalMs - performance.now();
      if (waitMs <= 0) flush();
      else timer ??= setTimeout(flush, waitMs);
    },
    flush,
    passed: () => passed,
  };
}

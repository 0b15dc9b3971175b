import { LOG_MAX_BYTES, type LoggedEvent, logLinesMax } from '../../../../contract/run-events.ts';
import type { Ctx } from '../../../verbs/context.ts';
import { Refusal } from '../../../verbs/problem.ts';
import type { RunRow } from '../rows/store.ts';
import * as store from './line-store.ts';

type LogState = Pick<RunRow, 'id' | 'log_lines' | 'log_bytes' | 'log_calls'>;
/** Each line is a sign of progress. */
type LogChanges = Omit<LogState, 'id'> & Partial<Pick<RunRow, 'sign_ms'>>;

type Source = { source: 'server' } | { source: 'run'; limit: number | undefined; times: ReadonlyMap<LoggedEvent, CallTime> };

/** When a call was sent, how long it took, and its epoch, as far as is known. */
export type CallTime = { at: string; durationMs: number | null; epoch: number | null };

/**
 * Appends events as lines: exactly the event as JSON, with its number and time in columns beside it (spec EV4).
 * Returns the columns that the caller must store in the run. The server's own few lines may exceed the limit. `limit` is that of the
 * claim whose runner reports, in bytes. `times` has what is known of the calls that events report.
 */
export async function appendLines(
  ctx: Pick<Ctx, 'db' | 'now' | 'after' | 'services'>,
  run: LogState,
  events: readonly LoggedEvent[],
  from: Source,
): Promise<LogChanges> {
  let { log_lines, log_bytes } = run;
  if (events.length === 0) return { log_lines, log_bytes, log_calls: run.log_calls };
  const lines = events.map((event) => JSON.stringify(event));
  for (const line of lines) log_bytes += Buffer.byteLength(line) + 1;
  log_lines += lines.length;
  if (from.source === 'run') requireWithin(from.limit, { log_lines, log_bytes });
  tellRun(ctx, run.id);
  const to = { runId: run.id, at: ctx.now, source: from.source };
  const log_calls = run.log_calls + events.filter(({ kind }) => kind === 'admin_api').length;
  if (log_calls === run.log_calls) {
    await store.insertLines(ctx.db, { ...to, before: run.log_lines, lines: JSON.stringify(lines) });
  } else {
    const times = from.source === 'run' ? from.times : undefined;
    await store.insertTimedLines(ctx.db, { ...to, lines: timedLines(run, ctx.now, events, lines, times) });
  }
  return { log_lines, log_bytes, log_calls, sign_ms: Date.parse(ctx.now) };
}

function requireWithin(limit: number | undefined, { log_lines, log_bytes }: Pick<LogState, 'log_lines' | 'log_bytes'>): void {
  const mostBytes = limit ?? LOG_MAX_BYTES;
  const mostLines = logLinesMax(mostBytes);
  if (log_bytes <= mostBytes && log_lines <= mostLines) return;
  throw new Refusal(
    'log_too_large',
    `The log of this run holds at most ${mostBytes} bytes and ${mostLines} lines; nothing of this batch was kept.`,
    limit === undefined ? {} : { extra: { budget: 'log_bytes', limit: mostBytes } },
  );
}

/** After the commit, those who follow the run look at it. */
export function tellRun({ after, services }: Pick<Ctx, 'after' | 'services'>, runId: number): void {
  after(() => services.runFollowers.fire(runId));
}

/** The lines with their numbers; those that report calls have the next numbers of calls and the known times too. */
function timedLines(
  { log_lines, log_calls }: LogState,
  now: string,
  events: readonly LoggedEvent[],
  lines: readonly string[],
  times: ReadonlyMap<LoggedEvent, CallTime> = new Map(),
): store.TimedLine[] {
  let call = log_calls;
  return events.map((event, n) => {
    const numbered = { seq: log_lines + n + 1, line: lines[n] ?? '' };
    if (event.kind !== 'admin_api') return { ...numbered, call_number: null, call_at: null, duration_ms: null, epoch: null };
    call += 1;
    const { at, durationMs, epoch } = times.get(event) ?? { at: now, durationMs: null, epoch: null };
    return { ...numbered, call_number: call, call_at: at, duration_ms: durationMs, epoch };
  });
}

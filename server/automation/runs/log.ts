import { LOG_MAX_BYTES, type LoggedEvent, logLinesMax } from '../../../contract/run-events.ts';
import type { Ctx } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import * as store from './store.ts';

type LogState = Pick<store.RunRow, 'id' | 'log_lines' | 'log_bytes'>;

/**
 * Appends events as lines: exactly the event as JSON, with its number and time in columns beside it (decisions.md EV4).
 * Returns the columns that the caller must store in the run. `past: 'limit'` is for the server's own few lines, which may
 * exceed the limit. `runner` is the limit in bytes of the claim whose runner reports.
 */
export async function appendLines(
  ctx: Pick<Ctx, 'db' | 'now'>,
  run: LogState,
  events: readonly LoggedEvent[],
  options: { past?: 'limit'; runner?: number | undefined } = {},
): Promise<Pick<LogState, 'log_lines' | 'log_bytes'>> {
  let { log_lines, log_bytes } = run;
  if (events.length === 0) return { log_lines, log_bytes };
  const lines = events.map((event) => JSON.stringify(event));
  for (const line of lines) log_bytes += Buffer.byteLength(line) + 1;
  log_lines += lines.length;
  const mostBytes = options.runner ?? LOG_MAX_BYTES;
  const mostLines = logLinesMax(mostBytes);
  if (options.past !== 'limit' && (log_bytes > mostBytes || log_lines > mostLines)) {
    throw new Refusal(
      'log_too_large',
      `The log of this run holds at most ${mostBytes} bytes and ${mostLines} lines; nothing of this batch was kept.`,
      options.runner === undefined ? {} : { extra: { budget: 'log_bytes', limit: mostBytes } },
    );
  }
  await store.insertLines(ctx.db, { runId: run.id, before: run.log_lines, at: ctx.now, lines: JSON.stringify(lines) });
  return { log_lines, log_bytes };
}

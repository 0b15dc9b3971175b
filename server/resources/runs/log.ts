import { LOG_MAX_BYTES, LOG_MAX_LINES, type LoggedEvent } from '../../../contract/run-events.ts';
import type { Ctx } from '../../context.ts';
import { Refusal } from '../../problem.ts';
import * as store from './store.ts';

type LogState = Pick<store.RunRow, 'id' | 'log_lines' | 'log_bytes'>;

/** Rows a statement; SQLite takes 32,766 values at most. */
const ROWS_PER_INSERT = 1000;

/** Appends events as lines: exactly the event as JSON, with its number and time beside it (decisions.md EV4). Returns the new state. `past: 'limit'`: for our own few lines. */
export async function appendLines(ctx: Pick<Ctx, 'db' | 'now'>, run: LogState, events: readonly LoggedEvent[], options: { past?: 'limit' } = {}): Promise<LogState> {
  if (events.length === 0) return run;
  let { log_lines, log_bytes } = run;
  const rows = events.map((event) => {
    const line = JSON.stringify(event);
    log_lines += 1;
    log_bytes += Buffer.byteLength(line) + 1;
    return { run_id: run.id, seq: log_lines, at: ctx.now, line };
  });
  if (options.past !== 'limit' && (log_bytes > LOG_MAX_BYTES || log_lines > LOG_MAX_LINES)) {
    throw new Refusal('log_too_large', `The log of a run holds at most ${LOG_MAX_BYTES} bytes and ${LOG_MAX_LINES} lines; nothing of this batch was kept.`);
  }
  for (let i = 0; i < rows.length; i += ROWS_PER_INSERT) await store.insertLines(ctx.db, rows.slice(i, i + ROWS_PER_INSERT));
  await store.updateRun(ctx.db, run.id, { log_lines, log_bytes });
  return { id: run.id, log_lines, log_bytes };
}

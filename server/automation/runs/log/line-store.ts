import { sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { insertInto, statement } from '../../../db/queries/statement.ts';
import type { Row } from '../../../db/tables.ts';

/** Lines of logs with the times of their calls, and what is known of checkpoints. */

type Source = NonNullable<Row<'run_events'>['source']>;
type NewLines = { runId: number; before: number; at: string; source: Source; lines: string };

/** `lines`: a JSON array of texts; they get the numbers after `before`. */
export async function insertLines(db: Db, lines: NewLines): Promise<void> {
  await insertLineRows(db, lines);
}

const insertLineRows = statement<NewLines>(
  (value, dialect) => sql`
    INSERT INTO run_events (run_id, seq, at, source, line)
    SELECT CAST(${value('runId')} AS bigint), CAST(${value('before')} AS bigint) + position, CAST(${value('at')} AS text),
      CAST(${value('source')} AS text), line
    FROM ${dialect.linesOf(value('lines'))}`,
);

/** A line among which some report calls; the columns from `call_number` on are null for the others. */
export type TimedLine = Pick<Row<'run_events'>, 'seq' | 'line' | 'call_number' | 'call_at' | 'duration_ms' | 'epoch'>;

const columns = {
  seq: 'integer',
  line: 'text',
  call_number: 'integer',
  call_at: 'text',
  duration_ms: 'integer',
  epoch: 'integer',
} as const satisfies Record<keyof TimedLine, 'integer' | 'text'>;

/** The same for lines of which some report calls; one statement for all of them. */
export async function insertTimedLines(
  db: Db,
  { lines, ...to }: Omit<NewLines, 'before' | 'lines'> & { lines: readonly TimedLine[] },
): Promise<void> {
  const rows = lines.map(({ seq, line, call_number, call_at, duration_ms, epoch }) => [
    seq,
    line,
    call_number,
    call_at,
    duration_ms,
    epoch,
  ]);
  await insertTimedRows(db, { ...to, rows: JSON.stringify(rows) });
}

const insertTimedRows = statement<Omit<NewLines, 'before' | 'lines'> & { rows: string }>((value, dialect) => {
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)));
  return sql`
    INSERT INTO run_events (run_id, at, source, ${names})
    SELECT CAST(${value('runId')} AS bigint), CAST(${value('at')} AS text), CAST(${value('source')} AS text), ${names}
    FROM ${dialect.rowsOf(value('rows'), columns)}`;
});

type Page = { runId: number; after: number; limit: number };

export const selectTimedLines = statement<Page, Pick<Row<'run_events'>, 'seq' | 'at' | 'line' | 'call_number' | 'duration_ms' | 'source'>>(
  (value) => sql`
    SELECT seq, at, line, call_number, duration_ms, source FROM run_events
    WHERE run_id = ${value('runId')} AND seq > ${value('after')} ORDER BY seq LIMIT ${value('limit')}`,
);

export const selectCalls = statement<Page, TimedLine & { at: string }>(
  (value) => sql`
    SELECT seq, at, line, call_number, call_at, duration_ms, epoch FROM run_events
    WHERE run_id = ${value('runId')} AND call_number > ${value('after')} ORDER BY call_number LIMIT ${value('limit')}`,
);

/** The first lines of a run that report results. */
export const selectResultLines = statement<{ runId: number; limit: number }, { line: string }>(
  (value) => sql`
    SELECT line FROM run_events WHERE run_id = ${value('runId')} AND line LIKE '{"kind":"result",%' ORDER BY seq LIMIT ${value('limit')}`,
);

const insertCheckpointRow = insertInto('run_checkpoints');

export async function insertCheckpoint(db: Db, row: Row<'run_checkpoints'>): Promise<void> {
  await insertCheckpointRow(db, row);
}

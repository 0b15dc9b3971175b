import { sql } from 'kysely';
import type { At } from '../../../db/open.ts';

/** A message as the log stores it stands between these; `LoggedEvent` names `kind` first. */
const BEFORE = '{"kind":"log","line":"';
const AFTER = '"}';

/**
 * What JSON writes for characters that no searched text has, and for `\` and `"`. One sign takes the place of each, so that a text cannot
 * begin in the middle of it. The backslash comes first: after it, each `\` begins something else.
 */
const BACKSLASH = '\ue000';
const QUOTE = '\ue001';
const OTHER = '\ue002';
const SIGNS: readonly (readonly [written: string, sign: string])[] = [
  ['\\\\', BACKSLASH],
  ['\\"', QUOTE],
  ...['\\n', '\\r', '\\t', '\\b', '\\f', '\\u001b'].map((written) => [written, OTHER] as const),
];

/**
 * Which of these runs have a description or a message in their log that contains the text. The log of each run is read on its own, by its key, up to the
 * first such message. A subquery that gives a value is never joined, so PostgreSQL cannot choose to read all logs instead.
 */
export async function selectSaying({ db, dialect }: At, ids: readonly number[], text: string): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const line = sql.ref<string>('e.line');
  const message = sql<string>`substr(${line}, ${sql.lit(BEFORE.length + 1)}, length(${line}) - ${sql.lit(BEFORE.length + AFTER.length)})`;
  const signed = SIGNS.reduce((whole, [written, sign]) => sql<string>`replace(${whole}, ${sql.lit(written)}, ${sql.lit(sign)})`, message);
  const searched = text.replaceAll('\\', BACKSLASH).replaceAll('"', QUOTE);
  // The first test of the text alone rules most lines out, so that few are rewritten.
  const { rows } = await sql<{ id: number }>`
    SELECT r.id FROM runs r WHERE r.id IN (${sql.join(ids)}) AND (${dialect.containsAnyCase(sql.ref('r.description'), text)} OR (
      SELECT 1 FROM run_events e WHERE e.run_id = r.id AND substr(${line}, 1, ${sql.lit(BEFORE.length)}) = ${sql.lit(BEFORE)}
        AND ${dialect.containsAnyCase(line, JSON.stringify(text).slice(1, -1))} AND ${dialect.containsAnyCase(signed, searched)} LIMIT 1
    ) = 1)`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

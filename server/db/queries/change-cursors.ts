import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { STAGED_FROM } from '../../values/staged-range.ts';
import type { At } from '../open.ts';
import { countRows, type Position } from './keyset.ts';

/**
 * Lists in the order of change, which miss no change, in whatever order transactions commit. Each row has the number of its last change
 * (`changed_in`, see schema/changes.ts). A change cursor says which numbers were committed then, so the rows that changed between two of
 * them are those whose number belongs to the second and not to the first.
 */

/** Which changes were committed when it was made. */
export type ChangeCursor = {
  /** Identifies the sequence of numbers. */
  era: string;
  /** All numbers below are committed. */
  from: number;
  /** No number from here on is. */
  to: number;
  /** The numbers between that are not, because their transactions were open: ascending, at most `MOST_OPEN`. */
  open: readonly number[];
  /** How many changes the dry run that looks had made before. */
  staged: number;
};

/** With more open transactions, a cursor ends at the first that is too many: what came after it counts as not committed yet. */
export const MOST_OPEN = 100;

/** The changes of a list since one cursor and until another, after a position; `limit` rows of them. */
export type Walk = { since: ChangeCursor; until: ChangeCursor; after: Position | null };

export async function presentCursor({ db, dialect }: At): Promise<ChangeCursor> {
  const { rows } = await sql<{ era: string; committed: string; staged: number }>`
    SELECT era, ${dialect.committedChanges} AS committed, ${dialect.stagedChanges} AS staged FROM change_numbers`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the table change_numbers is empty');
  return { era: row.era, ...committedIn(row.committed), staged: row.staged };
}

/** Reads PostgreSQL's text of a snapshot, `from:to:open,open`. */
export function committedIn(text: string): Pick<ChangeCursor, 'from' | 'to' | 'open'> {
  const [from = '', to = '', open = ''] = text.split(':');
  const all = open === '' ? [] : open.split(',').map(Number);
  return { from: Number(from), to: all[MOST_OPEN] ?? Number(to), open: all.slice(0, MOST_OPEN) };
}

/** The cursor before all changes. */
export const beforeAll = ({ era }: ChangeCursor): ChangeCursor => ({ era, from: 0, to: 0, open: [], staged: 0 });

/** The conditions for the rows of a walk. Only one bound of each side is for the index; after a position, the position is the lower one. */
export function changedIn({ dialect }: Pick<At, 'dialect'>, { since, until, after }: Walk): RawBuilder<boolean>[] {
  const column = sql.ref<number>('changed_in');
  const tested = dialect.withoutIndex(column);
  const stagedTo = (cursor: ChangeCursor) => STAGED_FROM + cursor.staged;
  const among = (numbers: readonly number[]) => (numbers.length === 0 ? sql`(NULL)` : sql`(${sql.join(numbers)})`);
  return [
    after ? sql<boolean>`(${column}, id) > (${after.value}, ${after.id})` : sql<boolean>`${column} >= ${since.from}`,
    since.open.length === 0
      ? sql<boolean>`${tested} >= ${since.to}`
      : sql<boolean>`(${tested} >= ${since.to} OR ${tested} IN ${among(since.open)})`,
    ...(since.staged === 0 ? [] : [sql<boolean>`(${tested} < ${STAGED_FROM} OR ${tested} > ${stagedTo(since)})`]),
    until.staged === 0
      ? sql<boolean>`${column} < ${until.to}`
      : sql<boolean>`(${tested} < ${until.to} OR ${tested} BETWEEN ${STAGED_FROM} AND ${stagedTo(until)})`,
    ...(until.open.length === 0 ? [] : [sql<boolean>`${tested} NOT IN ${among(until.open)}`]),
  ];
}

/** A list in the order of change: first the positions, then the whole rows, in any order. */
export type Changes<T> = {
  keys(walk: Walk, limit: number): Promise<Position[]>;
  /** The number of rows that changed since a cursor and until another. */
  count(walk: Walk): Promise<number>;
  /** The number of rows that the list has without `after`. */
  countAll(): Promise<number>;
  rows(ids: readonly number[]): Promise<T[]>;
};

/** The changes of the rows that a query finds. Its other conditions must not tempt the planner away from the index of the changes. */
export function changesOf<T, Tables, Table extends keyof Tables>(
  at: At,
  found: SelectQueryBuilder<Tables, Table, object>,
  rows: Changes<T>['rows'],
): Changes<T> {
  const within = (walk: Walk) => changedIn(at, walk).reduce((query, condition) => query.where(condition), found);
  return {
    keys: (walk, limit) =>
      within(walk)
        .select([sql.ref<number>('changed_in').as('value'), sql.ref<number>('id').as('id')])
        .orderBy(sql.ref('changed_in'))
        .orderBy(sql.ref('id'))
        .limit(limit)
        .$castTo<Position>()
        .execute(),
    count: (walk) => countRows(within(walk)),
    countAll: () => countRows(found),
    rows,
  };
}

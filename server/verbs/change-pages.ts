import { z } from 'zod';
import { FROM_START } from '../../contract/paging.ts';
import type { At } from '../db/open.ts';
import { beforeAll, type ChangeCursor, type Changes, MOST_OPEN, presentCursor } from '../db/queries/change-cursors.ts';
import type { Position } from '../db/queries/keyset.ts';
import { formWith, jsonIn } from './list-pages.ts';
import { refuseParameter } from './problem.ts';

export type ChangesQuery = { after: string; cursor?: string | undefined; per_page: number };

/**
 * Reads one page of a list in the order of change. The list ends at the moment when its first page was read: a record that changes while
 * the pages are read moves behind that end, and the list that begins at `changes_cursor` has it.
 */
export async function changedPage<T extends { id: number }>(ctx: At, { after, cursor, per_page: perPage }: ChangesQuery, list: Changes<T>) {
  const now = await presentCursor(ctx);
  const place = cursor === undefined ? await firstPlace(now, after, list) : placeIn(now, cursor);
  const keys = await list.keys(place, perPage + 1);
  const shown = keys.slice(0, perPage).map(({ id }) => id);
  const rows = shown.length > 0 ? await list.rows(shown) : [];
  const { since, until, page, total } = place;
  const cursorAfter = ({ value, id }: Position) => textOf(['changes', partsOf(since), partsOf(until), Number(value), id, page + 1, total]);
  return { ...formWith({ page, perPage }, total, keys, rows, cursorAfter), changes_cursor: textOf(partsOf(until)) };
}

type Place = { since: ChangeCursor; until: ChangeCursor; after: Position | null; page: number; total: number };

async function firstPlace<T>(now: ChangeCursor, after: string, list: Changes<T>): Promise<Place> {
  const isStart = after === FROM_START;
  const walk = { since: isStart ? beforeAll(now) : sinceIn(now, after), until: now, after: null };
  return { ...walk, page: 1, total: isStart ? await list.countAll() : await list.count(walk) };
}

function sinceIn(now: ChangeCursor, text: string): ChangeCursor {
  const parts = Parts.safeParse(jsonIn(text));
  if (!parts.success) throw refuseParameter('invalid_value', 'after', `must be changes_cursor of this list, or ${FROM_START}`);
  return cursorOf(now, parts.data, 'after');
}

function placeIn(now: ChangeCursor, text: string): Place {
  const cursor = Cursor.safeParse(jsonIn(text));
  if (!cursor.success) throw refuseParameter('invalid_value', 'cursor', 'must be next_cursor of this list, read with after');
  const [, since, until, value, id, page, total] = cursor.data;
  return { since: cursorOf(now, since, 'cursor'), until: cursorOf(now, until, 'cursor'), after: { value, id }, page, total };
}

const Count = z.int().min(0);
/** A change cursor as it stands in text. */
const Parts = z.tuple([z.string().max(12), Count, Count, z.array(Count).max(MOST_OPEN), Count]);
const Cursor = z.tuple([z.literal('changes'), Parts, Parts, Count, z.int(), z.int().min(1), Count]);

/** The open numbers are told from the lowest, because that makes the cursor shorter. */
function partsOf({ era, from, to, open, staged }: ChangeCursor): z.infer<typeof Parts> {
  return [era, from, to, open.map((number) => number - from), staged];
}

function cursorOf(now: ChangeCursor, [era, from, to, open, staged]: z.infer<typeof Parts>, parameter: string): ChangeCursor {
  if (era !== now.era || to > now.to) {
    const detail = `is of a time that was lost when the shop was restored from a backup; begin again with after=${FROM_START}`;
    throw refuseParameter('invalid_value', parameter, detail);
  }
  return { era, from, to, open: open.map((number) => from + number), staged };
}

function textOf(parts: z.infer<typeof Parts> | z.infer<typeof Cursor>): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

import { z } from 'zod';
import { isEventType } from '../../../contract/events.ts';
import { EventFilter } from '../../../contract/triggers.ts';
import { namedEvent } from '../../../contract/wait-rules.ts';
import { readsOf } from '../../db/open.ts';
import { type ChangeCursor, presentCursor } from '../../db/queries/change-cursors.ts';
import type { Services } from '../../services.ts';
import type { Ctx } from '../../verbs/context.ts';
import { FINISHED } from '../runs/life/end.ts';
import { continueRun } from '../runs/life/offer.ts';
import { lockRun } from '../runs/rows/domain.ts';
import { endFoundWait } from '../trigger-queue/waits.ts';
import { findEvent } from './looking-back.ts';
import { shownEvent, valueIn } from './rules.ts';
import * as store from './store.ts';

const AT_A_TIME = 100;
/** A write that may have missed a wait is soon over; each look that finds none of them over doubles it. */
const UNSETTLED_MS = 50;
/** After a look that found all that is due held by open writes; each further one doubles it. */
const HELD_MS = 50;
/** How often a server looks that may not hear of what another one stores, and one that is alone. */
const UNHEARD_MS = 1000;
const ALONE_MS = 60_000;

/**
 * Returns the function that ends waits whose time is up and lets runs go on whose waits have ended; it returns in how many milliseconds the
 * next one is due. Any number of servers may call it.
 */
export function waitEnder(services: Services): () => Promise<number> {
  const { store: data, broadcast } = services;
  const looks: Looks = { seen: new Map(), nextMs: UNSETTLED_MS };
  let heldMs = 0;
  return async () => {
    const isUnsettled = !data.dialect.oneWriter && (await settleAll(services, looks));
    const left = await store.selectNextDue(data.reader, {});
    const isHeld = left !== undefined && left.left_ms <= 0 && (await endAllDue(services)) === 0;
    heldMs = isHeld ? Math.min(heldMs * 2 || HELD_MS, UNHEARD_MS) : 0;
    await wakeAll(services);
    const next = await store.selectNextDue(data.reader, {});
    const mostMs = isUnsettled ? looks.nextMs : data.dialect.oneWriter ? ALONE_MS : broadcast.pollMs(UNHEARD_MS);
    if (isHeld && next !== undefined && next.left_ms <= 0) return heldMs;
    return Math.max(0, Math.min(next?.left_ms ?? mostMs, mostMs));
  };
}

async function wakeAll({ store: data, stopping, transact }: Services): Promise<void> {
  for (;;) {
    const waking = await store.selectWaking(data.reader, { limit: AT_A_TIME });
    for (const one of waking) if (!stopping.aborted) await transact(FINISHED, (ctx) => wake(ctx, one));
    if (waking.length < AT_A_TIME || stopping.aborted) return;
  }
}

/** Returns how many it has ended; none if another server or a write holds them. */
async function endAllDue({ store: data, stopping }: Services): Promise<number> {
  let ended = 0;
  while (!stopping.aborted) {
    const some = await data.write((db) => store.endDue({ db, dialect: data.dialect }, new Date().toISOString(), AT_A_TIME));
    ended += some;
    if (some < AT_A_TIME) break;
  }
  return ended;
}

/** Lets the run of an ended wait go on, if it has no worker; a worker finds the answer itself. */
async function wake(ctx: Ctx, { id, asked_by_run_id }: { id: number; asked_by_run_id: number }): Promise<void> {
  const run = await lockRun(ctx.db, asked_by_run_id);
  const row = await store.takeWaking(ctx.db, { id });
  if (!row || run?.status !== 'running') return;
  await continueRun(ctx, run, whyOf(row.awaits ?? '', row.answers));
}

/** What the log says; of a sleep nothing. */
function whyOf(awaits: string, answers: string | null): string | null {
  if (awaits === 'sleep') return null;
  const event = namedEvent(awaits);
  return valueIn(answers) === null ? `${event} did not come in time` : `${event} came`;
}

/** `seen`: of each wait, from which number on a write was not open at the first look, and which were open at the last one. */
type Looks = { seen: Map<number, { mark: number; open: string }>; nextMs: number };

const OpenWrites = z.object({ to: z.int(), open: z.array(z.int()) });

/**
 * On PostgreSQL, a write that was open when a wait began has not seen it, and may store the event later. Each such wait is looked after until
 * no write is open that was open at the first look, each time when one of them is over.
 */
async function settleAll({ store: data }: Services, looks: Looks): Promise<boolean> {
  const rows = await store.selectUnsettled(data.reader, { limit: 1000 });
  if (rows.length === 0) {
    looks.seen.clear();
    return false;
  }
  const cursor = await presentCursor(readsOf(data));
  const { from, to } = cursor;
  const seen: Looks['seen'] = new Map();
  let isNew = false;
  for (const row of rows) {
    const last = looks.seen.get(row.id);
    const mark = last?.mark ?? to;
    const open = openBefore(cursor, mark);
    // A number that is still to come is of another cluster, from which the store was copied.
    const isSettled = from >= mark || mark > to;
    if (isSettled || open !== last?.open) {
      await lookAfter(data, row, isSettled);
      isNew = true;
    }
    if (!isSettled) seen.set(row.id, { mark, open });
  }
  looks.nextMs = isNew ? UNSETTLED_MS : Math.min(looks.nextMs * 2, UNHEARD_MS);
  looks.seen = seen;
  return seen.size > 0;
}

/** The writes that are still open of those before a number. A cursor tells only the first of very many, and where it ends. */
function openBefore({ open, to }: ChangeCursor, mark: number): string {
  return [...open.filter((number) => number < mark), Math.min(to, mark)].join();
}

async function lookAfter(data: Services['store'], row: store.Unsettled, isSettled: boolean): Promise<void> {
  const { awaits: type, match } = row;
  const unseenIn = OpenWrites.parse(JSON.parse(row.open_writes));
  const from = new Date(Date.parse(row.asked_at) - LONGEST_WRITE_MS).toISOString();
  const found =
    row.answered_at === null && isEventType(type)
      ? await findEvent(data.reader, { type, match: EventFilter.parse(JSON.parse(match)), from, unseenIn }, new Set())
      : null;
  if (found === null && !isSettled) return;
  await data.write(async (db) => {
    if (found !== null) await endFoundWait(db, row.id, { value: shownEvent(found), at: new Date().toISOString() });
    await store.settle(db, row.id);
  });
}

/** An event carries the time at which its transaction began. */
const LONGEST_WRITE_MS = 3_600_000;

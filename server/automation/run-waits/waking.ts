import { z } from 'zod';
import { isEventType } from '../../../contract/events.ts';
import { EventFilter } from '../../../contract/triggers.ts';
import { readsOf } from '../../db/open.ts';
import { presentCursor } from '../../db/queries/change-cursors.ts';
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
/** A write that may have missed a wait is soon over. */
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
  const marks = new Map<number, number>();
  let heldMs = 0;
  return async () => {
    const isUnsettled = !data.dialect.oneWriter && (await settleAll(services, marks));
    const left = await store.selectNextDue(data.reader, {});
    const isHeld = left !== undefined && left.left_ms <= 0 && (await endAllDue(services)) === 0;
    heldMs = isHeld ? Math.min(heldMs * 2 || HELD_MS, UNHEARD_MS) : 0;
    await wakeAll(services);
    const next = await store.selectNextDue(data.reader, {});
    const mostMs = isUnsettled ? UNSETTLED_MS : data.dialect.oneWriter ? ALONE_MS : broadcast.pollMs(UNHEARD_MS);
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
function whyOf(event: string, answers: string | null): string | null {
  if (event === 'sleep') return null;
  return valueIn(answers) === null ? `${event} did not come in time` : `${event} came`;
}

const OpenWrites = z.object({ to: z.int(), open: z.array(z.int()) });

/**
 * On PostgreSQL, a write that was open when a wait began has not seen it, and may store the event later. Each such wait is looked after until
 * no write is open that was open at the first look. `marks`: for each wait, from which number on a write was not open then.
 */
async function settleAll({ store: data }: Services, marks: Map<number, number>): Promise<boolean> {
  const rows = await store.selectUnsettled(data.reader, { limit: 1000 });
  if (rows.length === 0) {
    marks.clear();
    return false;
  }
  const { from, to } = await presentCursor(readsOf(data));
  let left = false;
  for (const row of rows) {
    const mark = marks.get(row.id) ?? to;
    marks.set(row.id, mark);
    // A number that is still to come is of another cluster, from which the store was copied.
    const isSettled = from >= mark || mark > to;
    await lookAfter(data, row, isSettled);
    if (isSettled) marks.delete(row.id);
    else left = true;
  }
  return left;
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

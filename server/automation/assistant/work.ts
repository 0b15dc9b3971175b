import type { AssistantDraft, AssistantItem } from '../../../contract/assistant.ts';
import type { At } from '../../db/open.ts';
import { renewLeases } from '../../db/queries/leases.ts';
import type { Turn } from '../../process/assistant-work.ts';
import type { Services } from '../../services.ts';
import { dayIn } from '../../values/dates.ts';
import { endTurn, holdsThread, keepsThread, leaseMs } from './lease.ts';
import { limitExceeded, type NewItem } from './rules.ts';
import * as store from './store.ts';
import { changeThread, draftOf, itemOf } from './threads.ts';

/** What a turn reads and writes of its thread. Each write takes effect only while the turn holds the lease (spec AS2). */

export type Held = Turn & { services: Services };
/** The turn was stopped, or another one took over: nothing that it still wants to write is kept. */
export class TurnLost extends Error {}

/** `made`: what only the conversation with the model needs to know of an item. */
export type WorkItem = AssistantItem & { made: Made };
export type Made = Partial<{
  step: number;
  call: string;
  mark: string;
  more: number | null;
  whole: boolean;
  draft: AssistantDraft;
  ok: boolean;
}>;
type Written = NewItem & { made?: Made };

export type ThreadNow = {
  row: store.ThreadRow;
  draft: AssistantDraft | null;
  items: WorkItem[];
};

export async function readThread({ services, threadId }: Held): Promise<ThreadNow> {
  return services.store.snapshot(async (db) => {
    const row = await store.selectThread(db, { id: threadId });
    if (!row) throw new TurnLost();
    const items = (await store.selectItems(db, threadId)).map((one) => ({ ...itemOf(one), made: madeOf(one) }));
    return { row, draft: draftOf(row), items };
  });
}

/** How long the thread has become. */
export async function sizeNow({ services, threadId }: Held): Promise<Pick<store.ThreadRow, 'size_bytes'>> {
  const size = await store.selectSizeOf(services.store.reader, { id: threadId });
  if (!size) throw new TurnLost();
  return size;
}

function madeOf({ data }: store.ItemRow): Made {
  const { made = {} }: { made?: Made } = JSON.parse(data);
  return made;
}

/** Adds an item; returns its id. */
export async function addItem(
  held: Held,
  item: Written,
  changes: Partial<Pick<store.ThreadRow, 'draft' | 'shortened_to'>> = {},
): Promise<number> {
  const [id = 0] = await inTurn(held, async (at, row) => {
    return (await changeThread(at.db, row, { ...changes, at: now(), items: [item] })).ids;
  });
  return id;
}

export async function growItem(held: Held, item: Written & { id: number }): Promise<void> {
  await inTurn(held, (at, row) => changeThread(at.db, row, { at: now(), grown: [item] }));
}

/** Ends the turn with what is to be said of it. */
export async function finish(
  held: Held,
  end: { state: 'idle' | 'failed'; error: string | null; items?: readonly Written[] },
): Promise<void> {
  await inTurn(held, async (at, row) => {
    await changeThread(at.db, row, { ...end, at: now() });
    await endTurn(at, row.id);
  });
}

export type Reserved = { tokens: number; maxTokens: number; day: string };

/** An answer shorter than this is not worth its question. */
const LEAST_ANSWER = 500;

/**
 * Reserves what a call of the model may use at most: its prompt and its answer. Of many at once, each sees what the others have reserved
 * (spec AS5). Where less is left, the answer is made shorter; returns the limit in words where that would not do.
 */
export function reserve(held: Held, { prompt, answer }: { prompt: number; answer: number }): Promise<Reserved | string> {
  return inTurn(held, async (at, row) => {
    const { assistant, timezone } = await held.services.settings.get(at.db);
    if (assistant === null) return 'The assistant was switched off in the settings of the shop.';
    await at.dialect.lockName(at.db, 'tokens of the assistant');
    const day = dayIn(now(), timezone);
    const used = await store.selectDay(at.db, day, row.admin_id);
    const left = {
      thread: assistant.thread_tokens - row.tokens_used,
      admin: assistant.admin_day_tokens - used.admin,
      shop: assistant.day_tokens - used.shop,
    };
    const maxTokens = Math.min(answer, left.thread - prompt, left.admin - prompt, left.shop - prompt);
    if (maxTokens < LEAST_ANSWER) return limitExceeded(left, prompt + LEAST_ANSWER) ?? 'No tokens are left.';
    const tokens = prompt + maxTokens;
    await count(at, row, day, tokens);
    return { tokens, maxTokens, day };
  });
}

/** Counts what a call really used in place of what was reserved for it. */
export async function settle(held: Held, { tokens, day }: Reserved, used: number): Promise<void> {
  await inTurn(held, async (at, row) => {
    await at.dialect.lockName(at.db, 'tokens of the assistant');
    await count(at, row, day, used - tokens);
  });
}

async function count({ db }: At, row: store.ThreadRow, day: string, tokens: number): Promise<void> {
  await store.addToDay(db, day, row.admin_id, tokens);
  await changeThread(db, row, { at: now(), tokens_used: row.tokens_used + tokens });
}

/** Writes in one transaction, if the turn still holds the lease. */
async function inTurn<T>({ services, threadId, holder }: Held, work: (at: At, row: store.ThreadRow) => Promise<T>): Promise<T> {
  const { store: data, threadFollowers } = services;
  const done = await data.write(async (db) => {
    const at = { db, dialect: data.dialect };
    const row = await store.lockThread(db, { id: threadId });
    if (row?.state !== 'working' || !(await keepsThread(at, threadId, holder))) throw new TurnLost();
    return work(at, row);
  });
  threadFollowers.fire(threadId);
  return done;
}

const CHECK_APART_MS = 200;

/** Keeps the lease until `done`, and calls `lost` when the turn has lost it, as by a stop at whichever server. */
export async function keepLease({ services, threadId, holder }: Held, done: AbortSignal, lost: () => void): Promise<void> {
  const { store: data, threadFollowers, broadcast, log } = services;
  const ms = leaseMs(services);
  const { signal, leave } = threadFollowers.follow(threadId);
  let renewedAt = performance.now();
  try {
    while (!done.aborted) {
      const since = signal.count;
      await signal.wait(Math.min(broadcast.pollMs(750), ms / 3), done, since);
      if (done.aborted) return;
      try {
        if (performance.now() - renewedAt >= ms / 3) {
          await data.write((db) => renewLeases({ db, dialect: data.dialect }, holder, ms));
          renewedAt = performance.now();
        }
        if (!(await holdsThread({ db: data.reader, dialect: data.dialect }, threadId, holder))) return lost();
      } catch (err) {
        log.warn({ err, thread_id: threadId }, 'the lease on a thread could not be renewed; it is tried again');
      }
      await signal.wait(CHECK_APART_MS, done);
    }
  } finally {
    leave();
  }
}

function now(): string {
  return new Date().toISOString();
}

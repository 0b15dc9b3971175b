import type { JsonObject } from '../../../contract/run-events.ts';
import { MAX_BATCH_BYTES, MAX_WAITING_STARTS, type StartOptions } from '../../../contract/start-options.ts';
import type { Db } from '../../db/open.ts';
import type { Ctx } from '../../verbs/context.ts';
import type { Giver } from '../parameters/domain.ts';
import { FULL, giveUp, type Settled, settle } from './opening.ts';
import { dueMsOf, howOf } from './rules.ts';
import * as store from './store.ts';

/** Where something starts a run, with the options that are in force. `giver`: of a start by a run, the admin for whom it acts. */
export type Place = store.Starter & { options: StartOptions; giver?: Giver };

/**
 * What starts a run: `content` is the event, what a hook was sent, or the parameters. `keyOf` gives the value of a key as JSON. `position`
 * orders the items of a start. `by`: the run that asks for the start.
 */
export type Item = {
  content: JsonObject;
  atMs: number;
  position: number;
  keyOf: (name: string) => string;
  lineageId: string | null;
  by?: { runId: number; depth: number; permissions: readonly string[] };
  /** Called once the item is stored, before its run may open. */
  joined?: (startId: number) => Promise<void>;
};

/** Gathers an item, in the transaction that brings it. Where nothing is to be waited for, its run opens in the same one. */
export async function gather(ctx: Ctx, place: Place, item: Item): Promise<Settled> {
  const joined = await join(ctx, place, item);
  await item.joined?.(joined.id);
  // What joins a start makes none more, so it is never left out, nor is what it joins.
  if (joined.items === 1 && (await store.isFull(ctx.db, place, MAX_WAITING_STARTS))) return giveUp(ctx, joined, FULL);
  const nowMs = await store.selectNowMs(ctx);
  if (joined.gathering === 0 && (joined.due_ms ?? 0) <= nowMs) return settle(ctx, joined, nowMs);
  // A start that is joined is due as before, or later.
  if (joined.items === 1 || joined.gathering === 0) ctx.after(() => ctx.services.starts.fire());
  return { waits: joined };
}

/** When a start is due; null: others wait before it for their turn; undefined: it is gone. */
export async function dueOfStart(db: Db, id: number): Promise<number | null | undefined> {
  return (await store.selectStart(db, { id }))?.due_ms;
}

async function join(ctx: Ctx, { options, giver, kind, starter_id, task_id }: Place, item: Item): Promise<store.StartRow> {
  const { debounce, batch, rate, ttl, delay = 0 } = options;
  const how = howOf(options);
  const key = (name: string | null | undefined): string => (typeof name === 'string' ? item.keyOf(name) : '');
  const content = JSON.stringify(item.content);
  const bytes = Buffer.byteLength(content);
  const gather_key = key(debounce?.key);
  const starter = { kind, starter_id, task_id };
  if (batch) await store.closeFull(ctx.db, { ...starter, gather_key, bytes, most: MAX_BATCH_BYTES, due_ms: item.atMs + delay });
  const row = await store.joinOrInsert(ctx.db, {
    ...starter,
    trigger_id: kind === 'trigger' ? starter_id : null,
    hook_id: kind === 'hook' ? starter_id : null,
    ...{ how, gather_key, rate_key: key(rate?.key), options: JSON.stringify(options), gathering: how === 'single' ? 0 : 1 },
    ...{ items: 1, bytes, first_ms: item.atMs, last_ms: item.atMs },
    ...{ acts_for: giver?.adminId ?? null, reads_files: giver?.readsFiles ? 1 : 0 },
  });
  await store.insertItem(ctx.db, {
    ...{ start_id: row.id, position: item.position, content, lineage_id: item.lineageId },
    ...{ run_id: item.by?.runId ?? null, depth: item.by?.depth ?? null },
    permissions: item.by ? JSON.stringify(item.by.permissions) : null,
  });
  if (how === 'debounce' && row.items > 1) await store.keepLastItem(ctx.db, { id: row.id });
  const isFull = batch !== undefined && row.items >= batch.max;
  const changes = {
    gathering: isFull ? 0 : row.gathering,
    due_ms: isFull ? row.last_ms + delay : dueMsOf(options, { firstMs: row.first_ms, lastMs: row.last_ms }),
    expires_ms: ttl === undefined ? null : row.last_ms + ttl,
  };
  await store.change(ctx.db, row.id, changes);
  return { ...row, ...changes };
}

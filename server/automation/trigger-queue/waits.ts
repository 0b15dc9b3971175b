import type { Json, JsonObject } from '../../../contract/run-events.ts';
import { EventFilter } from '../../../contract/triggers.ts';
import type { Db } from '../../db/open.ts';
import type { Ctx } from '../../verbs/context.ts';
import { matchesFilter } from './rules.ts';
import { keysOf } from './wait-rules.ts';
import * as store from './waits-store.ts';

export { foundBy } from './wait-rules.ts';

/** `name`: what waits name it by. `matched`: the fields by which they choose. `value`: what their scripts get. */
export type Awaited = { name: string; matched: JsonObject; value: Json };

/**
 * Ends the waits of runs that this ends, each once, in the transaction that stores it; their runs go on after the commit
 * (run-waits/waking.ts). Returns the open runs that have waited.
 */
export async function endWaits(ctx: Pick<Ctx, 'db' | 'now' | 'after' | 'services'>, { name, matched, value }: Awaited): Promise<number[]> {
  const found = await store.selectWaiting(ctx.db, { keys: JSON.stringify(keysOf(name, matched)) });
  const wanted = found.filter(({ match }) => matchesFilter(EventFilter.parse(JSON.parse(match)), matched));
  if (wanted.length === 0) return [];
  const ids = wanted.map(({ id }) => id);
  const ended = new Set(await store.endWaits(ctx.db, ids, { answers: JSON.stringify(value), at: ctx.now }));
  ctx.after(() => ctx.services.waits.fire());
  return wanted.filter(({ id, is_open }) => ended.has(id) && is_open).map(({ run_id }) => run_id);
}

/** Ends a wait for an event that a look for earlier ones has found; its run goes on as soon as the waits are looked at. */
export async function endFoundWait(db: Db, id: number, { value, at }: { value: Json; at: string }): Promise<void> {
  await store.endWaits(db, [id], { answers: JSON.stringify(value), at });
}

/** Ends one wait, whose run goes on after the commit; false if it has ended already. */
export async function endWaiting(ctx: Pick<Ctx, 'db' | 'now' | 'after' | 'services'>, id: number, value: Json): Promise<boolean> {
  const ended = await store.endWaits(ctx.db, [id], { answers: JSON.stringify(value), at: ctx.now });
  ctx.after(() => ctx.services.waits.fire());
  return ended.length > 0;
}

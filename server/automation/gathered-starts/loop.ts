import { isPassing } from '../../db/faults.ts';
import { readsOf } from '../../db/open.ts';
import type { Services } from '../../services.ts';
import { settle } from './opening.ts';
import * as store from './store.ts';

type Deps = Pick<Services, 'store' | 'transact' | 'log' | 'stopping'>;

/** After an error that is not a refusal, a start waits this long, so that it does not delay others. */
const PAUSE_MS = 60_000;
/** The same where the error was the store's and will pass, as when the disk was full or PostgreSQL started again. */
const SHORT_PAUSE_MS = 1000;

/**
 * Returns the function that opens the runs of the starts that are due. Any number of servers may call it. It returns in how many
 * milliseconds the next one is due; null: none is.
 */
export function startsClock(deps: Deps): () => Promise<number | null> {
  const { store: data, stopping } = deps;
  return async () => {
    for (;;) {
      const left = await store.untilNextDue(readsOf(data));
      if (left === null || left > 0 || stopping.aborted) return left;
      // Another server may hold what is due.
      if (!(await openNext(deps))) return null;
    }
  };
}

/** Opens the run of one start in one transaction, so that the start is gone and its run is there, or neither. */
async function openNext(deps: Deps): Promise<boolean> {
  const { store: data, log } = deps;
  let taken: number | undefined;
  try {
    return await deps.transact('ai_tasks.start_run', async (ctx) => {
      const start = await store.takeDue(ctx.db, {});
      taken = start?.id;
      if (!start) return false;
      const { now_ms, ...row } = start;
      await settle(ctx, row, now_ms);
      return true;
    });
  } catch (error) {
    if (taken === undefined) throw error;
    const id = taken;
    log.error({ err: error, start_id: id }, 'a gathered start failed; it is tried again later');
    await data.write((db) => store.postpone({ db, dialect: data.dialect }, id, isPassing(error) ? SHORT_PAUSE_MS : PAUSE_MS));
    return true;
  }
}

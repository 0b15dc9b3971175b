import { JsonObject } from '../../../contract/run-events.ts';
import { isPassing } from '../../db/faults.ts';
import { readsOf } from '../../db/open.ts';
import type { Services } from '../../services.ts';
import type { Ctx } from '../../verbs/context.ts';
import { type Opener, openUnattended, tellNotOpened } from '../runs/life/unattended.ts';
import { insertCauses } from '../trigger-queue/domain.ts';
import * as store from './store.ts';

type Deps = Pick<Services, 'store' | 'transact' | 'log' | 'stopping'>;

/** After an error that is not a refusal, an event waits this long, so that it does not delay others. */
const PAUSE_MS = 60_000;
/** The same where the error was the store's and will pass, as when the disk was full or PostgreSQL started again. */
const SHORT_PAUSE_MS = 1000;

/** Returns the function that each tick of the clock calls: it opens the runs for queued events. Any number of servers may call it. */
export function triggerOpener(deps: Deps): () => Promise<void> {
  const { store: data, stopping } = deps;
  return async () => {
    if (!(await store.isAnyDue(readsOf(data)))) return;
    while (!stopping.aborted && (await openNext(deps)));
  };
}

/** Handles one event of one trigger in one transaction, so that it leaves the queue and its run is opened, or neither happens. */
async function openNext(deps: Deps): Promise<boolean> {
  const { store: data, log } = deps;
  let taken: store.Place | undefined;
  try {
    return await deps.transact('ai_tasks.start_run', async (ctx) => {
      taken = await store.takeDue(ctx.db, {});
      if (!taken) return false;
      const delivery = await store.selectDelivery(ctx.db, taken);
      if (delivery) await open(ctx, delivery, taken.event_id);
      return true;
    });
  } catch (error) {
    if (taken === undefined) throw error;
    const place = taken;
    log.error({ err: error, ...place }, 'a trigger failed; it is tried again later');
    await data.write((db) => store.postpone({ db, dialect: data.dialect }, place, isPassing(error) ? SHORT_PAUSE_MS : PAUSE_MS));
    return true;
  }
}

async function open(ctx: Ctx, delivery: store.Delivery, eventId: number): Promise<void> {
  const { id, lineage_id: causeLineageId, event_type: type, event_at: at } = delivery;
  const opener: Opener = { kind: 'trigger', ...delivery };
  const event = { id: eventId, type, at, data: JsonObject.parse(JSON.parse(delivery.event_data)) };
  const parameters = { ...JsonObject.parse(JSON.parse(delivery.parameters)), event };
  const outcome =
    delivery.enabled === 0
      ? { reason: 'the trigger was switched off after the event', code: 'switched_off' as const, isFault: false }
      : await openUnattended(ctx, opener, parameters);
  if (!('runId' in outcome)) {
    await tellNotOpened(ctx, opener, outcome, { event_id: eventId, event: type }, causeLineageId);
    if (delivery.last_error !== outcome.reason) await store.noteError(ctx.db, id, outcome.reason);
    return;
  }
  if (causeLineageId !== null) await insertCauses(ctx.db, outcome.runId, causeLineageId);
  if (delivery.last_error !== null) await store.noteError(ctx.db, id, null);
}

import { JsonObject } from '../../../contract/run-events.ts';
import { isPassing } from '../../db/faults.ts';
import { readsOf } from '../../db/open.ts';
import type { Services } from '../../services.ts';
import type { Ctx } from '../../verbs/context.ts';
import { gather } from '../gathered-starts/gather.ts';
import type { Settled } from '../gathered-starts/opening.ts';
import { optionsOf } from '../gathered-starts/rules.ts';
import { keyOf } from '../runs/life/start.ts';
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
      if (!delivery) return true;
      if (delivery.start_options === NO_OPTIONS || delivery.enabled === 0) await open(ctx, delivery, taken.event_id);
      else await gatherAll(ctx, delivery, taken, (next) => (taken = next));
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

const NO_OPTIONS = '{}';
/** So many events that wait for one trigger are gathered in one transaction. */
const TOGETHER = 200;

/**
 * Gathers the event that was taken, and others that wait for the same trigger, so that an import of many does not take as many transactions.
 * One server does so at a time, for two could wait for each other's starts; and it ends with the first run that opens, for whoever opens a
 * start holds what that needs, and may be waited for with what this one holds.
 */
async function gatherAll(ctx: Ctx, first: store.Delivery, place: store.Place, take: (next: store.Place) => void): Promise<void> {
  await ctx.dialect.lockName(ctx.db, `gathering of trigger ${place.trigger_id}`);
  let delivery: store.Delivery | undefined = first;
  let eventId = place.event_id;
  for (let n = 1; delivery; n += 1) {
    const settled = await gatherEvent(ctx, delivery, eventId);
    const goesOn = 'waits' in settled && settled.waits.queued_ms === null;
    const next: store.Place | undefined =
      goesOn && n < TOGETHER ? await store.takeDueOf(ctx.db, { trigger_id: place.trigger_id }) : undefined;
    if (!next) return;
    take(next);
    eventId = next.event_id;
    delivery = await store.selectDelivery(ctx.db, next);
  }
}

async function gatherEvent(ctx: Ctx, delivery: store.Delivery, eventId: number): Promise<Settled> {
  const event = eventOf(delivery, eventId);
  const atMs = Date.parse(event.at);
  const keys = { keyOf: (name: string) => keyOf(event.data, name) };
  const place = { kind: 'trigger' as const, starter_id: delivery.id, task_id: delivery.task_id, options: optionsOf(delivery) };
  return gather(ctx, place, { content: event, atMs, position: eventId, ...keys, lineageId: delivery.lineage_id });
}

function eventOf({ event_type: type, event_at: at, event_data }: store.Delivery, id: number) {
  return { id, type, at, data: JsonObject.parse(JSON.parse(event_data)) };
}

async function open(ctx: Ctx, delivery: store.Delivery, eventId: number): Promise<void> {
  const { id, lineage_id: causeLineageId, event_type: type } = delivery;
  const opener: Opener = { kind: 'trigger', ...delivery };
  const parameters = { ...JsonObject.parse(JSON.parse(delivery.parameters)), event: eventOf(delivery, eventId) };
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

import { changeTypes, isChangeType } from '../../../contract/changes.ts';
import { Signal } from '../../process/signal.ts';
import type { Services } from '../../services.ts';
import { type Actor, may } from '../../verbs/context.ts';
import { takePlace } from '../../verbs/stream-places.ts';
import { BACK_MS, type Batch, type Feed, feedOf, type Told, withAdmins } from './feed.ts';
import { parseEventId } from './rules.ts';
import * as store from './store.ts';

const KEEP_ALIVE_MS = 15_000;
/** A client that comes back gets at most so many changes, or an hour of them; otherwise it reads everything again. */
const RESUMED_MAX = 1000;
/** Looks whose changes wait for a client that reads slowly; with more it is told to read everything again. */
const WAITING_MAX = 500;
const RESUMED_MS = 3_600_000;

type StreamCall = { services: Services; actor: Actor; lastEventId: string | undefined; until: AbortSignal };

/** Streams the changes of records of the types that the caller may read. A change may be told twice, but none is missed unsaid. */
export async function streamChanges(call: StreamCall): Promise<AsyncIterable<string>> {
  takePlace(call);
  const feed = await feedOf(call.services);
  const waiting: Batch[] = [];
  const news = new Signal();
  // Joined before the changes that were missed are read, so that none falls between.
  const leave = feed.join((batch) => {
    if (waiting.length >= WAITING_MAX) waiting.splice(0, waiting.length, { changes: [], complete: false, eventId: batch.eventId });
    else waiting.push(batch);
    news.fire();
  });
  call.until.addEventListener('abort', leave, { once: true });
  if (call.until.aborted) leave();
  return follow(call, feed, { waiting, news });
}

async function* follow(
  { services, actor, lastEventId, until }: StreamCall,
  feed: Feed,
  { waiting, news }: { waiting: Batch[]; news: Signal },
): AsyncIterable<string> {
  const place = feed.eventId();
  // A client that comes back keeps its place until it has what it missed.
  yield `retry: 2000\n${lastEventId === undefined ? `id: ${place}\n` : ''}: ok\n\n`;
  try {
    if (lastEventId !== undefined) {
      const missed = await missedSince(services, lastEventId);
      yield textOf(actor, { changes: missed ?? [], complete: missed !== null, eventId: place });
    }
    while (!until.aborted) {
      for (let batch = waiting.shift(); batch && !until.aborted; batch = waiting.shift()) yield textOf(actor, batch);
      const since = performance.now();
      await news.wait(KEEP_ALIVE_MS, until);
      if (performance.now() - since >= KEEP_ALIVE_MS && waiting.length === 0) yield `id: ${feed.eventId()}\n: keep-alive\n\n`;
    }
  } catch (error) {
    services.log.error({ err: error }, 'a stream of changes ended because of an error');
  }
}

/** The changes since an event; null if they cannot be told. */
async function missedSince({ store: { reader } }: Services, lastEventId: string): Promise<Told[] | null> {
  const place = parseEventId(lastEventId);
  if (!place || Date.now() - place.at > RESUMED_MS) return null;
  const time = new Date(place.at - BACK_MS).toISOString();
  const rows = await store.selectChanges(reader, { after: place.after, gaps: [], time, limit: RESUMED_MAX });
  return rows.length >= RESUMED_MAX ? null : withAdmins(reader, rows);
}

function textOf(actor: Actor, { changes, complete, eventId }: Batch): string {
  const told = changes.filter((one) => mayHear(actor, one));
  const events = told.map(({ type, id }) => `event: change\ndata: ${JSON.stringify({ type, id })}\n\n`);
  if (!complete) events.push('event: reset\ndata: {}\n\n');
  // The place is sent with the last event, so that a client that got only some of them asks for all again.
  const last = events.pop();
  return last === undefined ? `id: ${eventId}\n\n` : `${events.join('')}id: ${eventId}\n${last}`;
}

/** An entry of an older version may have a type that is not known any more; nobody is told of it. */
function mayHear(actor: Actor, { type, admins }: Told): boolean {
  if (!isChangeType(type)) return false;
  if (admins !== null) return actor.type === 'admin' && admins.has(actor.adminId);
  const permission = changeTypes[type];
  return permission === null || may(actor, permission);
}

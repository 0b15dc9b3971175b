import type { Services } from '../../services.ts';
import type { Actor } from '../../verbs/context.ts';
import { takePlace } from '../../verbs/stream-places.ts';
import { missingOf } from './rules.ts';
import * as store from './store.ts';
import { draftOf, itemOf, requireShown, threadOf } from './threads.ts';

/** How often a stream looks where other servers are not heard; those of this server wake it at once. */
const POLL_MS = 750;
const KEEP_ALIVE_MS = 15_000;
/** Few, because one may hold a draft before and after a change. */
const ITEMS_A_READ = 10;

type StreamCall = { services: Services; actor: Actor; params: { id: number }; lastEventId: string | undefined; until: AbortSignal };

/** Streams what happens in a thread, from the first item or from the revision that Last-Event-ID names. */
export async function streamThread(call: StreamCall): Promise<AsyncIterable<string>> {
  const { services, actor, params } = call;
  const row = await store.selectThread(services.store.reader, params);
  if (row) requireShown(actor, row);
  takePlace(call);
  return follow(call);
}

async function* follow(call: StreamCall): AsyncIterable<string> {
  const { services, lastEventId, until } = call;
  const { signal, leave } = services.threadFollowers.follow(call.params.id);
  let rev = /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : 0;
  let quietSince = performance.now();
  try {
    yield 'retry: 2000\n: ok\n\n';
    while (!until.aborted) {
      const since = signal.count;
      const row = await shownRow(call);
      if (row === null) return;
      if (row.row_version > rev) {
        yield* news(call, row, rev);
        rev = row.row_version;
        quietSince = performance.now();
      } else if (performance.now() - quietSince >= KEEP_ALIVE_MS) {
        yield ': keep-alive\n\n';
        quietSince = performance.now();
      }
      await signal.wait(Math.min(services.broadcast.pollMs(POLL_MS), KEEP_ALIVE_MS), until, since);
    }
  } catch (error) {
    services.log.error({ err: error, thread_id: call.params.id }, 'the stream of a thread ended because of an error');
  } finally {
    leave();
  }
}

/** The thread; null: it is gone, or may not be shown any more because a token with more rights has gone on with it. */
async function shownRow({ services, actor, params }: StreamCall): Promise<store.ThreadRow | null> {
  const row = await store.selectThread(services.store.reader, params);
  return row && actor.type === 'admin' && missingOf(actor, row).length === 0 ? row : null;
}

/**
 * What was written after a revision, as the stream's text, a few items at a time. An item that grows meanwhile is of a later revision by then,
 * and is sent with that.
 */
async function* news({ services, actor }: StreamCall, row: store.ThreadRow, after: number): AsyncIterable<string> {
  const { reader } = services.store;
  let place = { rev: after, id: Number.MAX_SAFE_INTEGER };
  for (;;) {
    const items = await store.selectItemsAfter(reader, { threadId: row.id, ...place, upTo: row.row_version, limit: ITEMS_A_READ });
    yield items.map((item) => `event: item\ndata: ${JSON.stringify(itemOf(item))}\n\n`).join('');
    const last = items.at(-1);
    if (!last || items.length < ITEMS_A_READ) break;
    place = { rev: last.rev, id: last.id };
  }
  const state = { ...threadOf(row, { settings: await services.settings.get(reader), actor }), draft: draftOf(row) };
  // The place is told with the last event, so that a client that got only some of them is sent all again.
  yield `id: ${row.row_version}\nevent: state\ndata: ${JSON.stringify(state)}\n\n`;
}

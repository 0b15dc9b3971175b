import type { Services } from '../../services.ts';
import type { Actor } from '../../verbs/context.ts';
import { takePlace } from '../../verbs/stream-places.ts';
import * as store from './store.ts';
import { draftOf, itemOf, threadOf } from './threads.ts';

/** How often a stream looks where other servers are not heard; those of this server wake it at once. */
const POLL_MS = 750;
const KEEP_ALIVE_MS = 15_000;

type StreamCall = { services: Services; actor: Actor; params: { id: number }; lastEventId: string | undefined; until: AbortSignal };

/** Streams what happens in a thread, from the first item or from the revision that Last-Event-ID names. */
export async function streamThread(call: StreamCall): Promise<AsyncIterable<string>> {
  takePlace(call);
  return follow(call);
}

async function* follow({ services, params: { id }, lastEventId, until }: StreamCall): AsyncIterable<string> {
  const { signal, leave } = services.threadFollowers.follow(id);
  let rev = /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : 0;
  let quietSince = performance.now();
  try {
    yield 'retry: 2000\n: ok\n\n';
    while (!until.aborted) {
      const since = signal.count;
      const news = await newsAfter(services, id, rev);
      if (news === null) return;
      if (news.text !== '') {
        yield news.text;
        rev = news.rev;
        quietSince = performance.now();
      } else if (performance.now() - quietSince >= KEEP_ALIVE_MS) {
        yield ': keep-alive\n\n';
        quietSince = performance.now();
      }
      await signal.wait(Math.min(services.broadcast.pollMs(POLL_MS), KEEP_ALIVE_MS), until, since);
    }
  } catch (error) {
    services.log.error({ err: error, thread_id: id }, 'the stream of a thread ended because of an error');
  } finally {
    leave();
  }
}

/** What was written after a revision, as the stream's text; null: the thread is gone. */
async function newsAfter(services: Services, id: number, rev: number): Promise<{ rev: number; text: string } | null> {
  return services.store.snapshot(async (db) => {
    const row = await store.selectThread(db, { id });
    if (!row) return null;
    if (row.row_version <= rev) return { rev, text: '' };
    const items = (await store.selectItemsAfter(db, { threadId: id, rev })).map(itemOf);
    const settings = await services.settings.get(db);
    const state = { ...threadOf(row, { settings }), draft: draftOf(row) };
    // The place is told with the last event, so that a client that got only some of them is sent all again.
    const text = items.map((item) => `event: item\ndata: ${JSON.stringify(item)}\n\n`).join('');
    return { rev: row.row_version, text: `${text}id: ${row.row_version}\nevent: state\ndata: ${JSON.stringify(state)}\n\n` };
  });
}

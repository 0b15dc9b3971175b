import type { ParamsOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { pause } from '../../process/signal.ts';
import type { Services } from '../../services.ts';
import type { Actor } from '../../verbs/context.ts';
import { takePlace } from '../../verbs/stream-places.ts';
import { waitForNews } from './followers.ts';
import { missingReads } from './reads.ts';
import * as store from './store.ts';

/** A run that reports much wakes its streams no more often than this, and many streams less often: together a thousand times a second. */
const WAKE_MIN_MS = 100;
const WAKE_MAX_MS = 750;
const KEEP_ALIVE_MS = 15_000;
const LINES_A_READ = 1000;

type StreamCall = {
  services: Services;
  actor: Actor;
  params: ParamsOf<Endpoints['ai_tasks.stream_run']['path']>;
  lastEventId: string | undefined;
  until: AbortSignal;
};

/**
 * Streams the events of a run (decisions.md SS1-SS5): all lines from the first, or from the one after Last-Event-ID. Returns
 * null if that is the end of a run that has ended.
 */
export async function streamRun(call: StreamCall): Promise<AsyncIterable<string> | null> {
  const { services, actor, params, lastEventId } = call;
  const { reader } = services.store;
  const run = await store.selectRun(reader, params.id, params.run_id);
  if (lastEventId === 'end' && run?.status !== 'running') return null;
  const withheld = (await missingReads(reader, actor, [params.run_id])).get(params.run_id) ?? [];
  takePlace(call);
  return follow(call, withheld);
}

/**
 * Yields the stream's text. `withheld` holds the permissions that the caller lacks to see the script's output; with any, only
 * the end of the run is sent.
 */
async function* follow({ services, params, lastEventId, until }: StreamCall, withheld: readonly string[]): AsyncIterable<string> {
  const { reader } = services.store;
  const told = withheld.length === 0;
  const { signal, leave } = services.runNews.follow(params.run_id);
  let seq = /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : 0;
  let quietSince = performance.now();
  try {
    yield `retry: 2000\n: ${told ? 'ok' : `the log needs ${withheld.join(', ')}`}\n\n`;
    while (!until.aborted) {
      const since = signal.count;
      const lookedAt = performance.now();
      // The status is read before the lines: a line that is written after the status was read is sent in the next round, so no
      // line is lost.
      const run = await store.selectRun(reader, params.id, params.run_id);
      for (let isMore = told; isMore && !until.aborted; ) {
        const lines = await store.selectLines(reader, params.run_id, seq, LINES_A_READ);
        isMore = lines.length === LINES_A_READ;
        seq = lines.at(-1)?.seq ?? seq;
        if (lines.length === 0) continue;
        yield lines.map((line) => `id: ${line.seq}\nevent: event\ndata: ${line.line}\n\n`).join('');
        quietSince = performance.now();
      }
      if (run?.status !== 'running') {
        const data = JSON.stringify({ status: run?.status ?? 'deleted', error: told ? (run?.error_message ?? null) : null });
        yield `id: end\nevent: status\ndata: ${data}\n\n`;
        return;
      }
      if (performance.now() - quietSince >= KEEP_ALIVE_MS) {
        yield ': keep-alive\n\n';
        quietSince = performance.now();
      }
      const ms = KEEP_ALIVE_MS - (performance.now() - quietSince);
      await waitForNews(services, { runId: params.run_id, seq: told ? seq : null, signal, since }, ms, until);
      const apartMs = Math.min(WAKE_MAX_MS, Math.max(WAKE_MIN_MS, services.runNews.count));
      await pause(lookedAt + apartMs - performance.now(), until);
    }
  } catch (error) {
    services.log.error({ err: error, run_id: params.run_id }, 'the stream of a run ended before the run, because of an error');
  } finally {
    leave();
  }
}

import type { ParamsOf } from '../../../../contract/endpoint.ts';
import type { Endpoints } from '../../../../contract/index.ts';
import { pause } from '../../../process/signal.ts';
import type { Services } from '../../../services.ts';
import type { Actor } from '../../../verbs/context.ts';
import { takePlace } from '../../../verbs/stream-places.ts';
import { missingReads } from '../rows/output-permissions.ts';
import * as store from '../rows/store.ts';
import { waitForProgress } from './followers.ts';

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
 * Streams the events of a run (spec SS1-SS5): all lines from the first, or from the one after Last-Event-ID. Returns
 * null if that is the end of a run that has ended.
 */
export async function streamRun(call: StreamCall): Promise<AsyncIterable<string> | null> {
  const { services, params, lastEventId } = call;
  const run = await store.selectRun(services.store.reader, params.id, params.run_id);
  if (lastEventId === 'end' && run?.status !== 'running') return null;
  takePlace(call);
  return follow(call);
}

/**
 * Yields the stream's text; to a caller who may not see the script's output, only the end of the run. Each batch of lines is read before
 * it is asked who may see it: the run may just have learnt something, and what it learnt is stored before the lines that tell of it.
 */
async function* follow({ services, actor, params, lastEventId, until }: StreamCall): AsyncIterable<string> {
  const { reader } = services.store;
  const lacking = async () => (await missingReads(reader, actor, [params.run_id])).get(params.run_id) ?? [];
  const { signal, leave } = services.runFollowers.follow(params.run_id);
  let seq = /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : 0;
  let details = 0;
  let quietSince = performance.now();
  try {
    let withheld = await lacking();
    yield `retry: 2000\n: ${withheld.length === 0 ? 'ok' : needs(withheld)}\n\n`;
    while (!until.aborted) {
      const since = signal.count;
      const lookedAt = performance.now();
      // The status is read before the lines: a line that is written after the status was read is sent in the next round, so no
      // line is lost.
      const run = await store.selectRun(reader, params.id, params.run_id);
      for (let isMore = withheld.length === 0; isMore && !until.aborted; ) {
        const lines = await store.selectLines(reader, params.run_id, seq, LINES_A_READ);
        if (lines.length === 0) break;
        withheld = await lacking();
        isMore = lines.length === LINES_A_READ && withheld.length === 0;
        seq = lines.at(-1)?.seq ?? seq;
        yield withheld.length === 0 ? lines.map(textOf).join('') : `: ${needs(withheld)}\n\n`;
        quietSince = performance.now();
      }
      if (run && run.details_number !== details && withheld.length === 0) {
        const markdown = (await store.selectDetails(reader, run.id)) ?? '';
        withheld = await lacking();
        if (withheld.length === 0) {
          details = run.details_number;
          yield `event: details\ndata: ${JSON.stringify({ markdown })}\n\n`;
          quietSince = performance.now();
        }
      }
      if (run?.status !== 'running') {
        const told = withheld.length === 0 && (await lacking()).length === 0;
        const data = JSON.stringify({ status: run?.status ?? 'deleted', error: told ? (run?.error_message ?? null) : null });
        yield `id: end\nevent: status\ndata: ${data}\n\n`;
        return;
      }
      if (performance.now() - quietSince >= KEEP_ALIVE_MS) {
        yield ': keep-alive\n\n';
        quietSince = performance.now();
      }
      const ms = KEEP_ALIVE_MS - (performance.now() - quietSince);
      await waitForProgress(
        services,
        { runId: params.run_id, told: withheld.length === 0 ? { seq, details } : null, signal, since },
        ms,
        until,
      );
      const apartMs = Math.min(WAKE_MAX_MS, Math.max(WAKE_MIN_MS, services.runFollowers.count));
      await pause(lookedAt + apartMs - performance.now(), until);
    }
  } catch (error) {
    services.log.error({ err: error, run_id: params.run_id }, 'the stream of a run ended before the run, because of an error');
  } finally {
    leave();
  }
}

function needs(withheld: readonly string[]): string {
  return `the log needs ${withheld.join(', ')}`;
}

function textOf({ seq, line }: { seq: number; line: string }): string {
  return `id: ${seq}\nevent: event\ndata: ${line}\n\n`;
}

import type { ServerResponse } from 'node:http';
import type { StreamCall, Streams } from '../../http/handlers.ts';
import { Refusal } from '../../problem.ts';
import type { Services } from '../../services.ts';
import { Signal } from '../../signal.ts';
import { missingReads } from './reads.ts';
import * as store from './store.ts';

/** The document's poll interval. */
const POLL_MS = 750;
const KEEP_ALIVE_MS = 15_000;
const MAX_PER_TOKEN = 50;
const LINES_A_READ = 1000;

/** Server-Sent Events of a run (decisions.md SS1-SS5): all lines from the first, or from the one after Last-Event-ID. */
export function streamRuns(services: Services): Streams {
  const open = new Map<string, number>();
  return {
    'ai_tasks.stream_run': async (call) => {
      const taskId = Number(call.params['id']);
      const runId = Number(call.params['run_id']);
      const resumeAt = call.request.headers['last-event-id'];
      const run = await store.selectRun(services.store.reader, taskId, runId);
      if (resumeAt === 'end' && run?.status !== 'running') return { status: 204, headers: {}, body: null };
      const withheld = (await missingReads(services.store.reader, call.actor, [runId])).get(runId) ?? [];
      const key = call.actor.type === 'admin' ? `token ${call.actor.tokenId}` : call.actor.type;
      const count = open.get(key) ?? 0;
      if (count >= MAX_PER_TOKEN)
        throw new Refusal('rate_limited', `A token may have ${MAX_PER_TOKEN} streams open.`, {
          extra: { 'violated-policies': ['streams'], retry_after: 1 },
        });
      open.set(key, count + 1);
      const after = /^\d{1,15}$/.test(String(resumeAt)) ? Number(resumeAt) : 0;
      void follow(services, call, taskId, runId, after, withheld).finally(() => open.set(key, (open.get(key) ?? 1) - 1));
      return 'streamed';
    },
  };
}

/** `withheld`: permissions that the caller lacks to see what the script has to tell; without them it is the end alone. */
async function follow(
  services: Services,
  { request, response, until }: StreamCall,
  taskId: number,
  runId: number,
  after: number,
  withheld: readonly string[],
): Promise<void> {
  const told = withheld.length === 0;
  const closed = new AbortController();
  const close = (): void => closed.abort();
  until.addEventListener('abort', close);
  services.stopping.addEventListener('abort', close);
  request.socket.setNoDelay(true);
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
  });
  response.write(`retry: 2000\n: ${told ? 'ok' : `the log needs ${withheld.join(', ')}`}\n\n`);
  if (until.aborted) close();
  const ticks = new Signal();
  let seq = after;
  let quietSince = performance.now();
  try {
    while (!closed.signal.aborted) {
      // The status first: lines written after it is read are sent at the next tick, never lost.
      const run = await store.selectRun(services.store.reader, taskId, runId);
      const sent = told ? await sendLines(services, response, runId, seq, closed.signal) : seq;
      if (sent > seq) quietSince = performance.now();
      seq = sent;
      if (run?.status !== 'running') {
        const data = JSON.stringify({ status: run?.status ?? 'deleted', error: told ? (run?.error_message ?? null) : null });
        response.write(`id: end\nevent: status\ndata: ${data}\n\n`);
        break;
      }
      if (performance.now() - quietSince > KEEP_ALIVE_MS) {
        response.write(': keep-alive\n\n');
        quietSince = performance.now();
      }
      await ticks.wait(POLL_MS, closed.signal);
    }
  } catch (error) {
    services.log.error({ err: error, run_id: runId }, 'stream ended early');
  } finally {
    services.stopping.removeEventListener('abort', close);
    response.end();
  }
}

/** Sends all lines after `seq`; returns the last one's number. A slow reader is waited for. */
async function sendLines(services: Services, response: ServerResponse, runId: number, seq: number, closed: AbortSignal): Promise<number> {
  let last = seq;
  while (!closed.aborted) {
    const lines = await store.selectLines(services.store.reader, runId, last, LINES_A_READ);
    const text = lines.map((line) => `id: ${line.seq}\nevent: event\ndata: ${line.line}\n\n`).join('');
    last = lines.at(-1)?.seq ?? last;
    if (text !== '' && !response.write(text)) {
      await new Promise<void>((resolve) => {
        response.once('drain', resolve);
        closed.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    if (lines.length < LINES_A_READ) break;
  }
  return last;
}

import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { statFields } from '../runner/isolation/proc.ts';
import { type Backroom, TOKEN } from './backroom.ts';
import { startChild } from './child.ts';
import type { Point } from './draw-curves.ts';
import { type Growth, growthRows, upTo } from './growth.ts';
import { median, type Row, row } from './report.ts';

const SIZES = [1, 10, 100, 1000];
/** A token may have 50 streams open at a time. */
const STREAMS_A_TOKEN = 50;
const EVENTS = 8;
const IDLE_MS = 4000;

/**
 * How long an event takes from the request that reports it to the clients that follow its run, by the number of streams. Half of the streams
 * follow that run, each of the others a run of its own.
 */
export async function measureStreamsGrowth(backroom: Backroom, largest: number): Promise<Row[]> {
  const { sizes, isWhole } = upTo(SIZES, largest);
  const lines = { 'median client': [] as Point[], 'slowest client': [] as Point[], 'bare node:http, slowest': [] as Point[] };
  const busy: Point[] = [];
  for (const size of sizes) {
    const { waits, busyShare } = await measureSize(backroom, size);
    lines['median client'].push({ size, value: median(waits.flat()) });
    lines['slowest client'].push({ size, value: median(waits.map((some) => Math.max(...some))) });
    busy.push({ size, value: Math.max(busyShare * 100, 0.1) });
    const bare = await measureBare(size);
    lines['bare node:http, slowest'].push({ size, value: median(bare.map((some) => Math.max(...some))) });
  }
  const [slowest, bareSlowest] = [lines['slowest client'].at(-1), lines['bare node:http, slowest'].at(-1)];
  return [
    row({
      name: `slowest client of ${sizes.at(-1)} streams, compared with bare node:http`,
      figure: slowest?.value ?? Number.NaN,
      unit: 'ms',
      baseline: bareSlowest?.value ?? Number.NaN,
      // Writing to so many connections takes time by itself; each stream may read its lines from the store besides.
      ratioBound: { most: 5, unless: 50 },
    }),
    ...(await growthRows({
      ...latency,
      isWhole,
      lines: [
        { name: 'median client', points: lines['median client'] },
        { name: 'slowest client', points: lines['slowest client'] },
        { name: 'bare node:http, slowest', points: lines['bare node:http, slowest'], isBaseline: true },
      ],
    })),
    ...(await growthRows({ ...idle, isWhole, lines: [{ name: 'server, no event', points: busy }] })),
  ];
}

const latency: Omit<Growth, 'lines' | 'isWhole'> = {
  file: 'streams',
  unit: 'ms',
  title: 'From an event to its clients, by the number of open streams',
  x: 'streams',
  y: 'ms',
  method: 'Half of the streams follow the run of the event, each other one a run of its own. Dashed: bare node:http that sends to as many.',
};

const idle: Omit<Growth, 'lines' | 'isWhole'> = {
  file: 'streams-idle',
  unit: '%',
  title: 'The server at rest, by the number of open streams',
  x: 'streams',
  y: '% of one core',
  method: `User and system time of the server's process in ${IDLE_MS / 1000} seconds without an event.`,
};

async function measureSize(backroom: Backroom, size: number): Promise<{ waits: number[][]; busyShare: number }> {
  const { client, url, serverPid } = backroom;
  const taskId = await backroom.createTask('log(1)');
  const start = async () => (await client.ai_tasks.start_run(taskId, { executor: 'external' })).run_id;
  const runId = await start();
  const followers = Math.ceil(size / 2);
  const runs = [...Array.from({ length: followers }, () => runId)];
  while (runs.length < size) runs.push(await start());
  const tokens = await makeTokens(backroom, Math.ceil(size / STREAMS_A_TOKEN));
  const streams = await openStreams(
    runs.map((id, n) => ({ url: `${url}/admin/api/ai-tasks/${taskId}/runs/${id}/stream`, token: tokens[n % tokens.length] ?? '' })),
  );
  await delay(1000);
  const before = cpuMs(serverPid);
  const began = performance.now();
  await delay(IDLE_MS);
  const busyShare = (cpuMs(serverPid) - before) / (performance.now() - began);
  const waits = await measureEvents(streams.slice(0, followers), (line) =>
    client.ai_tasks.append_run_events(taskId, runId, { events: [{ kind: 'log', line }] }),
  );
  await closeStreams(streams);
  await client.ai_tasks.cancel_runs(taskId);
  return { waits, busyShare };
}

async function measureBare(size: number): Promise<number[][]> {
  const bare = startChild('bare-stream.ts', []);
  const url = z.string().parse(await bare.next());
  const streams = await openStreams(Array.from({ length: size }, () => ({ url, token: '' })));
  const waits = await measureEvents(streams.slice(0, Math.ceil(size / 2)), async (line) => {
    await (await request(url, { method: 'POST', body: line })).body.dump();
  });
  await closeStreams(streams);
  bare.kill();
  return waits;
}

/** The time until each client has an event, for several events one after another, at times that no timer of the server shares. */
async function measureEvents(streams: readonly Stream[], send: (line: string) => Promise<unknown>): Promise<number[][]> {
  const waits: number[][] = [];
  for (let n = 0; n < EVENTS; n++) {
    await delay(150 + n * 97);
    const line = `event ${n} of the bench;`;
    const began = performance.now();
    const seen = streams.map(async (stream) => (await stream.saw(line)) - began);
    await send(line);
    waits.push(await Promise.all(seen));
  }
  return waits;
}

type Stream = { saw(line: string): Promise<number>; abort(): void; ended: Promise<void> };

async function openStreams(places: readonly { url: string; token: string }[]): Promise<Stream[]> {
  const dispatcher = new Agent({ connections: null, bodyTimeout: 0 });
  const streams: Stream[] = [];
  for (const { url, token } of places) {
    const gone = new AbortController();
    const { statusCode, body } = await request(url, { headers: { authorization: `Bearer ${token}` }, signal: gone.signal, dispatcher });
    if (statusCode !== 200) throw new Error(`a stream was answered ${statusCode}: ${await body.text()}`);
    let sought = '';
    let found = (_at: number): void => undefined;
    const read = async (): Promise<void> => {
      for await (const chunk of body) if (sought !== '' && String(chunk).includes(sought)) found(performance.now());
    };
    streams.push({
      saw: (line) => {
        sought = line;
        return new Promise((resolve) => (found = resolve));
      },
      abort: () => gone.abort(),
      ended: read().catch(() => undefined),
    });
  }
  return streams;
}

async function closeStreams(streams: readonly Stream[]): Promise<void> {
  for (const { abort } of streams) abort();
  await Promise.all(streams.map(({ ended }) => ended));
}

async function makeTokens({ client }: Backroom, count: number): Promise<string[]> {
  const tokens: string[] = [TOKEN];
  while (tokens.length < count) tokens.push(String((await client.me.create_token({ name: `bench ${tokens.length}` })).token));
  return tokens;
}

/** User and system time of a process, which its `stat` has in ticks of 10 ms. */
function cpuMs(pid: number): number {
  const fields = statFields(pid) ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

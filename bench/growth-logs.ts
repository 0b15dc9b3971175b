import { sql } from 'kysely';
import { Client, type Dispatcher, Pool } from 'undici';
import { get } from './asking.ts';
import { type Backroom, TOKEN } from './backroom.ts';
import type { Point } from './draw-curves.ts';
import { type Growth, growthRows, startBare, upTo } from './growth.ts';
import { median, type Row } from './report.ts';

const SIZES = [1000, 10_000, 100_000, 1_000_000];
const PAGES = 30;
const STREAMS = 3;
const PAGE_LINES = 500;
const LINES_A_WRITE = 10_000;

/**
 * The log of one run: its stream from the first line to the end, for each thousand lines, and a page from its middle. A log ends at 100,000
 * lines (at 335,544 if its task may write most); the largest size shows what the table itself does.
 */
export async function measureLogsGrowth(backroom: Backroom, largest: number): Promise<Row[]> {
  const { sizes, isWhole } = upTo(SIZES, largest);
  const pool = new Pool(backroom.url, { connections: 1 });
  const [stream, first, page, barePage]: Point[][] = [[], [], [], []];
  const taskId = await backroom.createTask('log(1)');
  for (const size of sizes) {
    const path = await makeLog(backroom, taskId, size);
    const totals: number[] = [];
    const firsts: number[] = [];
    for (let n = 0; n < STREAMS; n++) totals.push(await timeOf(() => readStream(pool, path)));
    for (let n = 0; n < PAGES; n++) firsts.push(await timeOf(() => readFirst(backroom.url, path)));
    const middle = `${path}/lines?after=${size / 2}&limit=${PAGE_LINES}`;
    const bare = await startBare(await get(pool, middle));
    const barePool = new Pool(bare.url, { connections: 1 });
    const [pages, bares]: [number[], number[]] = [[], []];
    for (let n = 0; n < PAGES; n++) {
      pages.push(await timeOf(() => get(pool, middle)));
      bares.push(await timeOf(() => get(barePool, middle)));
    }
    await barePool.close();
    bare.stop();
    stream?.push({ size, value: (median(totals) * 1000) / size });
    first?.push({ size, value: median(firsts) });
    page?.push({ size, value: median(pages) });
    barePage?.push({ size, value: median(bares) });
  }
  await pool.close();
  const lines = [
    { name: 'stream, 1000 lines', points: stream ?? [], most: 2, unless: 10 },
    { name: 'stream, first bytes', points: first ?? [], most: 2, unless: 10 },
    { name: `page of ${PAGE_LINES} lines`, points: page ?? [], most: 2, unless: 5 },
    { name: 'bare node:http, page', points: barePage ?? [], isBaseline: true },
  ];
  return growthRows({ ...chart, isWhole, lines });
}

const chart: Omit<Growth, 'lines' | 'isWhole'> = {
  file: 'logs',
  unit: 'ms',
  title: 'Reading the log of one run, by its number of lines',
  x: 'lines',
  y: 'ms, median',
  method:
    'The stream from its first line, as ms for each 1000 lines; a page from the middle. SQLite. Dashed: bare node:http with the bytes of the page.',
};

/** An ended run with so many lines, stored at once; to send a million through the API takes minutes, and is refused. */
async function makeLog({ client, store }: Backroom, taskId: number, lines: number): Promise<string> {
  const { run_id: runId } = await client.ai_tasks.start_run(taskId, { executor: 'external' });
  await client.ai_tasks.append_run_events(taskId, runId, { events: [{ kind: 'finalize', status: 'success' }] });
  // In parts, after each of which SQLite empties its write-ahead log: a long one would slow the reads down.
  for (let from = 0; from < lines; from += LINES_A_WRITE) {
    const count = Math.min(LINES_A_WRITE, lines - from);
    await store.write((db) =>
      sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
        INSERT INTO run_events (run_id, seq, at, line)
        SELECT ${runId}, ${from} + i, '2026-03-01T12:00:00.000Z', '{"kind":"log","line":"line ' || i || ' of a script that says much about customers"}'
        FROM n`.execute(db),
    );
  }
  await store.write((db) => db.updateTable('runs').set({ log_lines: lines }).where('id', '=', runId).execute());
  return `/ai-tasks/${taskId}/runs/${runId}`;
}

async function readStream(pool: Pool, path: string): Promise<void> {
  const { body } = await openStream(pool, path);
  let bytes = 0;
  for await (const chunk of body) bytes += Buffer.byteLength(chunk);
  if (bytes === 0) throw new Error(`the stream ${path} was empty`);
}

/** Reads a stream until its first lines have come, then leaves it. */
async function readFirst(url: string, path: string): Promise<void> {
  const client = new Client(url);
  const { body } = await openStream(client, path);
  for await (const chunk of body) if (String(chunk).includes('id: 1\n')) break;
  await client.destroy();
}

function openStream(at: Dispatcher, path: string): Promise<Dispatcher.ResponseData> {
  return at.request({ method: 'GET', path: `/admin/api${path}/stream`, headers: { authorization: `Bearer ${TOKEN}` } });
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

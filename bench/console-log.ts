import { z } from 'zod';
import type { OpenPage } from '../test/console/browser.ts';
import type { Console } from '../test/console/open-console.ts';
import { BLANK, framesMs, msAfterInput, msToShow, numberOf, prepare, SAMPLES } from './console-page.ts';
import { median, quantile, type Row, row } from './report.ts';

const LINES = 100_000;
const LINES_A_REQUEST = 1000;
const LINES_A_CHUNK = 500;
const lineOf = (n: number): string => `order ${n + 1} looked at; total ${(n * 37) % 9973} EUR`;
const SOUGHT = 'total 75 eur';

type Sample = { shown: number; afterData: number; elements: number; search: number; frames: number[]; bare: Bare; bareFrames: number[] };

/**
 * The log of a run that has ended, with 100,000 lines, beside one `<pre>` with the same text. On a machine that is busy, where the
 * `<pre>` misses the targets too, the log must be no slower than that.
 */
export async function measureConsoleLog(shop: Console): Promise<Row[]> {
  const run = await makeRun(shop);
  const samples: Sample[] = [];
  for (let i = 0; i < SAMPLES; i++) samples.push({ ...(await measureLog(shop, run)), ...(await measureBare(shop, run.stream)) });
  const of = (pick: (sample: Sample) => number): number => median(samples.map(pick));
  const frames = samples.flatMap((sample) => sample.frames);
  const bareFrames = samples.flatMap((sample) => sample.bareFrames);
  const name = `log of ${LINES} lines`;
  return [
    row({
      name: `${name}: navigation → on screen, warm cache (baseline: a <pre>)`,
      figure: of(({ shown }) => shown),
      unit: 'ms',
      baseline: of(({ bare }) => bare.shown),
      ratioBound: { most: 1, unless: 800 },
    }),
    row({
      name: `${name}: last byte of its data → on screen`,
      figure: of(({ afterData }) => afterData),
      unit: 'ms',
      baseline: of(({ bare }) => bare.afterData),
    }),
    row({ name: `${name}: its elements`, figure: of(({ elements }) => elements), unit: '', figureBound: { most: 700 } }),
    row({
      name: `${name}: last key → number of hits (250 ms wait for the next key)`,
      figure: of(({ search }) => search),
      unit: 'ms',
      baseline: of(({ bare }) => bare.search),
      figureBound: { most: 350 },
    }),
    row({
      name: `${name}: a frame while its wheel turns: p99 of ${frames.length}`,
      figure: quantile(frames, 0.99),
      unit: 'ms',
      baseline: quantile(bareFrames, 0.99),
      ratioBound: { most: 1, unless: 34 },
    }),
  ];
}

/** A run that a client drives: its log is what the client sends. */
async function makeRun({ client }: Console): Promise<{ path: string; stream: string }> {
  const { task_id: taskId } = await client.ai_tasks.create({
    name: 'Flood',
    description: '',
    source_code: 'log(1)',
    permissions: [],
    parameters: [],
  });
  const { run_id: runId } = await client.ai_tasks.start_run(taskId, { executor: 'external' });
  for (let from = 0; from < LINES; from += LINES_A_REQUEST) {
    const events = Array.from({ length: LINES_A_REQUEST }, (_, i) => ({ kind: 'log' as const, line: lineOf(from + i) }));
    await client.ai_tasks.append_run_events(taskId, runId, { events });
  }
  await client.ai_tasks.append_run_events(taskId, runId, { events: [{ kind: 'finalize', status: 'success' }] });
  return { path: `/tasks/${taskId}/runs/${runId}`, stream: `/admin/api/ai-tasks/${taskId}/runs/${runId}/stream` };
}

/** All lines have been drawn; the number beside the search field says it too. */
const ALL_THERE = `document.querySelectorAll('.log pre').length >= ${LINES / LINES_A_CHUNK} && /100,00\\d lines/.test(document.querySelector('.run-main')?.textContent.slice(0, 2000) ?? '')`;

async function measureLog(shop: Console, { path, stream }: { path: string; stream: string }) {
  const page = await shop.open({ path: path.replace(/\/runs.*/, '') });
  await page.goto(`${shop.url}${BLANK}`);
  const shown = await msToShow(page, `${shop.url}${path}`, ALL_THERE);
  const afterData = shown - (await numberOf(page, `performance.getEntriesByName(location.origin + '${stream}')[0].responseEnd`));
  const elements = await numberOf(page, `document.querySelectorAll('.log *').length`);
  const frames = await wheel(page, '.log');
  const field = page.getByPlaceholder('Find in the log');
  await field.pressSequentially(SOUGHT.slice(0, -1));
  const hits = Array.from({ length: LINES }, (_, n) => lineOf(n)).filter((line) => line.toLowerCase().includes(SOUGHT)).length;
  const search = await msAfterInput(
    page,
    `[...document.querySelectorAll('[role=status]')].some(({ textContent }) => textContent === '${hits} found')`,
    () => field.press(SOUGHT.slice(-1)),
  );
  await page.done();
  return { shown, afterData, elements, frames, search };
}

const TURNS = 60;
const TURN_PX = 600;

/** Turns the wheel over a part of the page, first downwards, then upwards. */
async function wheel(page: OpenPage, part: string): Promise<number[]> {
  await page.locator(part).hover();
  return framesMs(page, async () => {
    for (const by of [TURN_PX, -TURN_PX]) for (let i = 0; i < TURNS; i++) await page.mouse.wheel(0, by);
  });
}

const Bare = z.object({ shown: z.number(), afterData: z.number(), search: z.number() });
type Bare = z.infer<typeof Bare>;

/** The same stream, read whole and put into one `<pre>`, and the same search in its text. */
async function measureBare(shop: Console, stream: string): Promise<{ bare: Bare; bareFrames: number[] }> {
  const page = await shop.open({ isFirst: true, path: BLANK });
  await prepare(page);
  const bare = Bare.parse(
    await page.evaluate(`(async () => {
      const began = performance.now();
      const headers = { authorization: 'Bearer ' + sessionStorage.getItem('backroom.token'), accept: 'text/event-stream' };
      const stream = await (await fetch('${stream}', { headers })).text();
      const arrived = performance.now();
      const events = stream.split('\\n').filter((line) => line.startsWith('data: {')).map((line) => JSON.parse(line.slice(6)));
      const text = events.filter(({ kind }) => kind === 'log').map(({ line }) => line).join('\\n');
      const pre = document.createElement('pre');
      pre.style.cssText = 'height: 500px; overflow: auto';
      pre.textContent = text;
      document.body.replaceChildren(pre);
      bench.watch(() => true);
      const shown = await bench.shown();
      const hits = [...text.matchAll(/${SOUGHT}/gi)].length;
      return { shown: shown - began, afterData: shown - arrived, search: performance.now() - shown, hits };
    })()`),
  );
  const bareFrames = await wheel(page, 'pre');
  await page.done();
  return { bare, bareFrames };
}

import { createServer } from 'node:http';
import type { Console } from '../test/console/open-console.ts';
import { BLANK, msToShow, SAMPLES } from './console-page.ts';
import { median, type Row, row } from './report.ts';

const FIGURES = `document.querySelectorAll('.figures dd.figure').length === 4`;

/** The overview from the navigation until its figures are on screen: with nothing in the browser's cache, and once more. */
export async function measureConsoleOverview(shop: Console): Promise<Row[]> {
  const cold: number[] = [];
  const warm: number[] = [];
  const emptyCold: number[] = [];
  const emptyWarm: number[] = [];
  const empty = await startEmptyPage();
  for (let i = 0; i < SAMPLES; i++) {
    const page = await shop.open({ isFirst: true, path: BLANK });
    cold.push(await msToShow(page, shop.url, FIGURES));
    await page.goto(`${shop.url}${BLANK}`);
    warm.push(await msToShow(page, shop.url, FIGURES));
    await page.done();

    const bare = await shop.open({ isFirst: true, path: BLANK });
    emptyCold.push(await msToShow(bare, empty.url, EMPTY));
    await bare.goto(`${shop.url}${BLANK}`);
    emptyWarm.push(await msToShow(bare, empty.url, EMPTY));
    await bare.context().close();
  }
  empty.close();
  const name = 'overview: navigation → figures';
  const figureBound = { most: 1000 };
  return [
    row({ name: `${name}, cold cache (baseline: empty page)`, figure: median(cold), unit: 'ms', baseline: median(emptyCold), figureBound }),
    row({ name: `${name}, warm cache`, figure: median(warm), unit: 'ms', baseline: median(emptyWarm), figureBound }),
  ];
}

const EMPTY = `document.querySelector('#there')`;

/** A static page with one word, by node:http alone. */
async function startEmptyPage(): Promise<{ url: string; close(): void }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end('<!doctype html><p id="there">Here</p>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}/`, close: () => void server.close() };
}

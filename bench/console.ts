import { buildConsole } from '../ops/missing-builds.ts';
import { chromiumPath } from '../test/console/browser.ts';
import { openConsole } from '../test/console/open-console.ts';
import { consoleSizes } from '../tools/console-sizes.ts';
import { measureConsoleEditor } from './console-editor.ts';
import { measureConsoleLog } from './console-log.ts';
import { measureConsoleOrders } from './console-orders.ts';
import { measureConsoleOverview } from './console-overview.ts';
import { SAMPLES } from './console-page.ts';
import { median, type Row, row } from './report.ts';

const ORDERS = 2000;

/** Builds the console, and measures in a real browser how long an admin waits for it, in a shop of 2,000 orders. */
export async function measureConsole(): Promise<Row[]> {
  if (chromiumPath() === null) {
    process.stderr.write('console is skipped: there is no Chromium (docs/commands.md names the packages, beside test:console).\n');
    return [];
  }
  const rows = [await buildRow(), ...sizeRows()];
  const shop = await openConsole({ orders: ORDERS });
  try {
    rows.push(...(await measureConsoleOverview(shop)));
    rows.push(...(await measureConsoleOrders(shop)));
    rows.push(...(await measureConsoleLog(shop)));
    rows.push(...(await measureConsoleEditor(shop)));
  } finally {
    await shop.close();
  }
  return rows;
}

async function buildRow(): Promise<Row> {
  const tookS: number[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    const began = performance.now();
    if ((await buildConsole()) !== 0) throw new Error('the console could not be built');
    tookS.push((performance.now() - began) / 1000);
  }
  return row({ name: 'npm run build:console', figure: median(tookS), unit: 's', figureBound: { most: 10 } });
}

/** The size of each part. Of the pages, whose bound is the same for all, the largest script or style counts. */
function sizeRows(): Row[] {
  const largest = Map.groupBy(consoleSizes(), ({ part }) => part)
    .values()
    .map((sizes) => sizes.reduce((a, b) => (b.bytes > a.bytes ? b : a)));
  return [...largest].map(({ part, bytes, most }) =>
    row({
      name: `size, gzip: ${part}${part === 'page' ? ', the largest' : ''}`,
      figure: bytes / 1000,
      unit: 'kB',
      figureBound: { most: most / 1000 },
    }),
  );
}

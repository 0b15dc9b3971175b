import { z } from 'zod';
import type { OpenPage } from '../test/console/browser.ts';
import type { Console } from '../test/console/open-console.ts';
import { makeOrder, makeProduct, makeVariant } from '../test/helpers/builders.ts';
import { answered, BLANK, msAfterInput, msOfRequests, msToShow, SAMPLES } from './console-page.ts';
import { median, quantile, type Row, row } from './report.ts';

/** The list of orders, an order beside it, and the totals of an order that is edited. */
export async function measureConsoleOrders(shop: Console): Promise<Row[]> {
  return [...(await listRows(shop)), ...(await editRows(shop))];
}

const PER_PAGE = 50;
const rowsThere = (condition = 'true') => `document.querySelectorAll('.page tbody tr').length === ${PER_PAGE} && ${condition}`;
const FIRST_ROW = `document.querySelector('.page tbody tr').textContent`;

/** The sample shop's orders have rows of history, or the words that there are none. */
const HISTORY = `document.querySelector('.sheet .history-row') || document.querySelector('.sheet')?.textContent.includes('since the order was placed')`;

async function listRows(shop: Console): Promise<Row[]> {
  type Part = 'first' | 'next' | 'sheet' | 'tab';
  const times: Record<Part, { shown: number; requests: number }[]> = { first: [], next: [], sheet: [], tab: [] };
  for (let i = 0; i < SAMPLES; i++) {
    const page = await shop.open({ isFirst: true, path: BLANK, width: 1440 });
    const first = await msToShow(page, `${shop.url}/orders`, rowsThere());
    times.first.push({ shown: first, requests: await msOfRequests(page, 'navigation') });

    // The next page is read ahead.
    await answered(page, 'cursor=');
    const row1 = JSON.stringify(await page.evaluate(FIRST_ROW));
    const next = await msAfterInput(page, rowsThere(`${FIRST_ROW} !== ${row1}`), () => page.getByRole('button', { name: 'Next' }).click());
    times.next.push({ shown: next, requests: await msOfRequests(page, 'navigation', 'cursor=') });

    const sheet = await msAfterInput(page, `document.querySelector('.totals')`, () => page.locator('tbody tr').nth(3).press('Enter'));
    times.sheet.push({ shown: sheet, requests: await msOfRequests(page, 'input') });

    const tab = await msAfterInput(page, HISTORY, () => page.getByRole('button', { name: 'History' }).click());
    times.tab.push({ shown: tab, requests: await msOfRequests(page, 'input') });
    await page.done();
  }
  const rowOf = (part: Part, name: string, most: number): Row =>
    row({
      name: `orders: ${name}`,
      figure: median(times[part].map(({ shown }) => shown)),
      unit: 'ms',
      baseline: median(times[part].map(({ requests }) => requests)),
      figureBound: { most },
    });
  return [
    rowOf('first', 'navigation → 50 rows, cold cache (baseline: its requests)', 1000),
    rowOf('next', 'click → next page', 200),
    // React shows a placeholder for 300 ms at least, so a bound below that notices one that has come between.
    rowOf('sheet', 'Enter → an order beside the list', 250),
    rowOf('tab', 'click → history of the order', 250),
  ];
}

/** Quantities in which each key makes another one: 2, 21, 215, 3, 31, … */
const FIRST_DIGITS = [2, 3, 4, 5, 6, 7, 8, 9];
const NEXT_DIGITS = ['1', '5'];
const TOTAL = `(document.querySelector('.totals tfoot ins') ?? document.querySelector('.totals tfoot td')).textContent.replace(/\\D/g, '')`;

async function editRows(shop: Console): Promise<Row[]> {
  const variant = await makeVariant(shop, { product_id: (await makeProduct(shop, { name: 'Cup' })).id, price_cents: 1990, stock: 100_000 });
  const { id } = await makeOrder(shop, {}, [{ variant, quantity: 1 }]);
  const [item] = (await shop.client.orders.get(id)).items;
  if (!item) throw new Error('the order has no line');
  const page = await shop.open({ isFirst: true, path: BLANK, width: 1440 });
  await msToShow(page, `${shop.url}/orders?open=${id}`, `document.querySelector('.totals')`);
  await page.keyboard.press('e');
  const field = page.getByLabel('Quantity of Cup');
  const shown: number[] = [];
  const requests: number[] = [];
  for (const first of FIRST_DIGITS) {
    await field.press('Control+a');
    let typed = '';
    for (const digit of [String(first), ...NEXT_DIGITS]) {
      typed += digit;
      const preview = await previewOf(page, id, { id: item.id, quantity: Number(typed) });
      requests.push(preview.tookMs);
      shown.push(await msAfterInput(page, `${TOTAL} === '${preview.total}'`, () => page.keyboard.press(digit)));
    }
  }
  await page.context().close();
  const name = `order edit: key → totals (${shown.length} keys; 80 ms wait for the next key)`;
  const [figureBound, unit] = [{ most: 200 }, 'ms'];
  return [
    row({ name: `${name}: p50`, figure: median(shown), unit, baseline: median(requests), figureBound }),
    row({ name: `${name}: p95`, figure: quantile(shown, 0.95), unit, baseline: quantile(requests, 0.95), figureBound }),
  ];
}

const Preview = z.object({ tookMs: z.number(), total: z.int() });

/** The same question to the server without the console's page around it; the page waits for just this total. */
async function previewOf(page: OpenPage, id: number, item: { id: number; quantity: number }): Promise<z.infer<typeof Preview>> {
  const asked = await page.evaluate(`(async () => {
    const headers = { authorization: 'Bearer ' + sessionStorage.getItem('backroom.token'), 'content-type': 'application/json' };
    const began = performance.now();
    const answer = await fetch('/admin/api/orders/${id}/edit/preview', { method: 'POST', headers, body: ${JSON.stringify(
      JSON.stringify({ items: [item] }),
    )} });
    const { totals_after } = await answer.json();
    return { tookMs: performance.now() - began, total: totals_after.total };
  })()`);
  return Preview.parse(asked);
}

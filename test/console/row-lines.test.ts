import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { type Console, openConsole } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 60 });
  await shop.client.webhooks.create({ url: 'https://example.com/hooks', events: ['*'], active: true });
  await shop.client.inquiries.create({ name: 'Anna', email: 'anna@example.org', subject: 'Tea', body: 'Is it green?' });
});
after(() => shop.close());

/**
 * How far the text of each cell stands from the line of its row, in pixels: a box without a height, put in front of a text, has its lower
 * edge on the line of that text. Rows in which a cell has two lines have none in common.
 */
const OFF_THE_LINE = `(() => {
  const lineOf = (text) => {
    const place = document.createElement('span');
    const probe = document.createElement('span');
    probe.style.display = 'inline-block';
    text.replaceWith(place);
    place.append(probe, text);
    const { bottom } = probe.getBoundingClientRect();
    place.replaceWith(text);
    return bottom;
  };
  const textsIn = (cell) => {
    const found = [];
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode;
      const range = document.createRange();
      range.selectNodeContents(text);
      const [box, ...more] = range.getClientRects();
      if (box && box.width > 1 && box.height > 1) found.push({ text, hasMore: more.some(({ top }) => Math.abs(top - box.top) > 4) });
    }
    return found;
  };
  const off = [];
  for (const row of document.querySelectorAll('.table tr')) {
    const texts = [...row.cells].flatMap((cell) => textsIn(cell).map((one) => ({ ...one, line: lineOf(one.text) })));
    const lines = texts.map(({ line }) => line).toSorted((a, b) => a - b);
    const usual = lines[Math.floor(lines.length / 2)];
    if (texts.some(({ hasMore, line }) => hasMore || Math.abs(line - usual) > 8)) continue;
    for (const { text, line } of texts) if (Math.abs(line - usual) > 0.2) off.push(text.data + ': ' + (line - usual).toFixed(2));
  }
  return { rows: document.querySelectorAll('.table tr').length, off };
})()`;
const Found = z.object({ rows: z.number(), off: z.array(z.string()) });

test('in every table the texts of a row stand on one line, also beside the mark of a status', async () => {
  const page = await shop.open({ width: 1440 });
  for (const path of [
    '/orders',
    '/products',
    '/customers',
    '/inquiries',
    '/subscriptions',
    '/pages',
    '/themes',
    '/access-groups',
    '/library/files',
    '/library/vouchers',
    '/library/shipping-methods',
    '/library/order-statuses',
    '/tasks',
    '/runs',
    '/activity/log',
    '/activity/audit',
    '/activity/mails',
    '/settings/me',
    '/settings/people',
    '/settings/webhooks',
  ]) {
    await page.goto(`${shop.url}${path}`);
    await page.locator('.table, .empty, .rows').first().waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    const { rows, off } = Found.parse(await page.evaluate(OFF_THE_LINE));
    assert.deepEqual([...new Set(off)], [], `${path}, ${rows} rows`);
  }
  await page.done();
});

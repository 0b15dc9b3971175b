import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page, Request } from 'playwright-core';
import { pushExample } from '../../ops/example-tasks.ts';
import { ended } from '../helpers/machines.ts';
import { type Console, openConsole } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 60, runner: true });
});
after(() => shop.close());

/**
 * Makes what the console formats be written in the digits of another script, so that digits of ours are values that no formatter has
 * made. Swedish is how the console writes calendar days as the API takes them.
 */
const OTHER_DIGITS = `for (const name of ['NumberFormat', 'DateTimeFormat']) {
  const Real = Intl[name];
  Intl[name] = new Proxy(Real, {
    construct: (_, [locale, options]) => new Real(locale, /^sv/.test(locale) ? options : { ...options, numberingSystem: 'deva' }),
  });
}`;

/** Texts in sight that hold a digit of ours, without those that people and programs have written. */
const RAW_TEXTS = `(() => {
  const written = 'code, pre, kbd, data, input, textarea, select, address, .cm-editor, .visual-text';
  const found = [];
  const walker = document.createTreeWalker(document.querySelector('#root'), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (element.closest(written) || !element.checkVisibility()) continue;
    found.push(walker.currentNode.textContent);
  }
  return found;
})()`;

/** Records, versions and percentiles are called by their number, which is no amount. */
const NAMES = /#\d+|\b(run|replay|version|task|draft of) \d+|\bv\d+\b|\bp(?:50|95)\b/gi;
const TIME = /^\d{4}-\d\d-\d\d(T|$)/;

/** Every text with a digit in the answers that the page got, but for times: what somebody has written stands on the page as it is. */
function watchTexts(page: Page): () => Promise<ReadonlySet<string>> {
  const answers: Promise<unknown>[] = [];
  page.on('response', (response) => {
    if (isRead(response.request())) answers.push(response.json().catch(() => null));
  });
  return async () => new Set((await Promise.all(answers)).flatMap(textsIn));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return /\d/.test(value) && !TIME.test(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => (OF_SCRIPTS.has(name) ? valuesIn(one) : textsIn(one)));
}

/** What a script declares (as JSON text), takes and returns: nobody but the script knows what its numbers mean. */
const OF_SCRIPTS = new Set(['parameters', 'result', 'results']);
const valuesIn = (value: unknown): string[] => JSON.stringify(value).match(/\d[\d.]*/g) ?? [];

async function rawTexts(page: Page, written: ReadonlySet<string>): Promise<string[]> {
  const longestFirst = [...written].sort((a, b) => b.length - a.length);
  const texts = (await page.evaluate(RAW_TEXTS)) as string[];
  return texts.filter((text) => /\d/.test(longestFirst.reduce((rest, one) => rest.replaceAll(one, ''), text.replaceAll(NAMES, ''))));
}

const isRead = (request: Request): boolean => request.url().includes('/admin/api/') && !/\/(changes|stream)\b/.test(request.url());

/** Gives a function that waits until the page has all that it asked for, answers and parts of its code, and has drawn it. */
function watchReads(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  let waiting: (() => void) | undefined;
  const end = (request: Request): void => {
    open.delete(request);
    if (open.size === 0) waiting?.();
  };
  page.on('request', (request) => (isRead(request) || request.resourceType() === 'script') && open.add(request));
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  const drawn = 'new Promise((done) => requestAnimationFrame(() => setTimeout(done)))';
  return async () => {
    // What is drawn may ask for more.
    do {
      if (open.size > 0)
        await new Promise<void>((done) => {
          waiting = done;
        });
      await page.evaluate(drawn);
    } while (open.size > 0);
  };
}

test('no page shows a number, an amount, a size or a time that no formatter has made', async () => {
  const { client } = shop;
  const { taskId } = await pushExample(client, 'low-stock-report');
  const run = await client.ai_tasks.start_run(taskId, {});
  await ended(client, taskId, run.run_id);
  const failed = await client.ai_tasks.start_run(taskId, { executor: 'external' });
  const event = { kind: 'finalize' as const, status: 'failed' as const, error_message: 'the supplier did not answer' };
  await client.ai_tasks.append_run_events(taskId, failed.run_id, { events: [event] });
  const [error] = (await client.ai_tasks.list_errors({})).data;
  const [order] = (await client.orders.list({ per_page: 1 })).data;
  const [customer] = (await client.customers.list({ per_page: 1 })).data;
  const [product] = (await client.products.list({ per_page: 1 })).data;
  const paths = [
    '/',
    `/orders?open=${order?.id}`,
    '/orders/calendar',
    `/customers/${customer?.id}`,
    '/customers',
    `/products/${product?.id}`,
    '/products',
    '/subscriptions',
    '/inquiries',
    '/pages',
    '/themes',
    '/access-groups',
    '/library/media',
    '/library/files',
    '/library/vouchers',
    '/library/discount-groups',
    '/library/shipping-methods',
    '/library/tax-rates',
    '/tasks',
    `/tasks/${taskId}`,
    `/tasks/${taskId}/runs/${run.run_id}`,
    '/runs',
    '/approvals',
    '/errors',
    `/errors/${error?.id}`,
    '/activity',
    '/settings',
  ];
  const page = await shop.open();
  await page.addInitScript({ content: OTHER_DIGITS });
  const allRead = watchReads(page);
  const written = watchTexts(page);
  const raw: Record<string, string[]> = {};
  for (const path of paths) {
    await page.goto(`${shop.url}${path}`);
    await page.locator('main h1').first().waitFor();
    await allRead();
    const texts = await rawTexts(page, await written());
    if (texts.length > 0) raw[path] = texts;
  }
  assert.deepEqual(raw, {});
  await page.done();
});

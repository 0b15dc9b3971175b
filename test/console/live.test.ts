import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeOrder } from '../helpers/builders.ts';
import { type Console, openConsole } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 60 });
});
after(() => shop.close());

/** Without intervals a page learns of a change by the stream alone. */
const WITHOUT_POLLING = 'globalThis.setInterval = () => 0';

test('what is shown changes when the shop does, also after the server was gone', async () => {
  const page = await shop.open();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await page.evaluate(WITHOUT_POLLING);
  await page.pressPair('g', 'o');
  await page.getByRole('row').nth(3).waitFor();
  await makeOrder(shop);
  await page.getByRole('button', { name: '1 new order: show it' }).waitFor();
  await shop.restart();
  await makeOrder(shop);
  await page.getByRole('button', { name: '2 new orders: show them' }).waitFor();
  await page.done();
});

test('an admin hears nothing of what they may not read', async () => {
  const { token } = await shop.admin('Pages only', ['admin_api.pages.read']);
  const page = await shop.open({ token, path: '/pages' });
  await page.getByRole('heading', { name: 'Pages' }).waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await makeOrder(shop);
  const made = await shop.client.pages.create({ title: 'Our farm', slug: 'our-farm' });
  await page.getByText(made.title).waitFor();
  // What is told to all admins, everybody may read; the bell asks for it now and then.
  assert.deepEqual(
    asked.filter((path) => !/^\/admin\/api\/(pages\b|page-drafts$|notifications$|changes$)/.test(path)),
    [],
  );
  await page.done();
});

const LOGIN_PAGE = { contentType: 'text/html', body: '<h1>Log in to the network</h1>' };

test('a page that a proxy answers in place of the shop is no answer of the server', async () => {
  const page = await shop.open({ path: '/pages' });
  await page.getByRole('heading', { name: 'Pages' }).waitFor();
  const customers = /\/admin\/api\/customers(\?|$)/;
  await page.route(customers, (route) => route.fulfill({ status: 200, ...LOGIN_PAGE }));
  await page.pressPair('g', 'c');
  await page.getByText('The server does not answer').waitFor();
  await page.unroute(customers);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('row').nth(1).waitFor();
  await page.done();
});

test('where a proxy refuses with a page of its own, a token is asked for', async () => {
  const page = await shop.open({ path: '/pages' });
  await page.getByRole('heading', { name: 'Pages' }).waitFor();
  await page.route(/\/admin\/api\/orders(\?|$)/, (route) => route.fulfill({ status: 401, ...LOGIN_PAGE }));
  await page.pressPair('g', 'o');
  await page.getByLabel('Access token').waitFor();
  await page.done();
});

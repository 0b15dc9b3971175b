import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeProduct } from '../helpers/builders.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

/** What the server says reaches an admin in the language of the console. */

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20 });
});
after(() => shop.close());

const german = { languages: ['de'] };

test('what the shop tells its admins is told in German, in the bell and in the list', async () => {
  const { client } = shop;
  const berta = await shop.admin('Berta');
  await client.settings.update({ approval_policy: 'second_admin' });
  await client.ai_tasks.create({ name: 'Mahnungen', description: '', source_code: 'log(1);', permissions: [], parameters: [] });
  const product = await makeProduct(shop, { name: 'Oolong', low_stock_threshold: 5 });
  const variant = await client.products.create_variant(product.id, { sku: 'OOLONG', price_cents: 100, stock: 9, track_stock: true });
  await client.products.change_stock(variant.id, { delta: -7, reason: 'counted' });
  const [order] = (await client.orders.list({ per_page: 1 })).data;
  assert.ok(order);
  await client.orders.create_comment(order.id, { body: `<@${berta.id}> please look` });
  const page = await shop.open({ ...german, token: berta.token });
  await page.locator('.bell').click();
  const panel = page.getByRole('dialog', { name: 'Benachrichtigungen' });
  await panel.getByRole('link', { name: 'Owner hat Sie erwähnt' }).waitFor();
  const rows = [
    [/^Owner hat Sie erwähnt/, `In einem Kommentar zu Bestellung ${order.public_id}.`],
    [/^Niedriger Bestand: Oolong/, 'Oolong: noch 2 auf Lager.'],
    [/^Eine Version wartet auf Freigabe/, 'Version 1 von „Mahnungen“, eingereicht von Owner'],
    [/^Zugriffstoken erstellt/, 'Das Token „console“ wurde erstellt.'],
  ] as const;
  for (const [title, message] of rows) {
    const row = panel.getByRole('listitem').filter({ has: page.locator('.told-title', { hasText: title }) });
    await row.getByText(message).first().waitFor();
  }
  await shoot(page, 'bell-german');
  await page.goto(`${shop.url}/activity/notifications`);
  for (const [, message] of rows) await page.getByRole('main').getByText(message).first().waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.done();
});

test('a refused form says in German what is wrong with each value, and a refusal without one what it means', async () => {
  const { client } = shop;
  await client.customers.create({ name: 'Ada', email: 'ada@example.org' });
  const page = await shop.open({ ...german, path: '/customers', width: 390 });
  await page.getByRole('button', { name: 'Neuer Kunde' }).click();
  const form = page.getByRole('form', { name: 'Neuer Kunde' });
  await form.getByLabel('Name').fill('x'.repeat(256));
  await form.getByLabel('E-Mail').fill('grace@example.org');
  const submit = form.getByRole('button', { name: 'Hinzufügen' });
  await submit.click();
  await form.getByText('Höchstens 255 Zeichen sind möglich.').first().waitFor();
  await form.getByLabel('Name').fill('Ada the second');
  await form.getByLabel('E-Mail').fill('ada@example.org');
  await submit.click();
  await form.getByText('Das gibt es bereits.').first().waitFor();
  await form.getByLabel('E-Mail').fill('grace@example.org');
  const refuse = (status: number, problem: object) =>
    page.route('**/admin/api/customers', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status, json: { type: '', title: 'Title', status, detail: 'Detail', instance: '', request_id: 'r', ...problem } })
        : route.continue(),
    );
  await refuse(429, { code: 'rate_limited', retry_after: 12 });
  await submit.click();
  const alert = form.getByRole('alert');
  await alert.getByText('Zu viele Anfragen').waitFor();
  await alert.getByText('Versuchen Sie es in 12 s noch einmal.').waitFor();
  await refuse(403, { code: 'forbidden', permissions: ['admin_api.customers.write'] });
  await submit.click();
  await alert.getByText('Dazu fehlt Ihnen eine Berechtigung').waitFor();
  await alert.getByText('Sie benötigen: Kunden bearbeiten').waitFor();
  assert.equal(await form.getByText('Detail').count(), 0, 'nothing of the server’s English is left');
  assert.equal(await isTooWide(page), false);
  await refuse(409, { code: 'invented_by_a_newer_server' });
  await submit.click();
  await alert.getByText('Detail').waitFor();
  await page.done();
});

test('edits of an order, amounts to be typed and counts are written as in Germany', async () => {
  const { client } = shop;
  const order = (await client.orders.list({ status: 'pending', per_page: 1 })).data[0];
  assert.ok(order);
  await client.orders.edit(order.id, { shipping: { cost_cents: 990 } });
  const page = await shop.open({ ...german, path: `/orders?open=${order.id}&tab=history` });
  await page.getByText(/^Versandkosten .* → 9,90\s€$/).waitFor();
  await page.goto(`${shop.url}/settings/shop`);
  await page.getByLabel('Wert eines Credits').waitFor();
  assert.equal(await page.getByLabel('Wert eines Credits').inputValue(), '0,01');
  await page.getByLabel('Wert eines Credits').fill('0,02');
  await page.getByText('Geändert').waitFor();
  const [customer] = (await client.customers.list({ per_page: 1 })).data;
  await page.goto(`${shop.url}/customers/${customer?.id}`);
  await page.getByText(/Kunde seit \d/).waitFor();
  await page.done();
});

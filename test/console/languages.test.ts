import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibilityFaults, type Console, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 60 });
});
after(() => shop.close());

test('an admin chooses the language of the console, which it has on every device from then on', async () => {
  const anna = await shop.admin('Anna');
  const page = await shop.open({ token: anna.token, path: '/orders' });
  const navigation = (name: string) => page.getByRole('navigation', { name });
  await navigation('Main').getByRole('link', { name: 'Orders' }).waitFor();
  await page.getByRole('button', { name: /Account: / }).click();
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await page.getByRole('heading', { level: 1, name: 'Bestellungen' }).waitFor();
  assert.equal(await page.evaluate('document.documentElement.lang'), 'de');
  assert.equal((await anna.client.me.get()).console.language, 'de');
  // Amounts as they are written in Germany: 1.234,56 €.
  await page
    .getByText(/^\d[\d.]*,\d\d\s€$/)
    .first()
    .waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'orders-german');
  await page.done();
  const elsewhere = await shop.open({ token: anna.token, path: '/customers' });
  await elsewhere.getByRole('heading', { level: 1, name: 'Kunden' }).waitFor();
  await elsewhere.done();
});

for (const [languages, title] of [
  [['hu-HU', 'en'], 'Rendelések'],
  [['nl', 'fr-CH', 'en'], 'Commandes'],
  [['nl', 'it'], 'Orders'],
] as const) {
  test(`whoever chose nothing sees the first of the browser's languages that there is: ${languages.join(', ')}`, async () => {
    const page = await shop.open({ languages, path: '/orders' });
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await page.done();
  });
}

test('a language whose texts cannot be loaded leaves the console in English', async () => {
  const page = await shop.open({ languages: ['en'], path: '/orders' });
  await page.evaluate("localStorage.setItem('backroom.language', 'de')");
  await page.route('**/assets/de-*.js', (route) => route.abort());
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
});

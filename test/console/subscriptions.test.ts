import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeCustomer, makeOrder, makeProduct, makeVariant } from '../helpers/builders.ts';
import { holdReads } from './browser.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20 });
});
after(() => shop.close());

const LONG = 'Monatsfahrkartenabonnementverlängerung megszentségteleníthetetlenségeskedéseitekért';

let made = 0;
async function makeSubscription(name: string) {
  const customer = await makeCustomer(shop, { name });
  const product = await makeProduct(shop, { name: `Box for ${name}`, is_subscription: true, billing_interval: 'month' });
  const variant = await makeVariant(shop, { product_id: product.id, price_cents: 1900 });
  const order = await makeOrder(shop, { customer, payment_status: 'paid' }, [{ variant, quantity: 1 }]);
  made += 1;
  const { id, public_id } = await shop.client.subscriptions.activate(order.id, {
    external_subscription_id: `sub_${made}`,
    external_customer_id: `cus_${made}`,
  });
  return { id, public_id, customer, order };
}

test('subscriptions are filtered by status and customer; one is opened and canceled, by keyboard alone', async () => {
  const { id, public_id, customer, order } = await makeSubscription('Anna');
  const other = await makeSubscription('Béla');
  const all = await shop.client.subscriptions.list({});
  const page = await shop.open({ path: '/subscriptions' });
  await page.getByText(`${all.total} subscriptions`, { exact: true }).waitFor();
  await page.goto(`${shop.url}/subscriptions?customer=${customer.id}`);
  await page.getByText('1 subscription', { exact: true }).waitFor();
  await page.getByRole('row', { name: /Anna/ }).focus();
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('complementary', { name: public_id });
  await sheet.getByRole('link', { name: order.public_id }).waitFor();
  await sheet.getByText('each month').waitFor();
  // What the machine calls the provider is no name of a fact.
  await sheet.getByText('At the payment provider', { exact: true }).waitFor();
  assert.equal(await sheet.getByText('manual', { exact: true }).count(), 0);
  await sheet.getByText('There is no invoice yet.').waitFor();
  await sheet.getByRole('button', { name: 'Cancel the subscription…' }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Cancel the subscription of Anna?' });
  await question.getByRole('button', { name: 'Keep it', exact: true }).and(page.locator(':focus')).waitFor();
  await question.getByRole('button', { name: 'Cancel the subscription', exact: true }).press('Enter');
  await sheet.getByText('Cancelled').first().waitFor();
  assert.equal((await shop.client.subscriptions.get(id)).status, 'canceled');
  assert.equal(await sheet.getByRole('button', { name: 'Cancel the subscription…' }).count(), 0);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Show those of all customers' }).press('Enter');
  await page.getByRole('button', { name: 'Active' }).press('Enter');
  await page.getByRole('row', { name: new RegExp(other.public_id) }).waitFor();
  await page.getByRole('row', { name: new RegExp(public_id) }).waitFor({ state: 'detached' });
  await page.done();
});

test('before a subscription is canceled it is said what happens, by its terms and by whether a payment provider is set up', async () => {
  const own = await openConsole({ orders: 20, env: { STRIPE_SECRET_KEY: 'sk_test_of_no_account' } });
  try {
    for (const [at, provider, other] of [
      [shop, /No payment provider is set up on this server/, /It is cancelled at the payment provider, too/],
      [own, /It is cancelled at the payment provider, too/, /No payment provider is set up/],
    ] as const) {
      const product = await makeProduct(at, {
        name: 'Box by terms',
        is_subscription: true,
        billing_interval: 'month',
        cancellation_policy: 'period_end',
      });
      const variant = await makeVariant(at, { product_id: product.id, price_cents: 1900 });
      const order = await makeOrder(at, { payment_status: 'paid' }, [{ variant, quantity: 1 }]);
      const ids = { external_subscription_id: 'sub_terms', external_customer_id: 'cus_terms' };
      const { id } = await at.client.subscriptions.activate(order.id, ids);
      const page = await at.open({ path: `/subscriptions?open=${id}`, width: 1440 });
      await page.getByText('A cancellation ends it').waitFor();
      await page.getByRole('button', { name: 'Cancel the subscription…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(/It ends at once, and the access that it gives ends with it/).waitFor();
      await dialog.getByText(/this one does not wait\. It is paid until/).waitFor();
      await dialog.getByText(provider).waitFor();
      assert.equal(await dialog.getByText(other).count(), 0);
      await shoot(page, `subscription-cancel-${at === own ? 'provider' : 'alone'}`);
      await page.done();
    }
  } finally {
    await own.close();
  }
});

test('the search finds subscriptions by words of customer and product in any order, without marks, and by the number', async () => {
  const { public_id, customer } = await makeSubscription('Žofie Lelièvre');
  await makeSubscription('Lelia');
  const page = await shop.open({ path: '/subscriptions' });
  const rows = page.getByRole('row').filter({ hasText: 'Lel' });
  await rows.nth(1).waitFor();
  const found: [typed: string, count: string][] = [
    ['lelievre zofie', '1 subscription'],
    ['box lel', '2 subscriptions'],
    [public_id, '1 subscription'],
    ['zofie lelia', '0 subscriptions'],
    [customer.email, '1 subscription'],
  ];
  for (const [typed, count] of found) {
    await page.keyboard.press('/');
    await page.getByPlaceholder('Customer, product or number').and(page.locator(':focus')).fill(typed);
    await page.getByText(count, { exact: true }).waitFor();
  }
  await page.getByRole('row', { name: /Žofie Lelièvre/ }).waitFor();
  await page.getByRole('button', { name: 'Payment failed' }).click();
  await page.getByText('0 subscriptions', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Drop the filters' }).click();
  await rows.nth(1).waitFor();
  assert.equal(new URL(page.url()).search, '');
  await page.goto(`${shop.url}/subscriptions?q=lelia&status=active`);
  await page.getByText('1 subscription', { exact: true }).waitFor();
  assert.equal(await page.getByPlaceholder('Customer, product or number').inputValue(), 'lelia');
  await page.done();
});

test('a subscription that somebody else has changed meanwhile is not canceled unseen', async () => {
  const { id } = await makeSubscription('Cili');
  const page = await shop.open({ path: `/subscriptions?open=${id}` });
  await page.getByRole('button', { name: 'Cancel the subscription…' }).click();
  const release = await holdReads(page);
  await shop.client.subscriptions.cancel(id);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the subscription' }).click();
  await page.getByRole('dialog').getByText('The record has changed', { exact: true }).waitFor();
  release();
  await page.done();
});

test('who may only read sees a subscription and cannot cancel it', async () => {
  const { id, public_id } = await makeSubscription('Dóra');
  const { token } = await shop.admin('Reader', ['admin_api.subscriptions.read']);
  const page = await shop.open({ path: `/subscriptions?open=${id}`, token });
  const sheet = page.getByRole('complementary', { name: public_id });
  await sheet.getByText('Dóra', { exact: true }).waitFor();
  assert.equal(await sheet.getByRole('link').count(), 0);
  assert.equal(await sheet.getByRole('button', { name: 'Cancel the subscription…' }).count(), 0);
  await page.done();
});

test(`axe-core finds nothing on the subscriptions in light and dark colours, at 360 and at 2,560 pixels, with long names`, async () => {
  const { id } = await makeSubscription(LONG);
  const page = await shop.open({ path: '/subscriptions' });
  for (const width of [360, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${shop.url}/subscriptions`);
    await page.getByRole('row').nth(1).waitFor();
    await shoot(page, `subscriptions-${width}`);
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await isTooWide(page), false, `the list at ${width}`);
    await page.goto(`${shop.url}/subscriptions?open=${id}&status=active`);
    await page.getByText('There is no invoice yet.').waitFor();
    await shoot(page, `subscription-${width}`);
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await isTooWide(page), false, `a subscription at ${width}`);
  }
  await page.done();
});

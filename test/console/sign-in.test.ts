import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { TOKEN } from './browser.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot, widths } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 60 });
});
after(() => shop.close());

test('somebody without a token is asked for one; a wrong one is refused at its field, and a right one opens the page that was asked for', async () => {
  const page = await shop.open({ path: '/orders?status=shipped', token: null });
  const field = page.getByLabel('Access token');
  await field.press('Enter');
  await page.getByText('Enter an access token.').waitFor();
  await field.fill('wrong');
  await field.press('Enter');
  await page.getByText('The server does not accept this token.').waitFor();
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  assert.deepEqual(await accessibilityFaults(page), []);
  await field.fill(TOKEN);
  await field.press('Enter');
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
  assert.ok(page.url().endsWith('/orders?status=shipped'), page.url());
  await page.done();
});

test('by keyboard alone: what is wrong is told at the field, which has the focus from the start; signed in, and out again', async () => {
  const page = await shop.open({ path: '/products', token: null });
  const field = page.getByLabel('Access token');
  await field.and(page.locator(':focus')).waitFor();
  await page.keyboard.type('wrong');
  await page.keyboard.press('Enter');
  await page.getByText('The server does not accept this token.').waitFor();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(TOKEN);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor();
  await page.getByRole('button', { name: /Account: / }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemradio').first().and(page.locator(':focus')).waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await field.waitFor();
  await page.done();
});

test(`axe-core finds nothing on the sign-in in light and dark colours, at 360 and at 2,560 pixels`, async () => {
  for (const width of widths) {
    const page = await shop.open({ token: null, width });
    await page.getByLabel('Access token').press('Enter');
    await page.getByText('Enter an access token.').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await shoot(page, `sign-in-${width}`);
    assert.equal(await isTooWide(page), false, `nothing stands out at ${width}`);
    await page.done();
  }
});

test('by keyboard alone: dark colours are chosen, and stay after the page is loaded again', async () => {
  const page = await shop.open({ path: '/orders' });
  await page.getByRole('table').waitFor();
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'light');
  await page.getByRole('button', { name: /Account: / }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemradio', { name: 'Light' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.locator('html[data-theme=dark]').waitFor();
  await page.reload();
  await page.getByRole('table').waitFor();
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
  await page.done();
});

const stored = (page: Page): Promise<string> =>
  page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])').then((text) => String(text));

test('a token is kept for the tab alone, over a reload, and is nowhere after signing out', async () => {
  const page = await shop.open({ token: null });
  await page.getByLabel('Access token').fill(TOKEN);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  const other = await page.context().newPage();
  await other.goto(shop.url);
  await other.getByLabel('Access token').waitFor();
  await other.close();
  await page.getByRole('button', { name: /Account: / }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('Access token').waitFor();
  assert.equal((await stored(page)).includes(TOKEN), false);
  await page.done();
});

test('on a shared computer a reload forgets who was signed in, and nothing is stored', async () => {
  const page = await shop.open({ token: null });
  await page.getByLabel('Access token').fill(TOKEN);
  await page.getByLabel('This is a shared computer').check();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  assert.equal((await stored(page)).includes(TOKEN), false);
  await page.reload();
  await page.getByLabel('Access token').waitFor();
  await page.done();
});

test('a token that is revoked meanwhile is asked for again over the page, which stays', async () => {
  const { id: tokenId, token } = await shop.client.me.create_token({ name: 'console' });
  const page = await shop.open({ path: '/orders', token });
  await page.getByRole('table').waitFor();
  await page.getByPlaceholder('Name, email or #number').fill('zzzz');
  await page.getByText('Nothing matches.').waitFor();
  await shop.client.me.revoke_token(tokenId);
  await page.getByRole('button', { name: 'Drop the filters' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  await dialog.getByLabel('Access token').fill(TOKEN);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('row').nth(5).waitFor();
  await page.done();
});

test('what a token may not do is not there', async () => {
  const { token } = await shop.client.me.create_token({ name: 'narrow', permissions: ['admin_api.logs.read'] });
  const page = await shop.open({ token });
  await page.getByText('You may not see the figures of the shop.').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Orders' }).count(), 0);
  await page.done();
});

test('a link signs in once; its code does not stay in the address, and a second try leads to the form', async () => {
  const { url_path } = await shop.client.me.create_sign_in_link({});
  assert.ok(url_path);
  const page = await shop.open({ path: url_path, token: null });
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  assert.equal(new URL(page.url()).pathname + new URL(page.url()).hash, '/');
  await page.reload();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await page.done();
  const again = await shop.open({ path: url_path, token: null });
  await again.getByText('This link was used already, or is too old.').waitFor();
  assert.equal(new URL(again.url()).hash, '');
  assert.deepEqual(await accessibilityFaults(again), []);
  await again.getByLabel('Access token').fill(TOKEN);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await again.getByRole('heading', { name: 'Today' }).waitFor();
  await again.done();
});

test('a link of somebody else asks whoever is signed in first; one of the same person signs in at once', async () => {
  const other = await shop.admin('Other Person');
  const { url_path } = await other.client.me.create_sign_in_link({});
  const page = await shop.open({ path: '/orders' });
  await page.getByRole('table').waitFor();
  const account = page.getByRole('button', { name: /Account: / });
  const before = await account.getAttribute('aria-label');
  await page.goto(`${shop.url}${url_path}`);
  await page.getByText(/You are signed in as .*signs in as Other Person/).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByRole('button', { name: /^Stay / }).click();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  assert.equal(await account.getAttribute('aria-label'), before);
  const { url_path: own } = await shop.client.me.create_sign_in_link({});
  await page.goto(`${shop.url}${own}`);
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  assert.equal(await account.getAttribute('aria-label'), before);
  const { url_path: second } = await other.client.me.create_sign_in_link({});
  await page.goto(`${shop.url}${second}`);
  await page.getByRole('button', { name: /^Sign in as Other Person/ }).click();
  await page.getByRole('button', { name: /: Other Person$/ }).waitFor();
  await page.done();
});

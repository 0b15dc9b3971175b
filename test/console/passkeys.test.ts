import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { expireSessionTokens, machineCode } from '../helpers/stored-rows/sessions.ts';
import { namedUrl, openWithAuthenticator as openPage } from './authenticator.ts';
import { startBrowser, type TestBrowser } from './browser.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot, widths } from './open-console.ts';

let shop: Console;
let browser: TestBrowser;
let local: string;
before(async () => {
  [shop, browser] = await Promise.all([openConsole({ orders: 60 }), startBrowser()]);
  local = namedUrl(shop);
});
after(async () => {
  await browser.close();
  await shop.close();
});

const openWithAuthenticator = (path: string) => openPage(browser, local, path);

async function look(page: Page, name: string): Promise<void> {
  assert.deepEqual(await accessibilityFaults(page), [], name);
  await shoot(page, name);
  const size = page.viewportSize() ?? { width: 1280, height: 900 };
  for (const width of widths) {
    await page.setViewportSize({ width, height: size.height });
    assert.equal(await isTooWide(page), false, `${name} at ${width}`);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await shoot(page, `${name}-narrow`);
  await page.setViewportSize(size);
}

const account = (page: Page) => page.getByRole('button', { name: /, Account: / });

test('a link of the machine, a passkey with its codes, a colleague by invitation; signing out, in again, and a token that is renewed', async () => {
  const { id } = await shop.client.me.get();
  let code = '';
  await shop.withStore(async (store) => {
    code = await machineCode(store, id);
  });
  const page = await openWithAuthenticator(`/sign-in#${code}`);
  await page.getByRole('heading', { name: 'Set up a passkey' }).waitFor();
  await look(page, 'passkeys-set-up');
  await page.getByRole('button', { name: 'Set up a passkey' }).press('Enter');
  await page.getByRole('heading', { name: 'Keep these recovery codes' }).waitFor();
  const codes = await page.locator('.recovery-codes code').allTextContents();
  assert.equal(codes.length, 10);
  await look(page, 'passkeys-codes');
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await account(page).waitFor();
  assert.equal(await page.evaluate('document.cookie'), '', 'scripts do not see the cookie');
  const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
  assert.doesNotMatch(String(kept), /ses_|pat_/, 'no token is kept');

  // Its tokens end, and the page goes on: the next request gets another one by the cookie.
  await page.goto(`${local}/settings/me`);
  await page.getByRole('table', { name: 'Passkeys' }).getByText('Chrome, Linux').waitFor();
  await page.getByRole('table', { name: 'Sessions' }).getByText('This one').waitFor();
  await shop.withStore(expireSessionTokens);
  await page.getByRole('button', { name: 'Rename Chrome, Linux' }).click();
  await page.getByLabel('Name of the passkey').fill('Desk');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('table', { name: 'Passkeys' }).getByText('Desk').waitFor();
  await page.getByRole('button', { name: 'Make new codes' }).click();
  await page.getByRole('button', { name: 'I have kept them' }).waitFor();
  await look(page, 'passkeys-account');
  await page.getByRole('button', { name: 'I have kept them' }).click();

  // A colleague gets a passkey by an invitation that this one vouches for.
  await page.goto(`${local}/settings/people`);
  await page.getByRole('row').nth(1).waitFor();
  await page.keyboard.press('n');
  const sheet = page.getByRole('complementary', { name: 'Invite a person' });
  await sheet.getByLabel('Email').fill('reka@example.org');
  await sheet.getByLabel(/^They may set up a passkey/).waitFor();
  await page.keyboard.press('ControlOrMeta+s');
  await sheet.getByText('It is shown only now.').waitFor();
  const link = (await page.locator('.banner code').textContent()) ?? '';
  const hers = await openWithAuthenticator(link.replace(local, ''));
  await hers.getByLabel('Your name').fill('Réka Szabó');
  await hers.keyboard.press('Enter');
  await hers.getByRole('heading', { name: 'Set up a passkey' }).waitFor();
  await hers.getByRole('button', { name: 'Set up a passkey' }).click();
  await hers.getByRole('button', { name: 'I have kept them' }).click();
  await account(hers).waitFor();

  // Out, and in again without typing anything.
  await account(hers).click();
  await hers.getByRole('menuitem', { name: 'Sign out' }).click();
  const signIn = hers.getByRole('button', { name: 'Sign in with a passkey' });
  await signIn.waitFor();
  await look(hers, 'passkeys-sign-in');
  await signIn.click();
  await account(hers).waitFor();
  const owner = shop.client.admins;
  const [reka] = (await owner.list({ search: 'Réka' })).data;
  const [session] = await owner.list_sessions(reka?.id ?? 0);
  assert.deepEqual([session?.device, session?.passkey], ['Chrome, Linux', 'Chrome, Linux']);

  // The owner ends her session: her page asks to sign in again, and goes on where it was.
  await page.goto(`${local}/settings/people?open=${reka?.id}`);
  const end = page.getByRole('button', { name: 'Sign out Chrome, Linux' });
  await page.getByRole('table', { name: 'Sessions' }).waitFor();
  await look(page, 'passkeys-sessions-of');
  await end.click();
  await page.getByRole('dialog', { name: 'Sign out Chrome, Linux?' }).getByRole('button', { name: 'Sign out', exact: true }).click();
  await end.waitFor({ state: 'detached' });
  await hers.getByRole('dialog', { name: 'Sign in' }).getByRole('button', { name: 'Sign in with a passkey' }).click();
  await hers.getByRole('dialog', { name: 'Sign in' }).waitFor({ state: 'detached' });
  await account(hers).waitFor();
  await hers.done();
  await page.done();
});

test('somebody who has lost the passkey makes another by a recovery code; at an address of numbers, the console leads to the right one', async () => {
  const { id } = await shop.client.admins.create({ name: 'Ada', email: 'ada@example.org', role: 'owner' });
  let code = '';
  await shop.withStore(async (store) => {
    code = await machineCode(store, id);
  });
  const first = await openWithAuthenticator(`/sign-in#${code}`);
  await first.getByRole('button', { name: 'Set up a passkey' }).click();
  await first.getByRole('heading', { name: 'Keep these recovery codes' }).waitFor();
  const [recovery = ''] = await first.locator('.recovery-codes code').allTextContents();
  await first.getByRole('button', { name: 'I have kept them' }).click();
  await account(first).waitFor();
  await first.done();

  const lost = await openWithAuthenticator('/');
  await lost.getByRole('button', { name: 'I have lost my passkey' }).click();
  await lost.getByLabel('Recovery code').fill('AAAA-BBBB-CCCC-DDDD');
  await lost.keyboard.press('Enter');
  await lost.getByText('This code is not known, or was used already.').waitFor();
  assert.deepEqual(await accessibilityFaults(lost), []);
  await lost.getByLabel('Recovery code').fill(recovery.toLowerCase());
  await lost.keyboard.press('Enter');
  await lost.getByLabel('Name of the passkey').fill('Phone');
  await lost.getByRole('button', { name: 'Set up a passkey' }).click();
  await account(lost).waitFor();
  await lost.goto(`${local}/settings/me`);
  await lost.getByRole('table', { name: 'Passkeys' }).getByText('Phone').waitFor();
  await lost.getByText('Recovery codes left: 9').waitFor();
  // Without it, the lost one is deleted, by the new one.
  await lost.getByRole('button', { name: 'Delete Chrome, Linux' }).click();
  await lost.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await lost.getByRole('button', { name: 'Delete Chrome, Linux' }).waitFor({ state: 'detached' });
  await lost.done();

  const numbers = await shop.open({ path: '/settings/me' });
  await numbers.getByText(`Passkeys work at ${local}.`).waitFor();
  assert.equal(await numbers.getByRole('link', { name: 'Go there' }).getAttribute('href'), `${local}/settings/me`);
  await numbers.done();
});

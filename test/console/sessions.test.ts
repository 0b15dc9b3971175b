import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { accessibilityFaults, type Console, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 60 });
});
after(() => shop.close());

type Person = Awaited<ReturnType<Console['admin']>>;

/** A page of this address in the same browser, with nothing of the tab that it comes from. */
async function newTab(page: Page, path = '/'): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(`${shop.url}${path}`);
  return tab;
}

async function linkOf({ client }: Person): Promise<string> {
  const { url_path } = await client.me.create_sign_in_link({});
  assert.ok(url_path);
  return url_path;
}

const keep = (page: Page) => page.evaluate(`localStorage.setItem('backroom.keep', 'yes')`);
const shows = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`: ${name}$`) }).waitFor();

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Account: / }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('Access token').waitFor();
}

/** A page of a person's settings, which shows where they are signed in. */
async function devicesOf({ token }: Person) {
  const page = await shop.open({ path: '/settings/me', token });
  await page.getByRole('heading', { level: 1 }).waitFor();
  return { page, device: page.getByRole('table', { name: 'Where you are signed in' }).getByText(/Chrome, Linux/) };
}

test('AU13: who signs out is signed out on the server, too; a token that was pasted works on', async () => {
  const ann = await shop.admin('Ann Session');
  const { page: devices, device } = await devicesOf(ann);
  const page = await shop.open({ path: await linkOf(ann), token: null });
  await shows(page, 'Ann Session');
  await device.waitFor();
  await signOut(page);
  await device.waitFor({ state: 'detached' });
  await page.getByLabel('Access token').fill(ann.token);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await shows(page, 'Ann Session');
  await signOut(page);
  await page.done();
  await devices.done();
  assert.equal((await ann.client.me.get()).id, ann.id);
});

for (const act of ['Stay', 'Leave'] as const) {
  test(`AU13: a link of somebody else that is declined leaves no session of theirs: ${act}`, async () => {
    const other = await shop.admin(`Declined ${act}`);
    const { page: devices, device } = await devicesOf(other);
    const page = await shop.open({ path: await linkOf(other) });
    const stay = page.getByRole('button', { name: /^Stay / });
    await stay.waitFor();
    await device.waitFor();
    if (act === 'Stay') await stay.click();
    else await page.goto(`${shop.url}/orders`);
    await device.waitFor({ state: 'detached' });
    await page.done();
    await devices.done();
  });
}

test('AU13: of two people who stay signed in, the second has the browser; a tab of the first says so, and sends nothing as the second', async () => {
  const [ann, bob] = [await shop.admin('Ann First'), await shop.admin('Bob Second')];
  const page = await shop.open({ token: null });
  await keep(page);
  await page.goto(`${shop.url}${await linkOf(ann)}`);
  await shows(page, 'Ann First');
  const { page: devices, device } = await devicesOf(ann);
  await device.waitFor();
  await page.goto(`${shop.url}/customers?new=true`);
  await page.getByLabel('Name', { exact: true }).fill('Typed By Ann');

  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.headers()['authorization'] ?? ''));
  const second = await newTab(page, await linkOf(bob));
  await second.getByRole('button', { name: /^Sign in as Bob Second/ }).click();
  await shows(second, 'Bob Second');
  await page.getByText('Bob Second has signed in to this browser in another tab.').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'sign-in-taken');
  const ofBob = await second.evaluate(`JSON.parse(localStorage.getItem('backroom.token')).token`);
  assert.ok(typeof ofBob === 'string' && ofBob.startsWith('pat_'));
  assert.deepEqual(
    sent.filter((header) => header.includes(ofBob)),
    [],
  );
  await device.waitFor({ state: 'detached' });
  await devices.done();
  await page.getByRole('button', { name: 'Go on as Bob Second' }).click();
  await shows(page, 'Bob Second');
  await second.close();
  await page.done();
});

test('AU13: who signs in in one tab alone leaves the others with whoever stays signed in on the device, and their own with nobody', async () => {
  const [ann, bob] = [await shop.admin('Ann Device'), await shop.admin('Bob Tab')];
  const page = await shop.open({ token: null });
  await keep(page);
  await page.goto(`${shop.url}${await linkOf(ann)}`);
  await shows(page, 'Ann Device');
  await page.evaluate(`localStorage.removeItem('backroom.keep')`);
  const second = await newTab(page, await linkOf(bob));
  await second.getByRole('button', { name: /^Sign in as Bob Tab/ }).click();
  await shows(second, 'Bob Tab');
  await page.reload();
  await shows(page, 'Ann Device');
  await second.reload();
  await shows(second, 'Bob Tab');
  await signOut(second);
  await second.reload();
  await second.getByLabel('Access token').waitFor();
  await page.reload();
  await shows(page, 'Ann Device');
  await second.close();
  await page.done();
});

test('AU13: who signs in again on the device goes on in the other tabs, which keep what is typed there', async () => {
  const ann = await shop.admin('Ann Again');
  const page = await shop.open({ token: null });
  await keep(page);
  await page.goto(`${shop.url}${await linkOf(ann)}`);
  await shows(page, 'Ann Again');
  await page.goto(`${shop.url}/customers?new=true`);
  await page.getByLabel('Name', { exact: true }).fill('Kept Customer');
  const second = await newTab(page, await linkOf(ann));
  await shows(second, 'Ann Again');
  await page.getByRole('textbox', { name: 'Email' }).fill('kept@example.org');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('heading', { name: 'Kept Customer' }).waitFor();
  await second.close();
  await page.done();
});

test('AU13: over the page of somebody whose token is refused, another person is told what is lost, and has a page of their own', async () => {
  const [ann, bob] = [await shop.admin('Ann Refused'), await shop.admin('Bob Instead')];
  const page = await shop.open({ path: '/customers?new=true', token: ann.token });
  await page.getByLabel('Name', { exact: true }).fill('Typed By Ann');
  const [{ id: tokenId = 0 } = {}] = await ann.client.me.list_tokens();
  await ann.client.me.revoke_token(tokenId);
  await page.getByRole('textbox', { name: 'Email' }).fill('typed-by-ann@example.org');
  await page.getByRole('button', { name: 'Add' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  await dialog.getByLabel('Access token').fill(bob.token);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.getByText(/^This token is that of Bob Instead/).waitFor();
  await shoot(page, 'sign-in-other-token');
  await dialog.getByRole('button', { name: 'Go on as Bob Instead' }).click();
  await shows(page, 'Bob Instead');
  assert.notEqual(await page.getByLabel('Name', { exact: true }).inputValue(), 'Typed By Ann');
  await page.done();
});

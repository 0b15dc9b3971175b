import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../helpers/machines.ts';
import { type Smtp, startSmtp } from '../helpers/smtp.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot, widths } from './open-console.ts';

let shop: Console;
let smtp: Smtp;
before(async () => {
  [shop, smtp] = await Promise.all([openConsole({ orders: 60 }), startSmtp()]);
});
after(async () => {
  await shop.close();
  await smtp.close();
});

const areas = (page: Page): Promise<string[]> => page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents();

/** The path of the link that the page shows this once. */
async function shownPath(page: Page): Promise<string> {
  const link = (await page.locator('.banner code').textContent()) ?? '';
  return link.replace(shop.url, '');
}

async function invite(email: string, name = ''): Promise<string> {
  const { data } = await shop.client.roles.list({ search: 'Warehouse' });
  assert.ok(data[0]);
  const { url_path } = await shop.client.admin_invitations.create({ email, name, role_id: data[0].id });
  assert.ok(url_path);
  return url_path;
}

test('an owner invites somebody by keyboard alone; they see what for, give a name, and are signed in with that role', async () => {
  const page = await shop.open({ path: '/settings/people' });
  await page.getByRole('row').nth(1).waitFor();
  await page.keyboard.press('n');
  const sheet = page.getByRole('complementary', { name: 'Invite a person' });
  await sheet.getByLabel('Email').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('reka');
  await page.keyboard.press('ControlOrMeta+s');
  await sheet.getByText('One value is not accepted:').waitFor();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('reka@example.org');
  await sheet.getByLabel('Warehouse', { exact: true }).press('Space');
  await sheet.getByText('Sees and changes').waitFor();
  await sheet.getByText('orders', { exact: true }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.press('ControlOrMeta+s');
  await sheet.getByText('It is shown only now.').waitFor();
  const path = await shownPath(page);
  assert.match(path, /^\/join#[0-9A-Za-z]{43}$/);
  await page.getByRole('table', { name: 'Invited' }).getByText('reka@example.org').waitFor();

  const hers = await shop.open({ path, token: null });
  await hers.getByRole('heading', { name: /^Welcome to / }).waitFor();
  assert.equal(new URL(hers.url()).hash, '', 'the code is not in the history');
  await hers.getByText(/invites you to work here as Warehouse\.$/).waitFor();
  await hers.getByLabel('Your name').and(hers.locator(':focus')).waitFor();
  await hers.keyboard.press('Enter');
  await hers.getByText('Enter your name.').waitFor();
  assert.deepEqual(await accessibilityFaults(hers), []);
  await hers.keyboard.type('Réka Szabó');
  await hers.keyboard.press('Enter');
  await hers.getByRole('button', { name: /: Réka Szabó$/ }).waitFor();
  await hers.reload();
  await hers.getByRole('button', { name: /: Réka Szabó$/ }).waitFor();
  const seen = (await areas(hers)).join(' ');
  assert.match(seen, /Orders.*Products/);
  assert.doesNotMatch(seen, /Customers|Tasks/);
  await hers.goto(`${shop.url}/settings/me`);
  await hers
    .getByRole('table', { name: 'Where you are signed in' })
    .getByText(/Chrome, Linux/)
    .waitFor();
  await hers.getByRole('definition').filter({ hasText: 'Warehouse' }).waitFor();
  await hers.done();

  await page.getByRole('table', { name: 'Invited' }).waitFor({ state: 'detached' });
  await page.getByRole('table', { name: 'People' }).getByText('Réka Szabó').waitFor();
  await page.done();
  const again = await shop.open({ path, token: null });
  await again.getByText('This invitation was used, taken back or is too old.').waitFor();
  await again.getByLabel('Access token').waitFor();
  await again.done();
});

test('an invitation is sent again, which ends the old link, and taken back', async () => {
  const first = await invite('vera@example.org');
  const page = await shop.open({ path: '/settings/people' });
  await page.getByRole('button', { name: 'Send again to vera@example.org' }).click();
  await page.getByText('It is shown only now.').waitFor();
  const second = await shownPath(page);
  const old = await shop.open({ path: first, token: null });
  await old.getByText('This invitation was used, taken back or is too old.').waitFor();
  await old.done();
  await page.getByRole('button', { name: 'Take back the invitation of vera@example.org' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
  await page.getByText('vera@example.org', { exact: true }).waitFor({ state: 'detached' });
  await page.done();
  const late = await shop.open({ path: second, token: null });
  await late.getByText('This invitation was used, taken back or is too old.').waitFor();
  await late.done();
});

test('who wants to stay signed in on a device is, in every tab, until they sign out in one', async () => {
  const page = await shop.open({ path: await invite('ida@example.org', 'Ida'), token: null });
  await page.getByLabel('Keep me signed in on this device').check();
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('button', { name: /: Ida$/ }).waitFor();
  const other = await page.context().newPage();
  await other.goto(shop.url);
  await other.getByRole('button', { name: /: Ida$/ }).click();
  await other.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('Access token').waitFor();
  assert.equal(await page.evaluate(`localStorage.getItem('backroom.token') ?? sessionStorage.getItem('backroom.token')`), null);
  await other.close();
  await page.done();
});

test('a role is changed in a matrix; the page says in words what it may and whom that concerns', async () => {
  const { data } = await shop.client.roles.list({ search: 'Bookkeeper' });
  const role = data[0];
  assert.ok(role);
  await shop.client.admins.create({ name: 'Bo Books', email: 'bo@example.org', role_id: role.id });
  const page = await shop.open({ path: `/settings/roles?open=${role.id}` });
  const sheet = page.getByRole('complementary', { name: 'Bookkeeper' });
  assert.equal(await sheet.getByLabel('Orders: See').isChecked(), true);
  await sheet.getByText('Bo Books').waitFor();
  await sheet.getByLabel('Orders: See').press('ArrowRight');
  await sheet.locator('.facts mark', { hasText: 'orders' }).waitFor();
  assert.equal(await sheet.locator('td.weighty').count(), 1);
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.press('ControlOrMeta+s');
  await sheet.getByText('Saved').waitFor();
  assert.ok((await shop.client.roles.get(role.id)).permissions.includes('admin_api.orders.write'));
  await sheet.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page
    .getByRole('dialog')
    .getByText(/Bo Books/)
    .waitFor();
  await page.done();
});

test('a person gets another role, then a list of their own, and a link to sign in that an owner hands over', async () => {
  const { id } = await shop.client.admins.create({ name: 'Pia', email: 'pia@example.org' });
  const page = await shop.open({ path: `/settings/people?open=${id}` });
  const sheet = page.getByRole('complementary', { name: 'Pia' });
  await sheet.getByLabel('Support', { exact: true }).check();
  await sheet.getByRole('button', { name: 'Save' }).click();
  await sheet.getByText('Saved').waitFor();
  assert.equal((await shop.client.admins.get(id)).role_name, 'Support');
  await sheet.getByLabel('A list of their own').check();
  await sheet.getByLabel('Products and stock: Change').check();
  await sheet.getByRole('button', { name: 'Save' }).click();
  await until('the list is stored', async () => (await shop.client.admins.get(id)).role_id === null);
  assert.deepEqual((await shop.client.admins.get(id)).permissions, ['admin_api.products.write']);
  await sheet.getByRole('button', { name: 'Make a sign-in link' }).click();
  await sheet.getByText('It is shown only now.').waitFor();
  const path = await shownPath(page);
  await page.done();
  const hers = await shop.open({ path, token: null });
  await hers.getByRole('button', { name: /: Pia$/ }).waitFor();
  await hers.done();
});

test('where the shop sends mails, who comes back asks for a link; the page says the same for every address', async () => {
  await shop.client.settings.update({ smtp: { host: '127.0.0.1', port: smtp.port, from: 'shop@example.com' }, public_url: shop.url });
  await shop.client.admins.create({ name: 'Mara', email: 'mara@example.org', permissions: ['admin_api.orders.read'] });
  const page = await shop.open({ path: '/orders', token: null });
  const field = page.getByLabel('Your email address');
  await field.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Enter your email address.').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  for (const email of ['nobody@example.org', 'mara@example.org']) {
    await field.fill(email);
    await page.getByLabel('Keep me signed in on this device').check();
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByText(`If ${email} belongs to somebody here, a link is on its way. It works once, within 15 minutes.`).waitFor();
    if (email.startsWith('nobody')) await page.getByRole('button', { name: 'Another address' }).click();
  }
  await until('the mail comes', async () => smtp.accepted.length > 0);
  const link = /https?:\S+#\w+/.exec(smtp.accepted[0]?.text ?? '')?.[0] ?? '';
  await page.goto(link);
  await page.getByRole('button', { name: /: Mara$/ }).waitFor();
  assert.notEqual(await page.evaluate(`localStorage.getItem('backroom.token')`), null);
  await page.getByRole('button', { name: /: Mara$/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with an access token' }).click();
  await page.getByLabel('Access token').waitFor();
  await shop.client.settings.update({ smtp: null, public_url: null });
  await page.done();
});

test('axe-core finds nothing on invitation, people and roles in light and dark colours, at 360 and at 2,560 pixels', async () => {
  const path = await invite('wide@example.org', 'Wide');
  const pages = [
    ['join', path, null],
    ['people', '/settings/people', undefined],
    ['invite', '/settings/people?new=true', undefined],
    ['role', '/settings/roles?open=1', undefined],
  ] as const;
  for (const width of widths) {
    for (const theme of ['light', 'dark'] as const) {
      for (const [name, to, token] of pages) {
        const page = await shop.open({ path: to, width, theme, ...(token === null ? { token } : {}) });
        await page
          .getByText(
            { join: 'Your name', people: 'wide@example.org', invite: 'Everything, and who may do what', role: 'Whoever has it may' }[
              name
            ] ?? '',
          )
          .first()
          .waitFor();
        assert.deepEqual(await accessibilityFaults(page), [], `${name} at ${width}`);
        assert.equal(await isTooWide(page), false, `nothing of ${name} stands out at ${width}`);
        await shoot(page, `people-${name}-${width}-${theme}`);
        await page.done();
      }
    }
  }
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { makeAddress, makeCustomer, makeOrder } from '../helpers/builders.ts';
import { accessibilityFaults, type Console, contentOf, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 60 });
});
after(() => shop.close());

const LONG = 'Donaudampfschifffahrtsgesellschaft Szentmártonkáta-Megszentségteleníthetetlen Kereskedelmi Korlátolt Felelősségű Társaság';

test('customers are searched and filtered; the address has it all, and a row opens the page of its customer', async () => {
  await makeCustomer(shop, { name: 'Zsófia Kisfaludy', email: 'zsofia@example.org', registered: false });
  const { total } = await shop.client.customers.list({});
  const page = await shop.open({ path: '/customers' });
  await page.getByText(`${total} customers`, { exact: true }).waitFor();
  await page.getByPlaceholder('Name or email').fill('zsófia kis');
  await page.getByText('1 customer', { exact: true }).waitFor();
  await page.getByText('Filters', { exact: true }).click();
  await page.getByLabel('Account', { exact: true }).selectOption('With an account');
  await page.getByText('Nothing matches.').waitFor();
  assert.match(page.url(), /q=zs.*account=with/);
  await page.getByRole('button', { name: 'Drop the filters' }).click();
  await page.getByText(`${total} customers`, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Guests' }).click();
  await page.getByRole('row', { name: /Zsófia Kisfaludy/ }).click();
  await page.getByRole('heading', { name: 'Zsófia Kisfaludy', level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole('row', { name: /Zsófia Kisfaludy/ }).waitFor();
  assert.match(page.url(), /account=without/);
  await page.done();
});

test('customers are sorted by the heads of columns; what is filtered, sorted and shown is kept as a view', async () => {
  await makeCustomer(shop, { name: 'Aaron Aal', email: 'zz@example.org', registered: true });
  const page = await shop.open({ path: '/customers?account=with', width: 1440 });
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
  await page.getByRole('row').nth(1).getByText('Aaron Aal').waitFor();
  assert.equal(await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort'), 'ascending');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Phone' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('columnheader', { name: 'Phone' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Save as view' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Accounts by name');
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('button', { name: 'Accounts by name', pressed: true }).waitFor();
  await page.getByRole('button', { name: 'Guests' }).click();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitem', { name: 'The usual ones' }).click();
  await page.getByRole('columnheader', { name: 'Phone' }).waitFor();
  await page.getByRole('button', { name: 'Accounts by name' }).click();
  await page.getByRole('row').nth(1).getByText('Aaron Aal').waitFor();
  assert.equal(await page.getByRole('columnheader', { name: 'Phone' }).count(), 0);
  assert.deepEqual(
    (await shop.client.me.list_views({ screen: 'customers' })).map(({ name, search, columns }) => ({ name, search, columns })),
    [{ name: 'Accounts by name', search: { account: 'with', sort: 'name' }, columns: ['name', 'email', 'since'] }],
  );
  await page.done();
});

test('selected customers, or all that match, get access to a group at once', async () => {
  const group = await shop.client.access_groups.create({ slug: 'bulk', name: 'Bulk readers' });
  for (const n of [1, 2, 3]) await makeCustomer(shop, { name: `Bulky ${n}`, email: `bulky-${n}@example.org`, registered: true });
  const page = await shop.open({ path: '/customers?q=Bulky', width: 1440 });
  await page.getByText('3 customers', { exact: true }).waitFor();
  await page.getByRole('checkbox').nth(1).check();
  await page.getByRole('button', { name: 'Select all 3 that match “Bulky”' }).click();
  await page.getByText('3 selected').waitFor();
  await page.getByRole('button', { name: 'Give access…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Access group').selectOption('Bulk readers');
  await dialog.getByLabel('Why').fill('the fair');
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'customers-bulk-grant');
  await dialog.getByRole('button', { name: 'Give access' }).click();
  await page.getByText('3 customers have access now.').waitFor();
  const { members } = { members: await shop.client.access_groups.list_members(group.id) };
  assert.equal(JSON.stringify(members).match(/the fair/g)?.length, 3);
  await page.done();
});

test('CU15: selected customers get a discount group and credits, after a question that says what happens', async () => {
  await shop.client.discount_groups.create({ name: 'Bulk trade' });
  const made = [];
  for (const n of [1, 2, 3]) made.push(await makeCustomer(shop, { name: `Many ${n}`, email: `many-${n}@example.org`, is_b2b: n === 1 }));
  const [first] = made;
  assert.ok(first);
  await shop.client.customers.adjust_credits(first.id, { delta: 50 });
  const page = await shop.open({ path: '/customers?q=Many', width: 1440 });
  await page.getByText('3 customers', { exact: true }).waitFor();
  await page.getByRole('checkbox').first().check();
  await page.getByText('3 selected').waitFor();
  await page.getByRole('button', { name: 'Discount group…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Discount group', { exact: true }).selectOption('Bulk trade');
  await dialog.getByRole('button', { name: 'Show what happens' }).click();
  await dialog.getByRole('heading', { name: 'Give 3 customers the discount group Bulk trade?' }).waitFor();
  await dialog.getByText('2 become business customers.').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'customers-bulk-discount');
  await dialog.getByRole('button', { name: 'Give the discount group' }).click();
  await page.getByText('3 customers have the discount now that was chosen.').waitFor();
  await page.getByRole('button', { name: 'Credits…' }).click();
  await dialog.getByLabel('Credits', { exact: true }).fill('-20');
  await dialog.getByLabel('Note').fill('the fair');
  await shoot(page, 'customers-bulk-credits-form');
  await dialog.getByRole('button', { name: 'Show what happens' }).click();
  await dialog.getByRole('heading', { name: 'Take 20 credits from 1 customer?' }).waitFor();
  await dialog.getByText('2 have fewer credits and keep them.').waitFor();
  await dialog.getByText(/^All of it is worth /).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'customers-bulk-credits');
  await dialog.getByRole('button', { name: 'Take the credits' }).click();
  await page.getByText('The credits of 1 customer were adjusted.').waitFor();
  await page.getByText('2 could not be changed:').waitFor();
  for (const { id } of made) assert.equal((await shop.client.customers.get(id)).is_b2b, true);
  assert.equal((await shop.client.customers.get(first.id)).credits, 30);
  const { transactions } = await shop.client.customers.list_credit_transactions(first.id);
  assert.equal(transactions[0]?.note, 'the fair');
  await page.done();
});

test('CU14: what is listed, or what is selected of it, is saved as a table', async () => {
  const names = ['=Tabular 1', 'Tabular 2', 'Tabular 3'];
  for (const [n, name] of names.entries()) await makeCustomer(shop, { name, email: `tabular-${n}@example.org`, registered: true });
  const page = await shop.open({ path: '/customers?q=Tabular&sort=email', width: 1440 });
  await page.getByText('3 customers', { exact: true }).waitFor();
  const saved = async (button: Locator): Promise<(string | undefined)[]> => {
    const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
    assert.match(file.suggestedFilename(), /^customers-.*\.csv$/);
    const [, ...lines] = String(await contentOf(file))
      .trimEnd()
      .split('\r\n');
    return lines.map((line) => line.split(',')[1]);
  };
  const buttons = page.getByRole('button', { name: 'Export as CSV' });
  assert.deepEqual(await saved(buttons), ["'=Tabular 1", 'Tabular 2', 'Tabular 3']);
  await page.getByRole('checkbox', { name: 'Select Tabular 2' }).check();
  await page.getByText('1 selected').waitFor();
  await shoot(page, 'customers-export');
  assert.deepEqual(await saved(page.getByRole('region', { name: '1 selected' }).getByRole('button', { name: 'Export as CSV' })), [
    'Tabular 2',
  ]);
  await page.done();
});

test('of several forms on a page, one key saves all that was changed, and what only begins something new stays', async () => {
  const { id } = await makeCustomer(shop, { name: 'Two forms', is_b2b: false });
  const page = await shop.open({ path: `/customers/${id}`, width: 1440 });
  await page.getByRole('form', { name: 'Business' }).getByRole('checkbox').first().check();
  await page.getByRole('form', { name: 'Write a comment' }).getByRole('textbox').fill('half a note');
  await page.getByRole('form', { name: 'Details' }).getByLabel('Phone').fill('+43 1 234');
  await page.keyboard.press('Control+s');
  for (const name of ['Details', 'Business']) await page.getByRole('form', { name }).getByText('Saved', { exact: true }).waitFor();
  const saved = await shop.client.customers.get(id);
  assert.deepEqual([saved.phone, saved.is_b2b], ['+43 1 234', true]);
  assert.deepEqual(await shop.client.customers.list_notes(id), []);
  await page.done();
});

test('by keyboard alone: a new customer, with an address, which is then changed and deleted', async () => {
  const page = await shop.open();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await page.pressPair('g', 'c');
  await page.getByRole('row').nth(2).waitFor();
  await page.keyboard.press('n');
  await page.getByRole('complementary', { name: 'New customer' }).waitFor();
  await page.keyboard.type('Anna Kovács');
  await page.keyboard.press('Tab');
  await page.keyboard.type('anna.kovacs@example.org');
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { name: 'Anna Kovács', level: 1 }).waitFor();
  const found = await shop.client.customers.list({ search: 'anna.kovacs@example.org' });
  const [anna] = found.data;
  assert.ok(anna);
  assert.ok(page.url().endsWith(`/customers/${anna.id}`), page.url());
  await page.keyboard.press('n');
  const sheet = page.getByRole('complementary', { name: 'New address' });
  await sheet.getByLabel('Street and number').focus();
  await page.keyboard.type('1 Fő utca');
  for (const value of ['', '1011', 'Budapest', '', 'hu']) {
    await page.keyboard.press('Tab');
    await page.keyboard.type(value);
  }
  await page.getByRole('option', { name: /Hungary/ }).waitFor();
  await page.keyboard.press('Control+s');
  await sheet.waitFor({ state: 'detached' });
  await page.getByText('1 Fő utca, 1011 Budapest, Hungary').waitFor();
  const [address] = await shop.client.customers.list_addresses(anna.id);
  assert.equal(address?.line2, null);
  await page.getByRole('button', { name: 'Edit: 1 Fő utca' }).press('Enter');
  assert.match(page.url(), new RegExp(`open=${address?.id}`));
  const open = page.getByRole('complementary', { name: 'Address' });
  await open.getByRole('button', { name: /^Delete/ }).press('Enter');
  const question = page.getByRole('dialog');
  await question.getByRole('button', { name: 'Cancel' }).waitFor();
  await question.getByRole('button', { name: 'Delete' }).press('Enter');
  await page.getByText('There is no address yet.').waitFor();
  assert.deepEqual(await shop.client.customers.list_addresses(anna.id), []);
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
  await page.done();
});

test('an email that another customer has is refused at its field; unsaved work is not left unasked', async () => {
  const taken = await makeCustomer(shop);
  const customer = await makeCustomer(shop, { name: 'Before' });
  const page = await shop.open({ path: `/customers/${customer.id}` });
  const details = page.getByRole('form', { name: 'Details' });
  await details.getByLabel('Name').fill('After');
  await details.getByLabel('Email').fill(taken.email);
  await details.getByRole('button', { name: 'Save' }).click();
  await details
    .getByRole('alert')
    .getByRole('button', { name: /^Email: / })
    .waitFor();
  assert.equal(await details.getByLabel('Email').getAttribute('aria-invalid'), 'true');
  await details.getByLabel('Email').and(page.locator(':focus')).waitFor();
  assert.equal((await shop.client.customers.get(customer.id)).name, 'Before');
  await page.getByRole('link', { name: 'All customers' }).click();
  await page.getByRole('dialog', { name: 'Leave what you have edited?' }).getByRole('button', { name: 'Stay' }).click();
  await details.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('link', { name: 'All customers' }).click();
  await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
  await page.done();
});

test('two people change a customer: what only the other changed is taken over, what both changed is asked', async () => {
  const customer = await makeCustomer(shop, { name: 'First', phone: null });
  const page = await shop.open({ path: `/customers/${customer.id}` });
  const details = page.getByRole('form', { name: 'Details' });
  await details.getByLabel('Name').fill('Mine');
  await shop.client.customers.update(customer.id, { name: 'Theirs', phone: '+43 1 234' });
  await details.getByRole('button', { name: 'Save' }).click();
  await details.getByText('Somebody else has changed this meanwhile.').waitFor();
  await details.getByRole('button', { name: 'Theirs: Theirs' }).waitFor();
  await shoot(page, 'customer-conflict');
  await details.getByRole('button', { name: 'Mine: Mine' }).click();
  await details.getByRole('button', { name: 'Save' }).click();
  await details.getByText('Saved').waitFor();
  const { name, phone } = await shop.client.customers.get(customer.id);
  assert.deepEqual({ name, phone }, { name: 'Mine', phone: '+43 1 234' });
  assert.equal(await details.getByLabel('Phone').inputValue(), '+43 1 234');
  await page.done();
});

test('a customer who wants no marketing mails is marked so, and unmarked', async () => {
  const { id } = await makeCustomer(shop);
  const page = await shop.open({ path: `/customers/${id}` });
  const details = page.getByRole('form', { name: 'Details' });
  for (const wanted of [true, false]) {
    await details.getByLabel('Wants no marketing mails').setChecked(wanted);
    await details.getByRole('button', { name: 'Save' }).click();
    await details.getByText('Saved').waitFor();
    assert.equal((await shop.client.customers.get(id)).marketing_opt_out, wanted);
  }
  await page.done();
});

test('notes, files, credits, discount: each is added and taken back', async () => {
  const group = await shop.client.discount_groups.create({ name: 'Retailers', percent_bps: 1250 });
  const { id } = await makeCustomer(shop, { name: 'Everything' });
  const page = await shop.open({ path: `/customers/${id}` });
  const box = page.getByRole('form', { name: 'Write a comment' });
  await box.getByRole('textbox').fill('Rings before noon');
  await box.getByRole('button', { name: 'Comment' }).click();
  await page.getByRole('listitem').filter({ hasText: 'Rings before noon' }).waitFor();
  assert.equal(await box.getByRole('textbox').inputValue(), '');
  await page.getByRole('button', { name: /^Delete the comment/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Comment deleted').waitFor();
  assert.deepEqual(await shop.client.customers.list_notes(id), []);

  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'contract.pdf', mimeType: 'application/pdf', buffer: Buffer.from('signed') });
  await page.getByRole('form', { name: 'New file' }).getByLabel('Note').fill('2026');
  await page.getByRole('button', { name: 'Upload' }).click();
  const file = page.getByRole('listitem').filter({ hasText: 'contract.pdf' });
  const saved = page.waitForEvent('download');
  await file.getByRole('button', { name: /^Download/ }).click();
  const download = await saved;
  assert.equal(download.suggestedFilename(), 'contract.pdf');
  assert.equal((await contentOf(download)).toString(), 'signed');
  await file.getByRole('button', { name: /^Delete/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('There is no file yet.').waitFor();

  await page.getByRole('button', { name: 'Adjust' }).click();
  const adjust = page.getByRole('form', { name: 'Adjust' });
  await adjust.getByLabel('Credits').fill('-5');
  await adjust.getByRole('button', { name: 'Save' }).click();
  await adjust.getByRole('alert').waitFor();
  await adjust.getByLabel('Credits').fill('120');
  await adjust.getByLabel('Ends in days').fill('30');
  await adjust.getByLabel('Note').fill('An apology');
  await adjust.getByRole('button', { name: 'Save' }).click();
  await page.getByText('120 credits', { exact: true }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'An apology' }).getByText('+120', { exact: true }).waitFor();
  assert.equal((await shop.client.customers.get_credits(id)).credits, 120);

  const business = page.getByRole('form', { name: 'Business' });
  await business.getByLabel('Is a business').check();
  await business.getByLabel('Discount group').selectOption({ label: 'Retailers, 12.5%' });
  await business.getByRole('button', { name: 'Save' }).click();
  await business.getByText('Saved').waitFor();
  const { is_b2b, discount_group_id } = await shop.client.customers.get(id);
  assert.deepEqual({ is_b2b, discount_group_id }, { is_b2b: true, discount_group_id: group.id });
  await page.done();
});

test('a file for which the shop has no room is refused in words that say so', async () => {
  const { id } = await makeCustomer(shop);
  const { storage_total_bytes } = await shop.client.settings.get();
  await shop.client.settings.update({ storage_total_bytes: 1 });
  const page = await shop.open({ path: `/customers/${id}` });
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'large.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(4096) });
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.getByRole('alert').getByText('The storage cap is exceeded').waitFor();
  assert.deepEqual(await shop.client.customers.list_files(id), []);
  await shop.client.settings.update({ storage_total_bytes });
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.getByRole('listitem').filter({ hasText: 'large.bin' }).first().waitFor();
  await page.done();
});

test('before a customer is deleted, it is told what goes and what stays', async () => {
  const customer = await makeCustomer(shop, { name: 'Leaving' });
  await makeOrder(shop, { customer });
  const page = await shop.open({ path: `/customers/${customer.id}` });
  await page.getByText('All 1').waitFor();
  await page.getByRole('button', { name: 'Delete…' }).click();
  const question = page.getByRole('dialog', { name: 'Delete Leaving?' });
  await question.getByText('One order stays without personal data').waitFor();
  await shoot(page, 'customer-delete');
  await question.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
  await page.goto(`${shop.url}/customers/${customer.id}`);
  await page.getByText('The personal data of this customer was deleted').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0);
  await page.done();
});

test('who may only read sees the values and no act', async () => {
  const customer = await makeCustomer(shop, { name: 'Looked at' });
  const { token } = await shop.admin('Reader', ['admin_api.customers.read']);
  const page = await shop.open({ path: `/customers/${customer.id}`, token });
  const details = page.getByRole('form', { name: 'Details' });
  assert.equal(await details.getByLabel('Name').isDisabled(), true);
  await page.getByText('Customer added').waitFor();
  for (const name of [/^Save/, /^Delete/, /^Add/, /^New/, /^Upload/, /^Adjust/]) {
    assert.equal(await page.getByRole('button', { name }).count(), 0, String(name));
  }
  await page.done();
});

test(`axe-core finds nothing on the customers in light and dark colours, at 360 and at 2,560 pixels, with long names`, async () => {
  const { id } = await makeCustomer(shop, {
    name: `${LONG}`,
    email: `${'x'.repeat(60)}@example.org`,
    phone: '+36 1 234 5678',
  });
  await makeAddress(shop, id, { label: LONG, is_default: true });
  await shop.client.customers.create_note(id, { body: `${LONG}\n${LONG}` });
  await shop.upload(`/customers/${id}/files`, { name: `${LONG}.pdf`, content: 'x', type: 'application/pdf' }, { note: LONG });
  await shop.client.customers.adjust_credits(id, { delta: 1500, expires_in_days: 90, note: LONG });
  const { id: groupId } = await shop.client.access_groups.create({ slug: `long`, name: LONG });
  await shop.client.access_groups.create_grant(groupId, { customer_id: id, expires_at: null, note: LONG });
  await makeOrder(shop, { customer: await shop.client.customers.get(id) });
  const page = await shop.open({ path: '/customers?new=true' });
  for (const width of [360, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${shop.url}/customers?new=true`);
    await page.getByRole('complementary', { name: 'New customer' }).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await shoot(page, `customers-new-${width}`);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('row').nth(2).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await isTooWide(page), false, `the list at ${width}`);
    await shoot(page, `customers-${width}`);
    await page.goto(`${shop.url}/customers/${id}`);
    await page.getByText('+1,500', { exact: true }).waitFor();
    await page.getByText('1 High Street').first().waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await isTooWide(page), false, `a customer at ${width}`);
    await page.setViewportSize({ width, height: width < 500 ? 3600 : 1300 });
    await shoot(page, `customer-${width}`);
  }
  await page.done();
});

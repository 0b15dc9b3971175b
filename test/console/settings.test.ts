import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allSettings } from '../../console/parts/settings-index.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20 });
});
after(() => shop.close());

test('settings of the shop are changed; a value that is not accepted is told at its field', async () => {
  const page = await shop.open({ path: '/settings/shop' });
  const name = page.getByLabel('Name of the shop');
  await name.fill('Teeladen');
  const form = page.getByRole('form', { name: 'Shop' });
  const zone = form.getByLabel('Time zone');
  await zone.fill('Nowhere');
  await page.keyboard.press('ControlOrMeta+s');
  await form.getByText('No time zone is called “Nowhere”.').waitFor();
  assert.equal(await zone.getAttribute('aria-invalid'), 'true');
  assert.notEqual((await shop.client.settings.get()).shop_name, 'Teeladen');
  await zone.fill('vienna');
  await page.getByRole('option', { name: 'Europe/Vienna' }).waitFor();
  await page.keyboard.press('Enter');
  assert.equal(await zone.inputValue(), 'Europe/Vienna');
  await form.getByText('Saves: Name of the shop, Time zone').waitFor();
  await page.keyboard.press('ControlOrMeta+s');
  await form.getByText('Saved').waitFor();
  const saved = await shop.client.settings.get();
  assert.deepEqual([saved.shop_name, saved.timezone], ['Teeladen', 'Europe/Vienna']);
  await page.getByRole('banner').getByText('Teeladen').waitFor();
  await page.done();
});

test('mails about tasks: of all, of none, and back to those of tasks that one wrote', async () => {
  const page = await shop.open({ path: '/settings/me' });
  const mails = page.locator('.section', { has: page.getByRole('heading', { name: 'Mails to you' }) });
  await mails.getByLabel('A run of a task may be stuck (of tasks that you wrote)').uncheck();
  await mails.getByLabel('A run of a task may be stuck', { exact: true }).check();
  const back = mails.getByRole('button', { name: 'A run of a task may be stuck: only of tasks that I wrote' });
  await shoot(page, 'settings-mails');
  assert.deepEqual(await accessibilityFaults(page), []);
  await back.click();
  await mails.getByLabel('A run of a task may be stuck (of tasks that you wrote)').waitFor();
  assert.equal(await back.count(), 0);
  const own = (await shop.client.preferences.list()).find(({ event_type }) => event_type === 'task_run_stuck');
  assert.deepEqual([own?.email_enabled, own?.scope], [true, 'own']);
  await page.done();
});

test('how many mails tasks may write, and the address that their links begin with, are set', async () => {
  const page = await shop.open({ path: '/settings/mail' });
  const form = page.getByRole('form', { name: 'Mail' });
  await form.getByLabel('Mails that all tasks may write').fill('50');
  await form.getByLabel('Public address of this server').fill('https://shop.example.com/path');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('One value is not accepted:').waitFor();
  await form.getByLabel('Public address of this server').fill('https://shop.example.com/');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Saved').waitFor();
  const { task_mails_per_day, public_url } = await shop.client.settings.get();
  assert.deepEqual([task_mails_per_day, public_url], [50, 'https://shop.example.com']);
  await page.done();
});

test('an empty number that is needed is told before anything is sent', async () => {
  const page = await shop.open({ path: '/settings/shop' });
  const days = page.getByLabel('Journals of runs');
  await days.fill('');
  const form = page.getByRole('form', { name: 'Shop' });
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('This is needed.', { exact: true }).waitFor();
  assert.equal(await days.getAttribute('aria-invalid'), 'true');
  await form.getByRole('button', { name: 'Discard' }).click();
  assert.equal(await days.inputValue(), '7');
  await page.done();
});

test('two admins at the same settings: what only the other one changed is taken over, what both changed is chosen', async () => {
  const page = await shop.open({ path: '/settings/shop' });
  await page.getByLabel('Name of the shop').fill('Mine');
  await shop.client.settings.update({ shop_name: 'Theirs', low_stock_threshold: 9 });
  const form = page.getByRole('form', { name: 'Shop' });
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Somebody else has changed this meanwhile.').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'settings-merge');
  await form.getByRole('button', { name: 'Mine: Mine' }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Saved').waitFor();
  const saved = await shop.client.settings.get();
  assert.deepEqual([saved.shop_name, saved.low_stock_threshold], ['Mine', 9]);
  await page.done();
});

test('sizes are shown and typed as people say them: a number and its unit, which may be typed behind it', async () => {
  await shop.client.settings.update({ storage_total_bytes: 5_368_709_120 });
  const page = await shop.open({ path: '/settings/shop' });
  const form = page.getByRole('form', { name: 'Shop' });
  const room = form.getByLabel('Room for files', { exact: true });
  const unit = form.getByLabel('Room for files: Unit');
  await room.waitFor();
  assert.deepEqual([await room.inputValue(), await unit.inputValue()], ['5', 'GB']);
  await room.press('End');
  await room.pressSequentially('TB');
  await unit.and(page.locator(':has(option:checked:text-is("TB"))')).waitFor();
  assert.equal(await room.inputValue(), '5');
  await unit.selectOption('GB');
  await room.fill('7.5');
  await form.getByLabel('Largest file', { exact: true }).fill('20 MB');
  await page.keyboard.press('Control+s');
  await form.getByText('Saved').waitFor();
  const { storage_total_bytes, file_max_bytes } = await shop.client.settings.get();
  assert.deepEqual([storage_total_bytes, file_max_bytes], [7.5 * 1024 ** 3, 20 * 1024 ** 2]);
  await page.done();
});

test('a currency is found by its name and brings its decimals; a language by its own name', async () => {
  const page = await shop.open({ path: '/settings/shop' });
  const form = page.getByRole('form', { name: 'Shop' });
  const currency = form.getByLabel('Currency', { exact: true });
  await currency.fill('yen');
  await page.getByRole('option', { name: 'Japanese Yen JPY' }).waitFor();
  await page.keyboard.press('Enter');
  assert.equal(await form.getByLabel('Decimals of the currency').inputValue(), '0');
  await form.getByLabel('Language', { exact: true }).fill('magyar');
  await page.getByRole('option', { name: 'Hungarian hu' }).waitFor();
  await page.keyboard.press('Enter');
  await form.getByLabel('Further languages').fill('de-AT');
  await page.getByRole('option', { name: /^Austrian German/ }).waitFor();
  await page.keyboard.press('Enter');
  await form.getByText('Saves: Currency, Decimals of the currency, Language, Further languages').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await form.getByRole('button', { name: 'Discard' }).click();
  assert.equal(await currency.inputValue(), 'Euro');
  await page.done();
});

test('a page with fields that know hundreds of names has none of them before somebody looks for one', async () => {
  const page = await shop.open({ path: '/settings/shop' });
  const zone = page.getByRole('form', { name: 'Shop' }).getByLabel('Time zone');
  const before = await zone.inputValue();
  const shown = page.locator('.named-list [role=option]');
  assert.equal(await shown.count(), 0);
  await zone.click();
  await zone.press('ArrowDown');
  await page.getByRole('option', { name: 'Europe/Vienna' }).waitFor();
  assert.ok((await shown.count()) > 300);
  await zone.press('Escape');
  await page.getByRole('option', { name: 'Europe/Vienna' }).waitFor({ state: 'detached' });
  assert.equal(await zone.inputValue(), before);
  await page.done();
});

test('the values of a section stand beneath one another, and what saves them is in sight wherever one is', async () => {
  const page = await shop.open({ path: '/settings/shop', width: 1440, height: 700 });
  const form = page.getByRole('form', { name: 'Shop' });
  await form.getByLabel('Name of the shop').fill('Teehaus');
  const save = form.getByRole('button', { name: 'Save' });
  for (const field of ['Name of the shop', 'Audit log']) {
    await form.getByLabel(field).scrollIntoViewIfNeeded();
    const box = await save.boundingBox();
    assert.ok(box && box.y + box.height <= 700, `Save is in sight at ${field}`);
  }
  const lefts = await page.evaluate(
    `[...new Set([...document.querySelectorAll('.page-form :is(input, select):not(.unit-choice)')].map((one) => Math.round(one.getBoundingClientRect().left)))]`,
  );
  assert.equal(Array.isArray(lefts) && lefts.length, 1, String(lefts));
  const borders = await page.evaluate(
    `[...document.querySelectorAll('fieldset')].filter((one) => getComputedStyle(one).borderTopStyle !== 'none').length`,
  );
  assert.equal(borders, 0);
  await form.getByRole('button', { name: 'Discard' }).click();
  await page.done();
});

test('every setting is found by its name and leads to its field, by keyboard alone', async () => {
  await shop.client.settings.update({
    smtp: { host: 'localhost', port: 2525, secure: false, user: '', from: 'shop@example.com' },
    llm: { base_url: 'http://localhost:11434/v1', model: 'small' },
    assistant: { provider: 'openai', model: 'small' },
  });
  const page = await shop.open({ path: '/settings/me' });
  for (const { section, field } of allSettings) {
    if (field === undefined) continue;
    await page.goto(`${shop.url}/settings/${section}?field=${encodeURIComponent(field)}`);
    const wanted = field.startsWith('/courier/easypost') ? '/courier/provider' : field;
    await page.locator(`[data-pointer="${wanted}"]:focus`).waitFor();
    await page.waitForURL((url) => url.search === '');
  }
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Settings' }).focus();
  await page.keyboard.press('/');
  await page.keyboard.type('newsletter');
  await page.getByRole('option', { name: /Mails that all tasks may write/ }).waitFor();
  await shoot(page, 'settings-found');
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.press('Enter');
  await page.locator('[data-pointer="/task_mails_per_day"]:focus').waitFor();
  const decided: [typed: string, option: RegExp, field: string][] = [
    ['paused in its trial', /^Approve a version/, '/decisions/approve_version'],
    ['budget', /^Raise limits/, '/decisions/raise_limits'],
    ['second person', /^Plans with more writes than/, '/four_eyes/writes_over'],
    ['second owner', /^One owner proposes, another applies/, '/policy_four_eyes'],
  ];
  for (const [typed, option, field] of decided) {
    await page.getByRole('combobox', { name: 'Find a setting' }).fill(typed);
    await page.getByRole('option', { name: option }).click();
    await page.locator(`[data-pointer="${field}"]:focus`).waitFor();
  }
  await page.done();
});

test('the palette finds settings, too; a field that is not shown leads to what shows it; others find only what they may see', async () => {
  await shop.client.settings.update({ llm: null });
  const page = await shop.open({ path: '/orders' });
  await page.getByRole('row').nth(3).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('time zone');
  await page.getByRole('option', { name: 'Time zone' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('[data-pointer="/timezone"]:focus').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('ai openai');
  await page.getByRole('option', { name: 'Tasks may ask a language model' }).click();
  await page.locator('[data-pointer="/llm/isOn"]:focus').waitFor();
  await page.done();
  const { token } = await shop.admin('Narrow', ['admin_api.orders.read']);
  const narrow = await shop.open({ path: '/settings/me', token });
  await narrow.getByRole('combobox', { name: 'Find a setting' }).fill('time zone');
  await narrow.getByText('No setting is called so.').waitFor();
  await narrow.done();
});

test('unsaved work is asked about before it is left, and not when signing out', async () => {
  const page = await shop.open({ path: '/settings/shop' });
  await page.getByLabel('Name of the shop').fill('Unsaved');
  await page.getByRole('link', { name: 'Overview' }).click();
  const question = page.getByRole('dialog', { name: 'Leave what you have edited?' });
  await question.waitFor();
  assert.equal(await page.locator('button:focus').textContent(), 'Stay');
  await page.keyboard.press('Enter');
  await question.waitFor({ state: 'detached' });
  assert.equal(await page.getByLabel('Name of the shop').inputValue(), 'Unsaved');
  await page.getByRole('button', { name: /Account: / }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.done();
});

test('a token of one’s own is made, shown once, and revoked', async () => {
  const page = await shop.open({ path: '/settings/me' });
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByLabel('What it is for').fill('Buchhaltungsexport der Geschäftsführung');
  // Never is chosen on purpose, and both form and list mark it.
  assert.equal(await page.getByLabel('It expires').inputValue(), '90');
  await page.getByLabel('It expires').selectOption('never');
  await page.locator('.status.need', { hasText: 'Whoever finds it' }).waitFor();
  await page.getByRole('button', { name: 'Make the token' }).click();
  await page.getByText('It is shown only now.').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page
    .getByRole('row', { name: /Buchhaltungsexport/ })
    .locator('.status.need', { hasText: 'never' })
    .waitFor();
  await page.getByRole('button', { name: 'Revoke Buchhaltungsexport der Geschäftsführung' }).click();
  const question = page.getByRole('dialog');
  assert.equal(await page.locator('button:focus').textContent(), 'Cancel');
  await question.getByRole('button', { name: 'Revoke' }).click();
  await question.waitFor({ state: 'detached' });
  await page.getByText('Buchhaltungsexport').waitFor({ state: 'detached' });
  await page.done();
});

test('an address for webhooks is added with its secret shown once; what was sent to it is listed', async () => {
  const page = await shop.open({ path: '/settings/webhooks' });
  await page.getByText('No address is told of events yet.').waitFor();
  await page.keyboard.press('n');
  const sheet = page.getByRole('complementary', { name: 'New address' });
  await sheet.getByLabel('Address', { exact: true }).fill('http://localhost/hooks');
  await sheet.getByRole('button', { name: 'Add an address' }).click();
  await sheet.getByText('One value is not accepted:').waitFor();
  await sheet.getByLabel('Address', { exact: true }).fill('https://example.com/hooks');
  await sheet.getByRole('button', { name: 'Add an address' }).click();
  await page.getByText(/^whsec_/).waitFor();
  await page.getByRole('link', { name: 'What was sent to it' }).click();
  await page.getByText('Nothing was sent to this address yet.').waitFor();
  await page.done();
});

test('how long a run waits for its client is set; a number that is too high is refused at its field', async () => {
  const page = await shop.open({ path: '/settings/approval' });
  const minutes = page.getByLabel('A client is given up after');
  await minutes.fill('10081');
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('One value is not accepted:').waitFor();
  assert.equal(await page.locator('input:focus').getAttribute('data-pointer'), '/external_timeout_minutes');
  await minutes.fill('90');
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.equal((await shop.client.settings.get()).external_timeout_minutes, 90);
  await page.done();
});

test('the approval policy is for owners; staff sees it and cannot change it, but sets how long runs wait', async () => {
  const { token } = await shop.admin('Staff', ['admin_api.settings.write']);
  const page = await shop.open({ path: '/settings/approval', token });
  await page.getByText('Only owners can change this.').waitFor();
  assert.equal(await page.getByLabel('A new version of a task may run').isDisabled(), true);
  await page.getByLabel('A client is given up after').fill('75');
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.equal((await shop.client.settings.get()).external_timeout_minutes, 75);
  await page.done();
  const owner = await shop.open({ path: '/settings/approval' });
  await owner.getByLabel('A new version of a task may run').selectOption('second_admin');
  await owner.getByRole('button', { name: 'Save' }).click();
  await owner.getByText('Saved').waitFor();
  assert.equal((await shop.client.settings.get()).approval_policy, 'second_admin');
  await owner.done();
});

test(`axe-core finds nothing on any part of the settings in light and dark colours, at 360 and at 2,560 pixels`, async () => {
  for (const width of [360, 2560]) {
    const page = await shop.open({ path: '/settings/me', width });
    for (const section of ['You', 'Shop', 'Approval', 'People', 'Roles', 'Parcels', 'Mail', 'Language model', 'Runners', 'Webhooks']) {
      await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: section }).click();
      await page.locator('.section, .toolbar, .form-group').first().waitFor();
      assert.deepEqual(await accessibilityFaults(page), [], section);
      assert.equal(await isTooWide(page), false, `${section} at ${width}`);
      await shoot(page, `settings-${section.toLowerCase().replaceAll(' ', '-')}-${width}`);
    }
    await page.done();
  }
});

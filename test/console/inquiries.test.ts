import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../helpers/machines.ts';
import { startSmtp } from '../helpers/smtp.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20 });
});
after(() => shop.close());

const LONG = 'Geschwindigkeitsüberschreitungsbenachrichtigung megszentségteleníthetetlenségeskedéseitekért';

const makeInquiry = (subject: string) =>
  shop.client.inquiries.create({ name: 'Anna', email: 'anna@example.org', subject, body: `About ${subject}: does it come in blue?` });

test('by keyboard alone: from the overview to what waits, an answer, and the list of what is answered', async () => {
  const { id } = await makeInquiry('The jug');
  const page = await shop.open();
  const waiting = page.getByRole('listitem').filter({ hasText: /inquir|question/i });
  await waiting.getByRole('link', { name: 'Show' }).press('Enter');
  await page.getByRole('row', { name: /The jug/ }).focus();
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('complementary', { name: 'The jug' });
  await sheet.getByText('does it come in blue?').waitFor();
  await sheet.getByLabel('Is sent to anna@example.org').focus();
  await page.keyboard.type('Yes, it does.');
  await page.keyboard.press('Control+s');
  await sheet.getByText('waiting', { exact: true }).waitFor();
  const { answer, answered_at } = await shop.client.inquiries.get(id);
  assert.equal(answer, 'Yes, it does.');
  assert.notEqual(answered_at, null);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Answered', exact: true }).press('Enter');
  await page.getByRole('row', { name: /The jug/ }).waitFor();
  assert.match(page.url(), /answered=true/);
  await page.done();
});

test('without a mail server the answer says that its mail waits, and leads to the setting; with one it says that it was sent', async () => {
  const { id } = await makeInquiry('The pot');
  const page = await shop.open({ path: `/inquiries?open=${id}` });
  const sheet = page.getByRole('complementary', { name: 'The pot' });
  await sheet.getByText('No mail server is set up.').waitFor();
  await sheet.getByLabel('Is sent to anna@example.org').fill('Until noon.');
  await sheet.getByRole('button', { name: 'Send answer' }).click();
  await sheet.getByText('waiting', { exact: true }).waitFor();
  assert.equal(await sheet.getByText(/^sent$/i).count(), 0);
  await sheet.getByText('No mail server is set up.').waitFor();
  await sheet.getByRole('link', { name: 'Set up a mail server' }).click();
  await page.waitForURL(/\/settings\/mail$/);
  const smtp = await startSmtp();
  await shop.client.settings.update({ smtp: { host: '127.0.0.1', port: smtp.port, from: 'shop@example.com' } });
  await until('the answer is sent', async () => (await shop.client.inquiries.get(id)).answer_mail === 'sent');
  await page.goto(`${shop.url}/inquiries?open=${id}`);
  await sheet.getByText('sent', { exact: true }).waitFor();
  assert.equal(await sheet.getByText('No mail server is set up.').count(), 0);
  await shop.client.settings.update({ smtp: null });
  await smtp.close();
  await page.done();
});

test('an inquiry is noted; an empty question is refused at its field; it is deleted again', async () => {
  const page = await shop.open({ path: '/inquiries?new=true' });
  const form = page.getByRole('form', { name: 'New inquiry' });
  await form.getByLabel('Name', { exact: true }).fill('Béla');
  await form.getByLabel('Email').fill('bela@example.org');
  await form.getByLabel('Subject').fill('By phone');
  await form.getByRole('button', { name: 'Add' }).click();
  await form.getByLabel('Question').and(page.locator(':focus')).waitFor();
  await form.getByLabel('Question').fill('When is the shop open?');
  await form.getByRole('button', { name: 'Add' }).click();
  const sheet = page.getByRole('complementary', { name: 'By phone' });
  await sheet.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await sheet.waitFor({ state: 'detached' });
  assert.equal((await shop.client.inquiries.list({ search: 'By phone' })).total, 0);
  await page.done();
});

test('an inquiry that somebody else has answered meanwhile shows that answer', async () => {
  const { id } = await makeInquiry('The lid');
  const page = await shop.open({ path: `/inquiries?open=${id}` });
  await page.getByLabel('Is sent to anna@example.org').fill('Mine');
  await shop.client.inquiries.answer(id, { body: 'Theirs' });
  await page.getByRole('button', { name: 'Send answer' }).click();
  await page.getByText('Theirs').waitFor();
  assert.equal((await shop.client.inquiries.get(id)).answer, 'Theirs');
  await page.done();
});

test('two people correct an inquiry: what only the other changed is kept, what both changed is asked', async () => {
  const { id } = await makeInquiry('The cup');
  const page = await shop.open({ path: `/inquiries?open=${id}` });
  await page.getByRole('button', { name: 'Correct…' }).click();
  const form = page.getByRole('form', { name: 'Correct…' });
  await form.getByLabel('Subject').fill('Mine');
  await shop.client.inquiries.update(id, { subject: 'Theirs', name: 'Annamária' });
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByRole('button', { name: 'Mine: Mine' }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  const { subject, name } = await shop.client.inquiries.get(id);
  assert.deepEqual({ subject, name }, { subject: 'Mine', name: 'Annamária' });
  await page.done();
});

test(`axe-core finds nothing on the inquiries in light and dark colours, at 360 and at 2,560 pixels, with long words`, async () => {
  const { id } = await shop.client.inquiries.create({
    name: LONG,
    email: `${'x'.repeat(60)}@example.org`,
    subject: LONG,
    body: `${LONG}\n\n${LONG}`,
  });
  const page = await shop.open({ path: '/inquiries' });
  for (const width of [360, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${shop.url}/inquiries`);
    await page.getByRole('row').nth(1).waitFor();
    await shoot(page, `inquiries-${width}`);
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await isTooWide(page), false, `the list at ${width}`);
    await page.goto(`${shop.url}/inquiries?open=${id}`);
    await page.getByRole('button', { name: 'Send answer' }).waitFor();
    await shoot(page, `inquiry-${width}`);
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await isTooWide(page), false, `an inquiry at ${width}`);
  }
  await page.done();
});

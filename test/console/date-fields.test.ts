import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { makeCustomer } from '../helpers/builders.ts';
import { type Console, openConsole } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20 });
});
after(() => shop.close());

/** Goes to the part of a date that is so many after its first, month, and types there. */
async function typeAt(field: Locator, part: number, keys: string): Promise<void> {
  await field.blur();
  await field.focus();
  for (let at = 0; at < part; at += 1) await field.page().keyboard.press('ArrowRight');
  await field.page().keyboard.type(keys);
}

const YEAR = 2;

async function voucherForm(code: string, valid_to: string) {
  const { id } = await shop.client.vouchers.create({ code, kind: 'percent', percent_bps: 1000, valid_to });
  const page = await shop.open({ path: '/library/vouchers' });
  await page.getByRole('row', { name: new RegExp(code) }).click();
  const form = page.getByRole('complementary', { name: code });
  await form.getByLabel('Valid until').waitFor();
  return { page, form, stored: () => shop.client.vouchers.get(id) };
}

test('a voucher whose year is typed anew is valid until that year', async () => {
  const { page, form, stored } = await voucherForm('TYPED', '2026-12-15T10:30:00Z');
  await typeAt(form.getByLabel('Valid until'), YEAR, '2027');
  await page.keyboard.press('Control+s');
  await form.getByText('Saved').waitFor();
  assert.equal(new Date((await stored()).valid_to ?? '').toISOString(), '2027-12-15T10:30:00.000Z');
  await page.done();
});

test('a half-typed date stays as typed, is told of, and is not saved; one that is emptied is saved as none', async () => {
  const { page, form, stored } = await voucherForm('HALF', '2026-12-15T10:30:00Z');
  const [from, until] = [form.getByLabel('Valid from'), form.getByLabel('Valid until')];
  await typeAt(until, YEAR, '20');
  await page.keyboard.press('Control+s');
  await form.getByText('This date is not whole.').waitFor();
  assert.match(await until.inputValue(), /^0020-12-15T/);
  await typeAt(until, YEAR, '2028');
  await form.getByText('This date is not whole.').waitFor({ state: 'detached' });
  // Of an empty field, the browser does not tell that a part of it is typed.
  await typeAt(from, 0, '0131');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('This date is not whole.').waitFor();
  assert.equal(await from.getAttribute('aria-invalid'), 'true');
  assert.equal((await stored()).valid_to?.slice(0, 4), '2026');
  await typeAt(from, YEAR, '2025');
  await page.keyboard.type('0915AM');
  await page.keyboard.press('Control+s');
  await form.getByText('Saved').waitFor();
  const { valid_from, valid_to } = await stored();
  assert.deepEqual([valid_from?.slice(0, 7), valid_to?.slice(0, 4)], ['2025-01', '2028']);
  for (let part = 0; part < 6; part += 1) {
    await typeAt(until, part, '');
    await page.keyboard.press('Backspace');
  }
  await page.keyboard.press('Control+s');
  await form.getByText('Edited').waitFor({ state: 'detached' });
  assert.equal((await stored()).valid_to, null);
  await page.done();
});

test('a grant ends when its typed date says, and is not given for ever while the date is half typed', async () => {
  const { id } = await shop.client.access_groups.create({ slug: 'typed', name: 'Typed' });
  await makeCustomer(shop, { name: 'Zoltan Typed' });
  const page = await shop.open({ path: `/access-groups/${id}` });
  await page.getByRole('button', { name: 'Give access…' }).click();
  const grant = page.getByRole('form', { name: 'Give access…' });
  await grant.getByLabel('Customer').fill('Zoltan');
  await page.getByRole('option', { name: /Zoltan Typed/ }).click();
  await typeAt(grant.getByLabel('Until'), 0, '0615');
  await grant.getByRole('button', { name: 'Give access' }).click();
  await grant.getByText('This date is not whole.').waitFor();
  assert.deepEqual((await shop.client.access_groups.get(id)).members, []);
  await typeAt(grant.getByLabel('Until'), 0, '061520310130PM');
  await grant.getByRole('button', { name: 'Give access' }).click();
  await page.getByRole('link', { name: 'Zoltan Typed' }).waitFor();
  assert.equal((await shop.client.access_groups.get(id)).members[0]?.expires_at?.slice(0, 10), '2031-06-15');
  await page.done();
});

test('a half-typed date is edited work: leaving asks about it, and to discard it shows what is stored', async () => {
  const { page, form, stored } = await voucherForm('LEFT', '2026-12-15T10:30:00Z');
  const [from, until] = [form.getByLabel('Valid from'), form.getByLabel('Valid until')];
  const was = await until.inputValue();
  await typeAt(until, YEAR, '20');
  await form.getByText('Edited').waitFor();
  const asked = page.getByRole('dialog').filter({ hasText: 'Leave what you have edited?' });
  await page.goBack();
  await asked.getByRole('button', { name: 'Stay' }).click();
  assert.match(await until.inputValue(), /^0020-12-15T/);
  await form.getByRole('button', { name: 'Discard' }).click();
  await form.getByText('Edited').waitFor({ state: 'detached' });
  assert.equal(await until.inputValue(), was);
  await page.getByRole('row', { name: /LEFT/ }).waitFor();

  // An empty field of which a part is typed reads as empty.
  await typeAt(from, 0, '0131');
  await form.getByText('Edited').waitFor();
  const told = page.waitForEvent('dialog').then(async (dialog) => {
    await dialog.dismiss();
    return dialog.type();
  });
  await page.evaluate('void setTimeout(() => location.reload())');
  assert.equal(await told, 'beforeunload');
  await form.getByRole('button', { name: 'Discard' }).click();
  await form.getByText('Edited').waitFor({ state: 'detached' });

  // Neither is a number that is none a value.
  await form.getByLabel('Percentage').fill('ten');
  await form.getByText('Edited').waitFor();
  await page.goBack();
  await asked.getByRole('button', { name: 'Discard' }).click();
  await form.waitFor({ state: 'detached' });
  assert.deepEqual([(await stored()).percent_bps, (await stored()).valid_to?.slice(0, 4)], [1000, '2026']);
  await page.done();
});

const filters: { list: string; path: string; label: string; name: string; open?: string }[] = [
  { list: 'orders', path: '/orders?from=2024-05-06', label: 'Placed from', name: 'from' },
  { list: 'orders by delivery', path: '/orders?delivery_to=2024-05-06', label: 'Delivery to', name: 'delivery_to' },
  { list: 'customers', path: '/customers?from=2024-05-06', label: 'Since', name: 'from' },
  { list: 'audit', path: '/activity/audit?to=2024-05-06', label: 'To', name: 'to' },
  { list: 'runs', path: '/runs?from=2024-05-06', label: 'From', name: 'from' },
];

for (const { list, path, label, name } of filters) {
  test(`the filter of ${list} keeps its date while another year is typed, then follows it`, async () => {
    const page = await shop.open({ path });
    const field = page.getByLabel(label, { exact: true });
    const filtered = (): string | null => new URL(page.url()).searchParams.get(name);
    await typeAt(field, YEAR, '20');
    assert.match(await field.inputValue(), /^0020-05-06/);
    assert.equal(filtered()?.replaceAll('"', ''), '2024-05-06');
    await page.keyboard.type('25');
    await page.waitForURL((url) => url.searchParams.get(name)?.includes('2025-05-06') === true);
    assert.equal(await field.inputValue(), '2025-05-06');
    await page.done();
  });
}

test('the time that runs are filtered by is typed whole before they follow it', async () => {
  const page = await shop.open({ path: '/runs?since=2024-05-06T07:08:00.000Z' });
  const field = page.getByLabel(/^Since/);
  await typeAt(field, YEAR, '2025');
  await page.waitForURL((url) => url.searchParams.get('since')?.startsWith('2025-05-06T07:08') === true);
  assert.match(await field.inputValue(), /^2025-05-06T/);
  await page.done();
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeCustomer, makeProduct } from '../helpers/builders.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20 });
});
after(() => shop.close());

const LONG = 'Fortbildungsveranstaltungsteilnehmerinnen megszentségteleníthetetlenségeskedéseitekért';

test('the address is proposed from Latin letters; of a name without any, a public id that stays while one types', async () => {
  const page = await shop.open({ path: '/access-groups' });
  await page.getByRole('button', { name: 'New access group' }).first().click();
  const form = page.getByRole('complementary', { name: 'New access group' });
  const slug = form.locator('[data-pointer="/slug"]');
  const name = form.getByLabel('Name', { exact: true });
  await name.fill('Søren Łæđ');
  assert.equal(await slug.inputValue(), 'soren-laed');
  await name.fill('Чай');
  const proposed = await slug.inputValue();
  assert.match(proposed, /^[0-9a-hjkmnp-tv-z]{12}$/);
  await name.fill('Чай и кофе');
  assert.equal(await slug.inputValue(), proposed);
  await name.fill('');
  assert.equal(await slug.inputValue(), '');
  await name.fill('Чай и кофе');
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { name: 'Чай и кофе', level: 1 }).waitFor();
  const made = (await shop.client.access_groups.list()).find((group) => group.name === 'Чай и кофе');
  assert.equal(made?.slug, proposed);
  await shop.client.access_groups.delete(made?.id ?? 0);
  await page.done();
});

test('by keyboard alone: a new access group, renamed, deleted', async () => {
  const page = await shop.open({ path: '/access-groups' });
  await page.getByRole('button', { name: 'New access group' }).first().waitFor();
  await page.keyboard.press('n');
  await page.getByRole('complementary', { name: 'New access group' }).waitFor();
  await page.keyboard.type('Readers of 2026');
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { name: 'Readers of 2026', level: 1 }).waitFor();
  const [made] = await shop.client.access_groups.list();
  assert.equal(made?.slug, 'readers-of-2026');
  await page.getByRole('form', { name: 'Details' }).getByLabel('Name', { exact: true }).focus();
  await page.keyboard.press('End');
  await page.keyboard.type(' and 2027');
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { name: 'Readers of 2026 and 2027', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Delete…' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await page.getByText('There is no access group yet.').waitFor();
  assert.deepEqual(await shop.client.access_groups.list(), []);
  await page.done();
});

test('a path that another group has is refused at its field, and taken when it is another one', async () => {
  await shop.client.access_groups.create({ slug: 'taken', name: 'The first' });
  const page = await shop.open({ path: '/access-groups?new=true' });
  const form = page.getByRole('form', { name: 'New access group' });
  await form.getByLabel('Name', { exact: true }).fill('The second');
  const slug = form.locator('[data-pointer="/slug"]');
  await slug.fill('Not a slug');
  await page.keyboard.press('Control+s');
  await form.getByText('One value is not accepted:').waitFor();
  assert.equal(await slug.getAttribute('aria-invalid'), 'true');
  assert.equal(await page.locator('input:focus').getAttribute('data-pointer'), '/slug');
  await slug.fill('taken');
  await page.keyboard.press('Control+s');
  await form.getByRole('alert').getByText(/taken/).waitFor();
  assert.deepEqual(
    (await shop.client.access_groups.list()).map(({ name }) => name).filter((name) => name === 'The second'),
    [],
  );
  await slug.fill('second');
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { name: 'The second', level: 1 }).waitFor();
  await page.done();
});

test('a group gets files and pages, and a member until a day by hand, who loses access again', async () => {
  const { id } = await shop.client.access_groups.create({ slug: 'members', name: 'Members' });
  const customer = await makeCustomer(shop, { name: 'Ödön Kiss' });
  const product = await makeProduct(shop, { name: 'Membership' });
  await shop.client.products.replace_access_groups(product.id, { assignments: [{ group_id: id, duration_days: 30 }] });
  await shop.client.pages.create({ slug: 'secret', title: 'Secret page' });
  await shop.upload('/files', { name: 'secret.pdf', content: '%PDF-1.7', type: 'application/pdf' });
  const page = await shop.open({ path: `/access-groups/${id}` });
  await page.getByRole('link', { name: 'Membership' }).waitFor();
  await page.getByText('30 days').waitFor();
  await page.getByLabel('Add a file of the library').fill('secret');
  await page.getByRole('option', { name: /secret.pdf/ }).click();
  await page.getByRole('listitem').filter({ hasText: 'secret.pdf' }).waitFor();
  await page.getByLabel('Add a page').fill('secret');
  await page.getByRole('option', { name: /Secret page/ }).click();
  await page.getByRole('listitem').filter({ hasText: 'Secret page' }).waitFor();
  await page.getByRole('button', { name: 'Give access…' }).click();
  const grant = page.getByRole('form', { name: 'Give access…' });
  await grant.getByLabel('Until').fill('2030-12-31T23:59');
  await grant.getByRole('button', { name: 'Give access' }).click();
  await grant.getByLabel('Customer').and(page.locator(':focus')).waitFor();
  assert.equal(await grant.getByLabel('Customer').getAttribute('aria-invalid'), 'true');
  await grant.getByLabel('Customer').fill('Ödön');
  await page.getByRole('option', { name: /Ödön Kiss/ }).click();
  await grant.getByRole('button', { name: 'Give access' }).click();
  await page.getByRole('link', { name: 'Ödön Kiss' }).waitFor();
  const stored = await shop.client.access_groups.get(id);
  assert.deepEqual([stored.files.length, stored.pages.length], [1, 1]);
  assert.deepEqual([stored.members[0]?.customer_id, stored.members[0]?.expires_at?.slice(0, 4)], [customer.id, '2030']);
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('Nobody has access yet.').waitFor();
  assert.deepEqual((await shop.client.access_groups.get(id)).members, []);
  await page.done();
});

test('two people change a group: what only the other changed is kept, what both changed is asked', async () => {
  const { id } = await shop.client.access_groups.create({ slug: 'both', name: 'First', description: 'Old' });
  const page = await shop.open({ path: `/access-groups/${id}` });
  const form = page.getByRole('form', { name: 'Details' });
  await form.getByLabel('Name', { exact: true }).fill('Mine');
  await shop.client.access_groups.update(id, { slug: 'both', name: 'Theirs', description: 'New' });
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByRole('button', { name: 'Mine: Mine' }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Saved').waitFor();
  const { name, description } = await shop.client.access_groups.get(id);
  assert.deepEqual({ name, description }, { name: 'Mine', description: 'New' });
  await page.done();
});

test(`axe-core finds nothing on the access groups in light and dark colours, at 360 and at 2,560 pixels, with long names`, async () => {
  const { id } = await shop.client.access_groups.create({ slug: `long`, name: LONG, description: LONG });
  const customer = await makeCustomer(shop, { name: LONG });
  await shop.client.access_groups.create_grant(id, { customer_id: customer.id, expires_at: '2031-01-01T00:00:00Z', note: LONG });
  const page = await shop.open({ path: '/access-groups' });
  for (const width of [360, 2560]) {
    await page.setViewportSize({ width, height: 1000 });
    await page.goto(`${shop.url}/access-groups`);
    await page.getByRole('row').nth(1).waitFor();
    await shoot(page, `access-groups-${width}`);
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await isTooWide(page), false, `the list at ${width}`);
    await page.goto(`${shop.url}/access-groups/${id}`);
    await page.getByRole('button', { name: 'Give access…' }).click();
    await page.getByLabel('Until').waitFor();
    await shoot(page, `access-group-${width}`);
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await isTooWide(page), false, `a group at ${width}`);
  }
  await page.done();
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../helpers/machines.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot, widths } from './open-console.ts';

const LONG = 'Zahlungsverkehrsschnittstellenberechtigung der Buchhaltung megszentségteleníthetetlenségeskedéseitekért';
const VALUE = 'sk_live_never_to_be_seen\nsecond line';

let shop: Console;
let taskId: number;
before(async () => {
  shop = await openConsole({ orders: 20 });
  const { task_id } = await shop.client.ai_tasks.create({
    ...{ name: 'Book payments', description: '', source_code: 'log(1)', permissions: [], parameters: [] },
  });
  taskId = task_id;
});
after(() => shop.close());

test('by keyboard alone: a secret is stored for the shop, its value replaced, and it is deleted; no answer shows the value', async () => {
  const page = await shop.open();
  const bodies: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/task-secrets')) bodies.push(response.text().catch(() => ''));
  });
  await page.getByRole('link', { name: 'Secrets' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText(/^There is no secret yet\./).waitFor();
  await page.keyboard.press('n');
  const form = page.getByRole('form', { name: 'New secret' });
  await form.getByLabel('Name').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('stripe_key');
  await form.getByLabel('Value').focus();
  await page.keyboard.type(VALUE);
  await form.getByLabel('Hosts').focus();
  await page.keyboard.type('api.stripe.com, files.stripe.com');
  await page.keyboard.press('Control+s');
  const sheet = page.getByRole('complementary', { name: 'stripe_key' });
  await sheet.getByText("secret('stripe_key')").waitFor();
  const [made] = await shop.client.task_secrets.list();
  assert.deepEqual([made?.task_id, made?.hosts], [null, ['api.stripe.com', 'files.stripe.com']]);
  const replaced = sheet.getByLabel('New value');
  assert.equal(await replaced.inputValue(), '');
  await replaced.focus();
  await page.keyboard.type('sk_live_the_next_one');
  await page.keyboard.press('Control+s');
  await until('the field of the new value is empty', async () => (await replaced.inputValue()) === '');
  await sheet.getByText('Saved').waitFor();
  assert.notEqual((await shop.client.task_secrets.list())[0]?.updated_at, made?.updated_at);
  await sheet.getByRole('button', { name: 'Delete: stripe_key' }).press('Enter');
  await page.getByRole('dialog').getByText('Runs that need it are refused from now on.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await page.getByText(/^There is no secret yet\./).waitFor();
  assert.deepEqual(await shop.client.task_secrets.list(), []);
  assert.doesNotMatch((await Promise.all(bodies)).join('\n'), /sk_live/);
  await page.done();
});

test('a secret of one task shows the task; a name, value or host that is not accepted is told at its field', async () => {
  const page = await shop.open({ path: '/library/secrets?new=true' });
  const form = page.getByRole('form', { name: 'New secret' });
  await form.getByLabel('Name').fill('Not A Name');
  await form.getByLabel('Hosts').fill('api.example.com, https://wrong/path');
  await form.getByRole('combobox', { name: 'Only for the task' }).fill('book');
  await page.getByRole('option', { name: 'Book payments' }).click();
  await form.getByRole('button', { name: 'Add' }).click();
  await form.getByText('3 values are not accepted:').waitFor();
  for (const label of ['Name', 'Value', 'Hosts']) assert.equal(await form.getByLabel(label).getAttribute('aria-invalid'), 'true', label);
  assert.equal(await page.locator('input:focus').getAttribute('data-pointer'), '/name');
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'secrets-refused');
  await form.getByLabel('Name').fill('bank_key');
  await form.getByLabel('Value').fill(VALUE);
  await form.getByLabel('Hosts').fill('api.example.com:8443');
  await form.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('row', { name: /^bank_key Book payments api\.example\.com:8443/ }).waitFor();
  const [made] = await shop.client.task_secrets.list({ task_id: taskId });
  assert.equal(made?.name, 'bank_key');
  await page.done();
});

test('two people change a secret: the hosts that only the other changed are kept, and the new value is stored', async () => {
  const { id } = await shop.client.task_secrets.create({ name: 'shared', value: 'old', hosts: ['one.example.com'] });
  const page = await shop.open({ path: `/library/secrets?open=${id}` });
  const form = page.getByRole('form', { name: 'shared' });
  await form.getByLabel('Note').fill('Mine');
  await form.getByLabel('New value').fill('mine_too');
  await shop.client.task_secrets.update(id, { hosts: ['two.example.com'], value: 'theirs', note: 'Theirs' });
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByRole('button', { name: 'Mine: Mine' }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Saved').waitFor();
  const { hosts, note } = await shop.client.task_secrets.get(id);
  assert.deepEqual({ hosts, note }, { hosts: ['two.example.com'], note: 'Mine' });
  await page.done();
});

test('a variable is set as JSON, found, changed and deleted', async () => {
  await shop.client.task_variables.create({ name: 'other', value: 1 });
  const page = await shop.open({ path: '/library/variables?new=true' });
  const form = page.getByRole('form', { name: 'New variable' });
  await form.getByLabel('Name').fill('tax_mail');
  await form.getByLabel('Value').fill('tax@');
  await form.getByRole('button', { name: 'Add' }).click();
  assert.equal(await form.getByLabel('Value').getAttribute('aria-invalid'), 'true');
  await form.getByLabel('Value').fill('');
  await form.getByRole('button', { name: 'Add' }).click();
  await form.getByText('This is needed.', { exact: true }).waitFor();
  await form.getByLabel('Value').fill('{"to": "tax@example.org"}');
  await form.getByRole('button', { name: 'Add' }).click();
  const sheet = page.getByRole('complementary', { name: 'tax_mail' });
  await sheet.getByText("await variables.get('tax_mail')").waitFor();
  assert.deepEqual((await shop.client.task_variables.list()).find(({ name }) => name === 'tax_mail')?.value, { to: 'tax@example.org' });
  await page.getByLabel('Name or note').fill('tax');
  await page.getByText('1 variable', { exact: true }).waitFor();
  await sheet.getByLabel('Value').fill('7');
  await page.keyboard.press('Control+s');
  await sheet.getByText('Saved').waitFor();
  assert.equal((await shop.client.task_variables.list()).find(({ name }) => name === 'tax_mail')?.value, 7);
  await sheet.getByRole('button', { name: 'Delete: tax_mail' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Nothing matches.').waitFor();
  await page.done();
});

test('who may only read has no act; who may not read has neither of them in the navigation', async () => {
  await shop.client.task_secrets.create({ name: 'only_seen', value: 'x', hosts: ['api.example.com'], task_id: taskId });
  const { token } = await shop.admin('Reader', ['admin_api.task_secrets.read']);
  const page = await shop.open({ path: '/library/secrets', token });
  const row = page.getByRole('row', { name: new RegExp(`only_seen Task ${taskId}`) });
  await row.click();
  const sheet = page.getByRole('complementary', { name: 'only_seen' });
  assert.equal(await sheet.getByLabel('New value').isDisabled(), true);
  assert.equal(await page.getByRole('button', { name: /^(New|Save|Delete|Add)/ }).count(), 0);
  assert.equal(await page.getByRole('link', { name: 'Variables' }).count(), 0);
  await page.done();
  const { token: other } = await shop.admin('Stranger', ['admin_api.ai_tasks.read']);
  const without = await shop.open({ path: '/tasks', token: other });
  await without.getByRole('link', { name: 'Runs' }).waitFor();
  assert.equal(await without.getByRole('link', { name: /Secrets|Variables/ }).count(), 0);
  await without.done();
});

test(`axe-core finds nothing on secrets and variables in light and dark colours, at 360 and at 2,560 pixels, with long names`, async () => {
  const name = 'a'.repeat(64);
  const hosts = [`${'subdomain.'.repeat(12)}example.com`, 'api.example.com'];
  const secret = await shop.client.task_secrets.create({ name, task_id: taskId, value: 'x', hosts, note: LONG });
  const variable = await shop.client.task_variables.create({ name, task_id: taskId, value: { text: LONG }, note: LONG });
  const page = await shop.open();
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const [path, id] of [
      ['secrets', secret.id],
      ['variables', variable.id],
    ] as const) {
      await page.goto(`${shop.url}/library/${path}`);
      await page.getByRole('row').nth(1).waitFor();
      await page.getByText('Book payments').first().waitFor();
      assert.deepEqual(await accessibilityFaults(page), []);
      assert.equal(await isTooWide(page), false, `the list of ${path} at ${width}`);
      await shoot(page, `${path}-list-${width}`);
      await page.goto(`${shop.url}/library/${path}?open=${id}`);
      await page.getByRole('complementary').getByRole('button', { name: 'Save' }).waitFor();
      assert.deepEqual(await accessibilityFaults(page), []);
      assert.equal(await isTooWide(page), false, `${path} at ${width}`);
      await shoot(page, `${path}-${width}`);
    }
  }
  await page.done();
});

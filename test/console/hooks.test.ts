import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { holdReads, type OpenPage } from './browser.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot, widths } from './open-console.ts';

const LONG = 'Bestellungsbestätigungsübermittlung aus dem Zweitshop megszentségteleníthetetlenségeskedéseitekért';

let shop: Console;
let taskId: number;
let path: string;
before(async () => {
  shop = await openConsole({ orders: 20 });
  const { task_id } = await shop.client.ai_tasks.create({
    ...{ name: 'Take orders over', description: '', source_code: 'log(parameters.payload)', permissions: [] },
    parameters: [
      { name: 'payload', kind: 'json', label: 'What was sent' },
      { name: 'days', kind: 'number', label: 'Days to look back', default: 7 },
    ],
  });
  taskId = task_id;
  path = `/tasks/${taskId}/hooks`;
});
after(() => shop.close());

const RunOfHook = z.object({ run_id: z.int() });

const hooks = () => shop.client.ai_tasks.list_hooks(taskId);

/** The address that is shown, which must be one of this server. */
async function shownAddress(page: OpenPage): Promise<string> {
  const address = await page.locator('.banner code').textContent();
  assert.ok(address);
  assert.ok(address.startsWith(`${shop.url}/hooks/`), address);
  return address;
}

/** Calls a hook as GitHub does. */
function call(address: string, body: string, secret?: string): Promise<Response> {
  const signature: Record<string, string> =
    secret === undefined ? {} : { 'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` };
  return fetch(address, { method: 'POST', headers: { 'content-type': 'application/json', ...signature }, body });
}

test('by keyboard alone: a hook is made, its address shown once; a call that is signed starts a run', async () => {
  const page = await shop.open({ path: `/tasks/${taskId}` });
  await page.getByRole('link', { name: 'Hooks' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText(/^This task has no hook\./).waitFor();
  await page.keyboard.press('n');
  const form = page.getByRole('form', { name: 'New hook' });
  await form.getByLabel('What it is for').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('Orders of the other shop');
  await form.getByLabel('A call must be signed').focus();
  await page.keyboard.type('as GitHub');
  await page.keyboard.press('Control+s');
  await form.getByText('One value is not accepted:').waitFor();
  const secret = form.getByLabel('Secret that the sender signs with');
  await secret.and(page.locator(':focus')).waitFor();
  assert.equal(await secret.getAttribute('aria-invalid'), 'true');
  await page.keyboard.type('of the sender');
  await page.keyboard.press('Control+s');
  const sheet = page.getByRole('complementary', { name: 'Orders of the other shop' });
  await sheet.getByText('The address of this hook').waitFor();
  const address = await shownAddress(page);
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'hooks-address');
  const [hook] = await hooks();
  assert.deepEqual([hook?.parameter, hook?.verify?.preset, hook?.rate_per_minute], ['payload', 'github', 60]);
  assert.equal((await call(address, '{"id":1}')).status, 401);
  assert.equal((await call(address, '{"id":1}', 'of the sender')).status, 202);
  const [run] = await shop.client.ai_tasks.list_runs(taskId);
  assert.equal(run?.started_by, `hook:${hook?.id}`);
  await page.reload();
  await sheet.getByLabel('New secret of the sender').waitFor();
  assert.equal(await page.getByText('The address of this hook').count(), 0);
  assert.equal(await page.getByText('/hooks/', { exact: false }).count(), 0);
  await page.done();
});

test('a hook gets a new address and the old one stops; it is switched off, and deleted', async () => {
  const page = await shop.open({ path: `${path}?new=true` });
  await page.getByLabel('What it is for').fill('Stock of the warehouse');
  await page.getByRole('button', { name: 'Make the hook' }).click();
  const sheet = page.getByRole('complementary', { name: 'Stock of the warehouse' });
  await sheet.getByText('The address of this hook').waitFor();
  const old = await shownAddress(page);
  await sheet.getByRole('button', { name: 'New address…' }).click();
  await page.getByRole('dialog').getByText('The old address stops working at once.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'New address' }).click();
  await page.locator('.banner code').filter({ hasNotText: old }).waitFor();
  const address = await shownAddress(page);
  assert.equal((await call(old, '{"id":2}')).status, 404);
  assert.equal((await call(address, '{"id":2}')).status, 202);
  await sheet.getByRole('button', { name: 'Close' }).last().click();
  await sheet.getByLabel('It is on').uncheck();
  await sheet.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /Stock of the warehouse.*Off/ }).waitFor();
  assert.equal((await call(address, '{"id":3}')).status, 404);
  await sheet.getByRole('button', { name: 'Delete: Stock of the warehouse' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('row', { name: /Stock of the warehouse/ }).waitFor({ state: 'detached' });
  assert.equal(
    (await hooks()).some(({ name }) => name === 'Stock of the warehouse'),
    false,
  );
  await page.done();
});

test('calls of a hook are gathered as its form says: for the last one, for all of them, later, for a time, at a rate', async () => {
  const page = await shop.open({ path: `${path}?new=true` });
  const form = page.getByRole('form', { name: 'New hook' });
  await form.getByLabel('What it is for').fill('Many at once');
  await form.getByLabel('Several in a row').selectOption('one run, for the last of them');
  await form.getByLabel('Wait after the last one').fill('1800');
  await form.getByLabel('Apart for each', { exact: true }).fill('body.order_id');
  await form.getByLabel('Start later by').fill('1.5');
  await form.getByLabel('Not started any more after').fill('7200');
  await form.getByLabel('Runs a minute, at most').fill('10');
  await form.getByLabel('What is over').selectOption('is left out');
  await form.getByLabel('Counted apart for each').fill('query.id');
  await form.getByRole('button', { name: 'Make the hook' }).click();
  const sheet = page.getByRole('complementary', { name: 'Many at once' });
  await sheet.getByText('The address of this hook').waitFor();
  const stored = async () => (await hooks()).find(({ name }) => name === 'Many at once');
  assert.deepEqual((await stored())?.start, {
    debounce: { key: 'body.order_id', ms: 1_800_000 },
    ...{ delay: 1500, ttl: 7_200_000, rate: { key: 'query.id', per_minute: 10, overflow: 'skip' } },
  });
  const address = await shownAddress(page);
  for (const order of [7, 7, 8]) assert.equal((await call(address, JSON.stringify({ order_id: order }))).status, 202);
  await page.reload();
  await sheet.getByText('2 gathered').waitFor();
  await sheet.getByText('1 gathered').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'hooks-gathered');

  await sheet.getByLabel('Several in a row').selectOption('one run, for all of them');
  await sheet.getByLabel('Gather after the first one').fill('600');
  await sheet.getByLabel('In one run, at most').fill('50');
  for (const empty of ['Start later by', 'Not started any more after', 'Runs a minute, at most']) await sheet.getByLabel(empty).fill('');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await sheet.getByText('Saved', { exact: true }).waitFor();
  assert.deepEqual((await stored())?.start, { batch: { max: 50, ms: 600_000 } });
  await page.done();
});

test('whether a repeated call starts a run of its own, and whether the text of the body comes along, is set in the form and holds', async () => {
  const page = await shop.open({ path: `${path}?new=true` });
  const form = page.getByRole('form', { name: 'New hook' });
  await form.getByLabel('What it is for').fill('Told again');
  const repeats = 'A call that is made again within a day';
  const rawBody = 'The parameter also gets the text of the body, as raw_body';
  assert.equal(await form.getByLabel(repeats).count(), 0, 'nothing makes a call known');
  await form.getByLabel('Header by which a repeated call is known').fill('X-Delivery');
  assert.equal(await form.getByLabel(repeats).inputValue(), 'once');
  await form.getByLabel(repeats).selectOption('starts a run of its own');
  await form.getByLabel(rawBody).check();
  await form.getByRole('button', { name: 'Make the hook' }).click();
  const sheet = page.getByRole('complementary', { name: 'Told again' });
  await sheet.getByText('The address of this hook').waitFor();
  const address = await shownAddress(page);
  const deliver = async (delivery: string): Promise<number> => {
    const headers = { 'content-type': 'application/json', 'x-delivery': delivery };
    const answer = await fetch(address, { method: 'POST', headers, body: '{"id": 12345678901234567890}' });
    assert.equal(answer.status, 202, await answer.clone().text());
    return RunOfHook.parse(await answer.json()).run_id;
  };
  const payloadOf = async (run: number): Promise<unknown> =>
    Object(JSON.parse((await shop.client.ai_tasks.get_run(taskId, run)).parameters))['payload'];
  const first = await deliver('a');
  assert.notEqual(await deliver('a'), first);
  assert.match(JSON.stringify(await payloadOf(first)), /"raw_body":"\{\\"id\\": 12345678901234567890\}"/);

  await page.reload();
  await sheet.getByLabel(repeats).waitFor();
  assert.equal(await sheet.getByLabel(repeats).inputValue(), 'each');
  assert.equal(await sheet.getByLabel(rawBody).isChecked(), true);
  await shoot(page, 'hooks-repeats');
  await sheet.getByLabel(repeats).selectOption('gets the run of the first one');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await sheet.getByText('Saved').waitFor();
  const known = await deliver('b');
  assert.equal(await deliver('b'), known);

  await sheet.getByLabel('Header by which a repeated call is known').fill('');
  assert.equal(await sheet.getByLabel(repeats).count(), 0);
  await sheet.getByLabel(rawBody).uncheck();
  await sheet.getByRole('button', { name: 'Save' }).click();
  await sheet.getByRole('button', { name: 'Save' }).and(page.locator(':disabled')).waitFor();
  const { id } = (await hooks()).find(({ name }) => name === 'Told again') ?? assert.fail();
  const stored = await shop.client.ai_tasks.get_hook(taskId, id);
  assert.deepEqual([stored.repeats, stored.raw_body, stored.idempotency_header], ['each', false, null]);
  const headers = { 'content-type': 'application/json' };
  const refused = await fetch(address, { method: 'POST', headers, body: '{"id": 12345678901234567890}' });
  assert.equal(refused.status, 400, 'without its text, a number that cannot be held is refused');
  const plain = await fetch(address, { method: 'POST', headers, body: '{"id": 1}' });
  assert.doesNotMatch(JSON.stringify(await payloadOf(RunOfHook.parse(await plain.json()).run_id)), /raw_body/);
  await page.done();
});

test('a signature of its own has its fields; what is missing is told there, and the stored secret stays when nothing is typed', async () => {
  const page = await shop.open({ path: `${path}?new=true` });
  const form = page.getByRole('form', { name: 'New hook' });
  await form.getByLabel('What it is for').fill('Its own way');
  await form.getByLabel('A call must be signed').selectOption('in another way');
  await form.getByLabel('Secret that the sender signs with').fill('kept\n');
  await form.getByRole('button', { name: 'Make the hook' }).click();
  await form.getByText('One value is not accepted:').waitFor();
  assert.equal(await form.getByLabel('Header with the signature').getAttribute('aria-invalid'), 'true');
  await form.getByLabel('Header with the signature').fill('X-Signed');
  await form.getByLabel('Written as').selectOption('base64');
  await form.getByLabel('Days to look back').fill('3');
  await form.getByRole('button', { name: 'Make the hook' }).click();
  const sheet = page.getByRole('complementary', { name: 'Its own way' });
  await sheet.getByText('The address of this hook').waitFor();
  const address = await shownAddress(page);
  await sheet.getByLabel('Calls a minute, at most').fill('30');
  const { id } = (await hooks()).find(({ name }) => name === 'Its own way') ?? assert.fail();
  const release = await holdReads(page);
  await shop.client.ai_tasks.update_hook(taskId, id, { name: 'Theirs' });
  await sheet.getByRole('button', { name: 'Save' }).click();
  release();
  await page.getByRole('complementary', { name: 'Theirs' }).getByText('Saved').waitFor();
  const stored = await shop.client.ai_tasks.get_hook(taskId, id);
  assert.deepEqual([stored.name, stored.rate_per_minute, stored.parameters], ['Theirs', 30, { days: 3 }]);
  assert.deepEqual([stored.verify?.header, stored.verify?.encoding], ['X-Signed', 'base64']);
  const signed = createHmac('sha256', 'kept').update('{}').digest('base64');
  assert.equal((await fetch(address, { method: 'POST', headers: { 'x-signed': signed }, body: '{}' })).status, 202);
  await page.done();
});

test('a hook that the version of its task does not fit any more is switched off; a first signature needs a secret', async () => {
  const source = { source_code: 'log(1)', permissions: [] };
  const { task_id: id } = await shop.client.ai_tasks.create({
    ...{ ...source, name: 'Changed since', description: '', parameters: [{ name: 'payload', kind: 'json', label: 'What was sent' }] },
  });
  const { id: hookId } = await shop.client.ai_tasks.create_hook(id, { name: 'Outdated', parameter: 'payload' });
  await shop.client.ai_tasks.create_version(id, { ...source, parameters: [] });
  const page = await shop.open({ path: `/tasks/${id}/hooks?open=${hookId}` });
  const sheet = page.getByRole('complementary', { name: 'Outdated' });
  await sheet.getByLabel('A call must be signed').selectOption('as GitHub does');
  await sheet.getByLabel('Secret that the sender signs with').waitFor();
  assert.equal(await sheet.getByText('Left empty, it stays.').count(), 0);
  await sheet.getByLabel('A call must be signed').selectOption('no: whoever knows the address can start the task');
  await sheet.getByLabel('It is on').uncheck();
  await sheet.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /Outdated.*Off/ }).waitFor();
  const { enabled, parameter } = await shop.client.ai_tasks.get_hook(id, hookId);
  assert.deepEqual([enabled, parameter], [false, 'payload']);
  await page.done();
});

test('the address is that by which others reach the shop, where the settings name it', async () => {
  await shop.client.settings.update({ public_url: 'https://shop.example.com' });
  const page = await shop.open({ path: `${path}?new=true` });
  const form = page.getByRole('form', { name: 'New hook' });
  await form.getByLabel('What it is for').fill('From outside');
  await form.getByRole('button', { name: 'Make the hook' }).click();
  await page.getByText('The address of this hook').waitFor();
  assert.match((await page.locator('.banner code').textContent()) ?? '', /^https:\/\/shop\.example\.com\/hooks\/\S+$/);
  await page.done();
  await shop.client.settings.update({ public_url: null });
});

test('whoever may only read tasks sees the hooks and has no act', async () => {
  await shop.client.ai_tasks.create_hook(taskId, { name: 'Only seen' });
  const { token } = await shop.admin('Reader', ['admin_api.ai_tasks.read']);
  const page = await shop.open({ path, token });
  await page.getByRole('row', { name: /Only seen/ }).click();
  const sheet = page.getByRole('complementary', { name: 'Only seen' });
  assert.equal(await sheet.getByLabel('What it is for').isDisabled(), true);
  assert.equal(await page.getByRole('button', { name: /New|Save|Delete/ }).count(), 0);
  await page.done();
});

test(`axe-core finds nothing on the hooks in light and dark colours, at 360 and at 2,560 pixels, with long names`, async () => {
  const { id } = await shop.client.ai_tasks.create_hook(taskId, {
    ...{ name: LONG, parameter: 'payload', verify: { preset: 'stripe', secret: 'whsec' } },
  });
  const page = await shop.open();
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${shop.url}${path}`);
    await page.getByRole('row').nth(1).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await isTooWide(page), false, `the list at ${width}`);
    await shoot(page, `hooks-list-${width}`);
    await page.goto(`${shop.url}${path}?open=${id}`);
    await page.getByRole('complementary').getByRole('button', { name: 'Save' }).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await isTooWide(page), false, `a hook at ${width}`);
    await shoot(page, `hook-${width}`);
  }
  await page.done();
});

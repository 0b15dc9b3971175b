import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeCustomer } from '../helpers/builders.ts';
import { storeOrder } from '../helpers/stored-rows/shop.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ runner: true });
});
after(() => shop.close());

test('the overview shows the figures of the dashboard, what waits for a person, and the newest orders', async () => {
  const now = await shop.client.dashboard.get();
  const page = await shop.open();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  const failed = page.getByRole('listitem').filter({ hasText: 'payments failed' });
  assert.match((await failed.textContent()) ?? '', new RegExp(`^${now.failed_payment_orders} payments failed`));
  const [first] = now.recent_orders;
  assert.ok(first);
  await page.getByRole('link', { name: first.customer_name }).first().click();
  await page.getByRole('complementary').getByText('Subtotal').waitFor();
  assert.ok(page.url().endsWith(`/orders?open=${first.id}`), page.url());
  await page.goBack();
  await failed.getByRole('link', { name: 'Show' }).click();
  await page.getByText(`${now.failed_payment_orders} orders`, { exact: true }).waitFor();
  await page.done();
});

test('each figure opens a list of exactly so many records, whatever test orders exist', async () => {
  await shop.withStore(async (store) => {
    const created_at = new Date(Date.now() - 30 * 3_600_000).toISOString();
    for (const status of ['pending', 'processing', 'shipped', 'delivered', 'cancelled']) {
      for (const payment_status of ['paid', 'failed']) {
        for (const is_test of [0, 1, 1])
          await storeOrder(store, { status, payment_status, is_test, created_at, delivery_date: '2026-01-05' });
      }
    }
  });
  const now = await shop.client.dashboard.get();
  const { totals } = await shop.client.dashboard.trends();
  const { pending, processing, shipped } = now.orders_by_status;
  assert.ok(now.orders_needing_attention !== processing && now.low_stock_count > 0);
  const page = await shop.open();
  const figures: [what: RegExp, count: number][] = [
    [/wait(s)? too long/, now.orders_needing_attention],
    [/payments? failed/, now.failed_payment_orders],
    [/(has|have) no answer/, now.unanswered_inquiries],
    [/out of stock/, now.out_of_stock_count],
    [/low on stock/, now.low_stock_count],
  ];
  for (const [what, count] of figures.filter(([, n]) => n > 0)) {
    const row = page.getByRole('listitem').filter({ hasText: what });
    assert.match((await row.textContent()) ?? '', new RegExp(`^${count.toLocaleString('en')} `));
    await row.getByRole('link', { name: 'Show' }).click();
    await page.getByText(new RegExp(`^${count.toLocaleString('en')} (orders?|inquir(y|ies)|products?)$`)).waitFor();
    await page.goBack();
    await row.waitFor();
  }
  const links: [figure: string, name: RegExp, count: number][] = [
    ['To send', /^[\d,]+$/, pending + processing],
    ['To send', /on their way$/, shipped],
    ['New customers', /^[\d,]+$/, totals.new_customers],
    ['New customers', /in all$/, now.total_customers],
  ];
  for (const [figure, name, count] of links) {
    const link = page.locator('.figures > div').filter({ hasText: figure }).getByRole('link', { name });
    assert.match((await link.textContent()) ?? '', new RegExp(`^${count.toLocaleString('en')}( |$)`));
    await link.click();
    await page.getByText(new RegExp(`^${count.toLocaleString('en')} (orders?|customers?)$`)).waitFor();
    await page.goBack();
    await link.waitFor();
  }
  for (const [status, count] of Object.entries(now.orders_by_status)) {
    const link = page.locator('.status-names').getByRole('link', { name: new RegExp(`^${status} ${count.toLocaleString('en')}$`, 'i') });
    await link.click();
    await page.getByText(new RegExp(`^${count.toLocaleString('en')} orders?$`)).waitFor();
    await page.goBack();
    await link.waitFor();
  }
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  for (const [view, count] of [
    ['To send', pending + processing],
    ['Late', now.orders_needing_attention],
  ] as const) {
    await page.getByRole('button', { name: view, exact: true }).click();
    await page.getByText(`${count.toLocaleString('en')} orders`, { exact: true }).waitFor();
  }
  await page.done();
});

test('runs that failed since yesterday are a figure whose link opens exactly those; many decisions are one line', async () => {
  const source_code = `throw new Error('nothing works');`;
  const name = 'Fails';
  const { task_id: id } = await shop.client.ai_tasks.create({ name, description: '', source_code, permissions: [], parameters: [] });
  for (const dry_run of [false, false, true]) await shop.client.ai_tasks.start_run(id, { dry_run });
  const page = await shop.open();
  const row = page.getByRole('listitem').filter({ hasText: '2 runs have failed since yesterday' });
  await row.getByRole('link', { name: 'Show' }).click();
  await page.waitForURL(/\/runs\?/);
  await page.getByRole('row', { name: /Fails/ }).nth(1).waitFor();
  assert.equal(await page.getByRole('row', { name: /Fails/ }).count(), 2);
  await shop.client.settings.update({ approval_policy: 'second_admin' });
  for (let n = 1; n <= 5; n++) {
    await shop.client.ai_tasks.create({
      name: `Waits ${n}`,
      description: '',
      source_code: 'log(1);',
      permissions: ['admin_api.orders.write'],
      parameters: [],
    });
  }
  await shop.client.settings.update({ approval_policy: 'author' });
  await page.goBack();
  const many = page.getByRole('listitem').filter({ hasText: '5 decisions wait for a person' });
  await many.getByRole('link', { name: 'Show' }).click();
  await page.getByRole('heading', { name: 'Approvals' }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Waits' }).nth(4).waitFor();
  assert.equal(await page.locator('.waiting > li').count(), 5);
  await page.done();
});

test('by keyboard alone: to an order of the newest, back, and to what waits', async () => {
  const page = await shop.open({ path: '/orders' });
  await page.getByRole('table').waitFor();
  await page.pressPair('g', 'h');
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  const [first] = (await shop.client.dashboard.get()).recent_orders;
  assert.ok(first);
  await page.getByRole('link', { name: first.customer_name }).first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('complementary').getByText('Subtotal').waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL(/\/orders$/);
  await page.pressPair('g', 'h');
  await page.getByRole('listitem').filter({ hasText: 'payments failed' }).getByRole('link', { name: 'Show' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/payment=failed/);
  await page.done();
});

test('the plan of a dry run waits until it is applied, in the dashed edge of what has not happened', async () => {
  const [order] = (await shop.client.orders.list({ status: 'pending', per_page: 1 })).data;
  assert.ok(order);
  const make = (name: string, source_code: string) =>
    shop.client.ai_tasks.create({ name, description: '', source_code, permissions: ['admin_api.orders.write'], parameters: [] });
  const { task_id: taskId } = await make('Ship the oldest', `await admin.orders.update_status(${order.id}, { status: 'processing' });`);
  const { task_id: idle } = await make('Changes nothing', `log('nothing to do');`);
  await shop.client.ai_tasks.start_run(idle, { dry_run: true });
  const { run_id: runId } = await shop.client.ai_tasks.start_run(taskId, { dry_run: true });
  const page = await shop.open();
  const row = page.getByRole('listitem').filter({ hasText: 'The plan of “Ship the oldest” can be applied' });
  await row.waitFor();
  assert.equal(await row.locator('.status.dry').count(), 1);
  assert.equal(await page.getByText('The plan of “Changes nothing”').count(), 0);
  await row.getByRole('link', { name: 'See the plan' }).click();
  await page.waitForURL(new RegExp(`/tasks/${taskId}/runs/${runId}`));
  await page.getByRole('button', { name: 'Apply this plan' }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(`/runs/${runId}`));
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await row.waitFor({ state: 'detached' });
  assert.equal((await shop.client.orders.get(order.id)).status, 'processing');
  await page.done();
});

test('the period stands in the address; each figure tells of it and of the change against the period before', async () => {
  const page = await shop.open();
  for (const days of [30, 7, 90] as const) {
    await page.getByRole('button', { name: `${days} days`, exact: true }).click();
    if (days !== 30) await page.waitForURL(new RegExp(`days=${days}$`));
    const { totals, previous } = await shop.client.dashboard.trends({ days, compare: true });
    const figure = (name: string) => page.locator('.figures > div').filter({ hasText: name }).locator('.figure');
    for (const [name, value, before] of [
      ['Orders', totals.orders, previous?.totals.orders ?? 0],
      ['New customers', totals.new_customers, previous?.totals.new_customers ?? 0],
    ] as const) {
      const change =
        before === 0 ? '' : new Intl.NumberFormat('en', { style: 'percent', signDisplay: 'exceptZero' }).format(value / before - 1);
      await figure(name)
        .filter({ hasText: new RegExp(`^${value.toLocaleString('en')}${change.replace('+', '\\+')}`) })
        .waitFor();
    }
  }
  await page.reload();
  await page.getByRole('button', { name: '90 days', pressed: true }).waitFor();
  await page.getByText('90 days before').waitFor();
  await page.done();
});

test('the chart has an axis of round amounts, and tells of the day under the pointer, or by the arrows', async () => {
  const { daily, previous } = await shop.client.dashboard.trends({ days: 30, compare: true });
  const page = await shop.open();
  const plot = page.getByRole('slider', { name: 'Revenue by day' });
  await plot.waitFor();
  const axis = await page.locator('.trend-axis span').allTextContents();
  assert.ok(axis.length >= 2 && axis.length <= 5);
  for (const text of axis) assert.match(text, /^€(0|(1|2|25|5|75|15)[0,]*)$/);
  const box = await plot.boundingBox();
  assert.ok(box);
  const tip = page.locator('.trend-tip');
  for (const at of [0, 12, 29]) {
    await plot.hover({ position: { x: ((at + 0.5) / 30) * box.width, y: box.height / 2 } });
    assert.ok((await tip.textContent())?.includes(`${daily[at]?.orders} order`), `day ${at}`);
  }
  await page.mouse.move(0, 0);
  await tip.waitFor({ state: 'detached' });
  await plot.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  const value = (await plot.getAttribute('aria-valuetext')) ?? '';
  assert.ok(value.includes(`, ${daily[1]?.orders} order`) && value.includes(`, ${previous?.daily[1]?.orders} order`), value);
  assert.equal(await plot.getAttribute('aria-valuenow'), '1');
  await tip.waitFor();
  await page.done();
});

test('each admin chooses the cards of the overview and their order, which are the same in another browser', async () => {
  const { token } = await shop.admin('Chooser');
  const page = await shop.open({ token });
  const titles = (one: typeof page) => one.locator('.overview-cards .section h2').allTextContents();
  await page.getByRole('heading', { name: 'Best sellers' }).waitFor();
  assert.equal((await titles(page)).at(0), 'Newest orders');
  await page.getByRole('button', { name: 'Choose cards' }).click();
  await page.getByRole('checkbox', { name: 'Best customers' }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByRole('checkbox', { name: 'Runs' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('checkbox', { name: 'Best customers' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Best sellers: up' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('.choose-cards li').nth(1).getByRole('checkbox', { name: 'Best sellers' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Best sellers: down' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  const chosen = ['Best sellers', 'Newest orders', 'Opened last', 'Low on stock', 'Inquiries without an answer', 'Best customers'];
  assert.deepEqual(await titles(page), chosen);
  await page.waitForFunction(`document.querySelectorAll('.overview-cards .section').length === 6`);
  const other = await shop.open({ token });
  await other.getByRole('heading', { name: 'Best customers' }).waitFor();
  assert.deepEqual(await titles(other), chosen);
  await other.getByRole('button', { name: 'Choose cards' }).click();
  await other.getByRole('button', { name: 'The usual ones' }).click();
  await other.getByRole('checkbox', { name: 'Runs', checked: true }).waitFor();
  await other.done();
  await page.done();
});

test('a card has what was opened last, by the name that it has now', async () => {
  const [order] = (await shop.client.orders.list({ per_page: 1 })).data;
  const customer = await makeCustomer(shop, { name: 'Opened Before' });
  assert.ok(order);
  const page = await shop.open({ path: `/orders?open=${order.id}` });
  await page.getByRole('complementary').getByText('Subtotal').waitFor();
  await page.goto(`${shop.url}/customers/${customer.id}`);
  await page.getByRole('heading', { name: 'Opened Before' }).waitFor();
  await shop.client.customers.update(customer.id, { name: 'Opened After' });
  await page.getByRole('link', { name: 'Overview' }).click();
  const card = page.locator('.overview-cards .section').filter({ hasText: 'Opened last' });
  await card.getByRole('link', { name: 'Opened After' }).waitFor();
  await card.getByRole('link').nth(1).waitFor();
  assert.deepEqual(await card.getByRole('link').allTextContents(), ['Opened After', order.customer_name]);
  await card.getByRole('link', { name: order.customer_name }).click();
  await page.waitForURL(new RegExp(`/orders\\?open=${order.id}$`));
  await page.done();
});

test(`axe-core finds nothing on the overview in light and dark colours, at 360 and at 2,560 pixels`, async () => {
  for (const width of [360, 2560]) {
    const page = await shop.open({ width });
    await page.getByRole('heading', { name: 'Newest orders' }).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await shoot(page, `overview-${width}`);
    assert.equal(await isTooWide(page), false, `nothing stands out at ${width}`);
    await page.done();
  }
});

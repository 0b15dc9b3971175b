import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FormData } from 'undici';
import { Problem } from '../../contract/errors.ts';
import { endpointList } from '../../contract/index.ts';
import { onBothStores, type RawAnswer } from '../helpers/app.ts';
import { makeCustomer, makeFile, makeOrder, makeProduct, makeVariant } from '../helpers/builders.ts';
import { png } from '../helpers/images.ts';
import { claimedRun, codeOf, field, makeTask, openRun } from '../helpers/runs.ts';

/** What is wrong, as `code place`, and its words. */
function wrongIn(answer: RawAnswer): [number, ...string[]] {
  const { errors = [] } = Problem.parse(answer.body);
  return [answer.status, ...errors.map(({ code, pointer, parameter }) => `${code} ${pointer ?? parameter}`)];
}
const detailOf = (answer: RawAnswer): string => Problem.parse(answer.body).detail;

onBothStores('unknown names', (app) => {
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    app().request({ method, path: `/admin/api${path}`, headers, ...(body === undefined ? {} : { body }) });

  test('G8: an unknown parameter is refused with the nearest known one', async () => {
    const answer = await send('GET', '/orders?stauts=pending&per_page=1');
    assert.deepEqual(wrongIn(answer), [422, 'unknown_parameter stauts']);
    assert.equal(detailOf(answer), 'stauts: is not a known parameter; the nearest known one is status');
    const { id } = await makeOrder(app());
    for (const [method, path, name] of [
      ['GET', `/orders/${id}?include=items`, 'include'],
      ['GET', '/orders/calendar?mont=2026-01', 'mont'],
      ['GET', '/dashboard?days=7', 'days'],
      ['GET', '/products?Status=active', 'Status'],
      ['GET', '/orders?status[]=pending', 'status[]'],
      ['PATCH', `/orders/${id}/status?dry_run=true`, 'dry_run'],
      ['DELETE', `/orders/${id}/payments/1?force=true`, undefined],
    ] as const) {
      const refusal = await send(method, path, method === 'PATCH' ? { status: 'processing' } : undefined);
      if (name === undefined) assert.equal(refusal.status, 404, 'the record is looked for first');
      else assert.deepEqual(wrongIn(refusal), [422, `unknown_parameter ${name}`], path);
    }
    assert.equal((await app().client.orders.get(id)).status, 'pending');
  });

  test('G8: every unknown and every wrong parameter is told at once', async () => {
    const answer = await send('GET', '/orders?stauts=pending&per_page=1000&serach=x&stauts=x');
    assert.deepEqual(wrongIn(answer), [422, 'unknown_parameter stauts', 'unknown_parameter serach', 'out_of_range per_page']);
  });

  test('G8: names of paging, names that begin with _ and empty values are ignored where they mean nothing', async () => {
    const { id } = await makeCustomer(app());
    for (const path of [
      '/dashboard?page=1&per_page=2&limit=x&offset=-1&cursor=?',
      `/customers/${id}?_=1764230400000&_dc=1`,
      '/orders?stauts=&status=',
      `/customers/${id}/notes?page=2&page=3`,
    ])
      assert.equal((await send('GET', path)).status, 200, path);
    assert.equal((await send('GET', '/customers?page=x')).status, 422, 'where it means something it is checked');
  });

  test('G8: streams and contents of files check their query too', async () => {
    const run = await openRun(app(), { executor: 'external' });
    const stream = await app().request({ path: `${run.path}/stream?lastEventId=3` });
    assert.deepEqual(wrongIn(stream), [422, 'unknown_parameter lastEventId']);
    const { id } = await makeFile(app());
    assert.deepEqual(wrongIn(await send('GET', `/files/${id}/content?dowload=1`)), [422, 'unknown_parameter dowload']);
    assert.deepEqual(wrongIn(await send('GET', '/changes?since=1')), [422, 'unknown_parameter since']);
  });

  test('G6: an unknown field is refused with the nearest known one, and nothing is written', async () => {
    const before = (await app().client.products.list()).total;
    const answer = await send('POST', '/products', { name: 'Mug', slug: 'unknown-mug', sttus: 'active', price: 5 });
    assert.deepEqual(wrongIn(answer), [422, 'unknown_field /sttus', 'unknown_field /price']);
    assert.match(
      detailOf(answer),
      /^\/sttus: is not a known field; the nearest known one is status; \/price: is not a known field; known fields are slug, name, /,
    );
    const missing = await send('POST', '/products', { nmae: 'Mug', slug: 'unknown-mug' });
    assert.deepEqual(wrongIn(missing), [422, 'unknown_field /nmae', 'required /name']);
    assert.equal((await app().client.products.list()).total, before);
  });

  test('G6: what a new record would lose is refused, although answers carry its name', async () => {
    const variants = [{ sku: 'UNKNOWN-1', price_cents: 500 }];
    const answer = await send('POST', '/products', { name: 'Mug', slug: 'unknown-mug', variants });
    assert.deepEqual(wrongIn(answer), [422, 'unknown_field /variants']);
    assert.match(detailOf(answer), /is in the answers, but cannot be given here/);
    const body = { name: 'Mug', slug: 'unknown-mug', variants: [], id: 7, created_at: '2020-01-01T00:00:00.000Z' };
    const made = await send('POST', '/products', body);
    assert.deepEqual([made.status, field(made.body, 'id') === 7], [201, false], 'its id and its times are ignored');
    const addresses = [{ line1: 'High St 1', city: 'Ghent', postal_code: '9000', country: 'BE' }];
    const customer = await send('POST', '/customers', { name: 'A', email: 'unknown@example.test', addresses });
    assert.deepEqual(wrongIn(customer), [422, 'unknown_field /addresses']);
  });

  test('G6: fields are looked into at any depth: lists, nullable objects, kinds', async () => {
    const variant = await makeVariant(app());
    const { id } = await makeOrder(app());
    const order = {
      customer: { name: 'A', email: '', phone: '', vip: true },
      items: [
        { variant_id: variant.id, quantity: 1 },
        { variant_id: variant.id, quantity: 1, qty: 2, custom_field_values: [{ field_name: 'x', field_value: 'y', valeu: 1 }] },
      ],
      shipping: { kind: 'none', methodid: 3 },
      discount: { kind: 'fixed', amount_cents: 1, percent_bps: 100 },
      billing_address: null,
      payment_status: 'none',
      register_customer: false,
      send_confirmation_email: false,
    };
    const wrong = ['/customer/vip', '/items/1/qty', '/items/1/custom_field_values/0/valeu', '/shipping/methodid', '/discount/percent_bps'];
    for (const path of ['/orders', '/orders/preview'])
      assert.deepEqual(wrongIn(await send('POST', path, order)), [422, ...wrong.map((at) => `unknown_field ${at}`)], path);
    const billed = { ...order, customer: { name: 'A', email: '', phone: '' }, items: [], shipping: { kind: 'none' }, discount: null };
    const address = { line1: 'High St 1', city: 'Ghent', postal_code: '9000', country: 'BE', sate: 'x' };
    assert.ok(
      wrongIn(await send('POST', '/orders', { ...billed, billing_address: address })).includes('unknown_field /billing_address/sate'),
    );
    for (const [method, path, body, pointer] of [
      ['PATCH', `/orders/${id}/edit`, { items: [{ id: 1, quantty: 2, quantity: 2 }] }, '/items/0/quantty'],
      [
        'PATCH',
        '/settings',
        { smtp: { host: 'mail.invalid', port: 25, secure: false, user: '', from: 'a@example.test', pasword: 'x' } },
        '/smtp/pasword',
      ],
      ['POST', '/runs/bulk', { action: 'cancel', filter: { stauts: 'running' } }, '/filter/stauts'],
      ['POST', `/orders/${id}/shipments`, { courier: 'x' }, '/courier'],
      ['POST', '/customers', { name: 'A', email: 'u@example.test', 'a/b~c': 1 }, '/a~1b~0c'],
    ] as const)
      assert.deepEqual(wrongIn(await send(method, path, body)), [422, `unknown_field ${pointer}`], `${method} ${path}`);
    const proto = await app().request({
      method: 'POST',
      path: '/admin/api/customers',
      raw: '{"name":"A","email":"u@example.test","__proto__":{"id":1}}',
    });
    assert.deepEqual(wrongIn(proto), [422, 'unknown_field /__proto__']);
  });

  test('G6: objects whose members are free take any', async () => {
    const taskId = await makeTask(app());
    const tasks = app().client.ai_tasks;
    const { run_id } = await tasks.start_run(taskId, { executor: 'external', parameters: { any: { thing: [1] } } });
    const state = { at: { any: 1 } };
    const events = [
      { kind: 'checkpoint', state },
      { kind: 'result', status: 'ok', item: 'x', details: { any: { more: 1 } } },
    ];
    assert.equal((await send('PATCH', `/ai-tasks/${taskId}/runs/${run_id}`, { events })).status, 204);
    assert.deepEqual(JSON.parse((await tasks.get_run(taskId, run_id)).last_checkpoint ?? ''), state);
    assert.equal((await send('PUT', `/ai-tasks/${taskId}/state/k`, { value: { any: { odd: true } } })).status, 200);
    assert.equal((await send('POST', '/me/views', { screen: 'orders', name: 'v', search: { any: 'x' } })).status, 201);
    assert.equal((await send('POST', `/ai-tasks/${taskId}/schedules`, { cron: '0 0 * * *', parameters: { odd: 1 } })).status, 201);
  });

  test('the order of checks: an unknown record is 404 and a stale version 412 before 422', async () => {
    assert.equal((await send('PATCH', '/customers/999999', { nmae: 'x' })).status, 404);
    const { id } = await makeCustomer(app());
    assert.equal((await send('PATCH', `/customers/${id}`, { nmae: 'x' }, { 'if-match': '"customer-1-99"' })).status, 412);
    assert.equal((await send('GET', '/customers/999999?x=1')).status, 404);
  });

  test('a body with very many unknown fields is answered with the first of them', async () => {
    const body = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`field_number_${i}`, i]));
    const answer = await send('POST', '/customers', { name: 'A', email: 'many@example.test', ...body });
    assert.equal(answer.status, 422);
    assert.equal(Problem.parse(answer.body).errors?.length, 20);
  });

  test('a form with an unknown part, or a file under another name, is refused and stores nothing', async () => {
    const before = (await app().client.media.list()).total;
    const file = new File([new Uint8Array(png(2, 2))], 'a.png', { type: 'image/png' });
    const form = (add: (form: FormData) => void): FormData => {
      const made = new FormData();
      add(made);
      made.set('file', file);
      return made;
    };
    const upload = (made: FormData) => app().request({ method: 'POST', path: '/admin/api/media', form: made });
    assert.deepEqual(wrongIn(await upload(form((one) => one.set('alt_text', 'A mug')))), [422, 'unknown_field /alt_text']);
    assert.deepEqual(wrongIn(await upload(form((one) => one.set('thumbnail', file)))), [422, 'unknown_field /thumbnail']);
    assert.deepEqual(wrongIn(await upload(form((one) => one.set('alt', file)))), [422, 'invalid_type /alt']);
    assert.equal((await app().client.media.list()).total, before);
    assert.equal((await upload(form((one) => one.set('alt', 'A mug')))).status, 201);
  });

  test('a runner may be newer than the server: what it says more is ignored; a client that drives a run is refused', async () => {
    const run = await claimedRun(app());
    const report = {
      events: [{ kind: 'log', line: 'x', level: 'warn' }],
      used: { cpu_ms: 1, wall_ms: 1, host_calls: 0, gpu_ms: 1 },
      trace: [],
    };
    const told = await app().request({ method: 'PATCH', path: run.path, token: run.claim.report_token, body: report });
    assert.equal(told.status, 204);
    const own = await openRun(app(), { executor: 'external' });
    assert.deepEqual(wrongIn(await app().request({ method: 'PATCH', path: own.path, body: report })), [
      422,
      'unknown_field /events/0/level',
      'unknown_field /used/gpu_ms',
      'unknown_field /trace',
    ]);
    assert.deepEqual(codeOf(await run.call('GET', '/customers?serach=x')), [422, 'unknown_parameter'], 'a script is told of its slip');
  });

  test('an echo of what a GET answered is taken by the write of the same path, whatever the record', async () => {
    const shop = await everyRecord();
    const echoed: string[] = [];
    for (const [path, also] of shop) {
      const { method } = endpointList.find((e) => ['PATCH', 'PUT'].includes(e.method) && shapeOf(e.path) === shapeOf(path)) ?? {};
      assert.ok(method, path);
      const read = await send('GET', path);
      assert.equal(read.status, 200, path);
      const answer = await send(method, path, { ...Object(read.body), ...also });
      assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
      echoed.push(path);
    }
    assert.ok(echoed.length > 20);
  });

  test('an echo is taken at nested places: lines of an order, lists that are replaced, offers of couriers', async () => {
    const { id } = await makeOrder(app());
    const { items } = await app().client.orders.get(id);
    const edited = await send('PATCH', `/orders/${id}/edit`, { items: items.map((item) => ({ ...item, quantity: item.quantity + 1 })) });
    assert.deepEqual([edited.status, field(Object(field(edited.body, 'items'))[0], 'quantity')], [200, (items[0]?.quantity ?? 0) + 1]);
    const product = await makeProduct(app());
    const group = await app().client.access_groups.create({ name: 'G', slug: 'unknown-echo' });
    await app().client.products.replace_access_groups(product.id, { assignments: [{ group_id: group.id, duration_days: 3 }] });
    const assignments = await app().client.products.list_access_groups(product.id);
    assert.equal((await send('PUT', `/products/${product.id}/access-groups`, { assignments })).status, 200);
    const wrong = await send('PUT', `/products/${product.id}/access-groups`, { assignments: [{ ...assignments[0], days: 5 }] });
    assert.deepEqual(wrongIn(wrong), [422, 'unknown_field /assignments/0/days']);
    await app().client.orders.create_payment(id, { label: 'first', amount_cents: 1 });
    const payments = await app().client.orders.list_payments(id);
    assert.equal((await send('POST', `/orders/${id}/payments/reorder`, { items: payments })).status, 204);
  });

  const shapeOf = (path: string): string => path.replaceAll(/\{\w+\}|\b\d+\b|(?<=templates\/).+|(?<=state\/).+/g, '{}');

  /** A record of each kind that can be read and written at one path, and what its write needs besides. */
  async function everyRecord(): Promise<[string, object?][]> {
    const { client } = app();
    const variant = await makeVariant(app());
    const customer = await makeCustomer(app());
    const taskId = await makeTask(app());
    const page = await client.pages.create({ slug: 'unknown-echo', title: 'T' });
    const theme = await client.themes.create({ name: 'Unknown echo' });
    await client.themes.save_template(theme.id, 'page', { content: 'x' });
    const file = { filename: 'a.png', content: png(2, 2), content_type: 'image/png' };
    const ids = {
      group: (await client.access_groups.create({ name: 'E', slug: 'echo-group' })).id,
      discount: (await client.discount_groups.create({ name: 'E', percent_bps: 100 })).id,
      status: (await client.order_statuses.create({ name: 'E', color: '#ffffff' })).id,
      tax: (await client.tax_rates.create({ name: 'E', rate_bps: 100 })).id,
      method: (await client.shipping_methods.create({ name: 'E', price_cents: 1, countries: ['BE'] })).id,
      pickup: (await client.pickup_locations.create({ name: 'E', line1: 'x', city: 'x', postal_code: '1', country: 'BE' })).id,
      voucher: (await client.vouchers.create({ code: 'ECHO', kind: 'percent', percent_bps: 100 })).id,
      media: (await client.media.create({ file })).id,
      file: (await makeFile(app())).id,
      inquiry: (await client.inquiries.create({ name: 'A', email: 'e@example.test', subject: 's', body: 'b' })).id,
      schedule: (await client.ai_tasks.create_schedule(taskId, { cron: '0 0 * * *' })).id,
      trigger: (await client.ai_tasks.create_trigger(taskId, { event: 'order.created' })).id,
      hook: (await client.ai_tasks.create_hook(taskId, { name: 'echo' })).id,
      view: (await client.me.create_view({ screen: 'orders', name: 'echo', search: {} })).id,
      webhook: (await client.webhooks.create({ url: 'https://echo.invalid/', events: ['order.created'] })).id,
      admin: (await client.admins.create({ name: 'E', email: 'echo@example.test', role: 'staff', permissions: [] })).id,
      variable: (await client.task_variables.create({ name: 'echo', value: { any: 1 } })).id,
    };
    await client.ai_tasks.set_state(taskId, 'echo', { value: { any: 1 } });
    return [
      [`/products/${variant.product_id}`],
      [`/variants/${variant.id}`],
      [`/customers/${customer.id}`],
      [`/pages/${page.id}`],
      [`/access-groups/${ids.group}`],
      [`/discount-groups/${ids.discount}`],
      [`/order-statuses/${ids.status}`],
      [`/tax-rates/${ids.tax}`],
      [`/shipping-methods/${ids.method}`],
      [`/pickup-locations/${ids.pickup}`],
      [`/vouchers/${ids.voucher}`],
      [`/media/${ids.media}`],
      [`/files/${ids.file}`],
      [`/inquiries/${ids.inquiry}`],
      [`/themes/${theme.id}`],
      [`/themes/${theme.id}/templates/page`],
      [`/ai-tasks/${taskId}`],
      [`/ai-tasks/${taskId}/schedules/${ids.schedule}`],
      [`/ai-tasks/${taskId}/triggers/${ids.trigger}`],
      [`/ai-tasks/${taskId}/hooks/${ids.hook}`],
      [`/ai-tasks/${taskId}/state/echo`],
      [`/me/views/${ids.view}`],
      [`/webhook-endpoints/${ids.webhook}`],
      [`/admins/${ids.admin}`],
      [`/task-variables/${ids.variable}`],
      ['/settings'],
    ];
  }
});

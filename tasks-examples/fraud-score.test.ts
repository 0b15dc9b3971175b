import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop, type Shop, type ShopOptions } from 'backroom/testing';

const emailOf = (name: string): string => `${name.toLowerCase()}@example.com`;

async function open(http: NonNullable<ShopOptions['http']>, email = emailOf): Promise<Shop> {
  const shop = await openShop({ http });
  await shop.admin.task_secrets.create({
    name: 'fraud_key',
    task_id: null,
    value: 'k3y',
    hosts: ['api.fraud.example.com'],
    note: '',
  });
  const { id } = await shop.admin.products.create({ slug: 'mug', name: 'Mug', status: 'active' });
  const variant = await shop.admin.products.create_variant(id, { sku: 'mug', price_cents: 900, stock: 100 });
  for (const name of ['Ann', 'Ben', 'Cleo']) {
    await shop.admin.orders.create({
      customer: { name, email: email(name), phone: '' },
      items: [{ variant_id: variant.id, quantity: 1 }],
      shipping: { kind: 'none' },
      payment_status: 'pending',
      register_customer: false,
      send_confirmation_email: false,
    });
  }
  return shop;
}

const isOfBen = (body: string | null): boolean => JSON.parse(body ?? '').email === 'ben@example.com';

test('marks the risky orders, and asks about each order once', async () => {
  const shop = await open(({ body }) => ({ body: { score: isOfBen(body) ? 95 : 3 } }));
  const first = await shop.run();
  assert.equal(first.status, 'success', first.error ?? '');
  assert.deepEqual(first.result, { scored: 3, risky: 1 });
  assert.deepEqual(
    first.requests.map(({ headers }) => headers['authorization']),
    Array.from({ length: 3 }, () => 'Bearer k3y'),
  );
  const { data } = await shop.admin.orders.list();
  assert.deepEqual(
    data.flatMap(({ customer_name, internal_status_id }) => (internal_status_id === null ? [] : [customer_name])),
    ['Ben'],
  );
  const second = await shop.run();
  assert.deepEqual([second.result, second.requests, second.effects], [{ scored: 0, risky: 0 }, [], []]);
});

test('while the service is busy the run waits, and then goes on with the same order', async () => {
  const asked: string[] = [];
  const shop = await open(({ body }) => {
    const { email } = JSON.parse(body ?? '');
    asked.push(email);
    // The server itself tries four times before the run gets the answer.
    const isBusy = isOfBen(body) && asked.length <= 5;
    return isBusy ? { status: 429, headers: { 'Retry-After': '1' }, body: 'busy' } : { body: { score: 3 } };
  });
  const { task_id } = await shop.run({}, { dryRun: true });
  await shop.admin.ai_tasks.update(task_id, { settings: { retry: { attempts: 3 } } });
  const { status, error, result, log } = await shop.run();
  assert.equal(status, 'success', error ?? '');
  assert.deepEqual(result, { scored: 3, risky: 0 });
  const ben = Array.from({ length: 5 }, () => 'ben@example.com');
  assert.deepEqual(asked, ['ann@example.com', ...ben, 'cleo@example.com']);
  assert.ok(log.some((line) => line.includes('attempt 2 of 3')));
});

test('what customers type is sent as they typed it, also where it looks like the name of a secret', async () => {
  const email = (name: string): string => `{{secret:${name === 'Ben' ? 'x' : 'fraud_key'}}}@example.test`;
  const shop = await open(() => ({ body: { score: 3 } }), email);
  const { status, error, requests } = await shop.run();
  assert.equal(status, 'success', error ?? '');
  assert.deepEqual(
    requests.map(({ body }) => JSON.parse(body ?? '').email),
    ['Ann', 'Ben', 'Cleo'].map(email),
  );
});

test('an answer without a score ends the run, and the next run asks again; a dry run asks nobody', async () => {
  let answer = { status: 401, body: 'unknown key' };
  const shop = await open(() => answer);
  const dry = await shop.run({}, { dryRun: true });
  assert.deepEqual([dry.status, dry.result, dry.requests], ['success', { scored: 3, risky: 0 }, []], dry.error ?? '');
  const refused = await shop.run();
  assert.equal(refused.status, 'failed');
  assert.match(refused.error ?? '', /the fraud service answered 401: unknown key/);
  answer = { status: 200, body: '{"score":12}' };
  assert.deepEqual((await shop.run()).result, { scored: 3, risky: 0 });
});

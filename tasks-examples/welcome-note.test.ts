import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop, type Shop } from 'backroom/testing';

const text = 'Welcome, {name}!';

async function addCustomers({ admin }: Shop, names: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const name of names) ids.push((await admin.customers.create({ name, email: `${name.toLowerCase()}@example.com` })).id);
  return ids;
}

async function notesOf({ admin }: Shop, ids: readonly number[]): Promise<string[][]> {
  return Promise.all(ids.map(async (id) => (await admin.customers.list_notes(id)).map(({ body }) => body)));
}

test('greets each new customer by name, once', async () => {
  const shop = await openShop();
  const ids = await addCustomers(shop, ['Ann', 'Ben']);
  const first = await shop.run({ text });
  assert.equal(first.status, 'success', first.error ?? '');
  assert.deepEqual(first.result, { new_customers: 2, welcomed: 2, skipped: 0, left: 0 });
  assert.deepEqual(await notesOf(shop, ids), [['Welcome, Ann!'], ['Welcome, Ben!']]);

  const second = await shop.run({ text });
  assert.deepEqual(second.result, { new_customers: 2, welcomed: 0, skipped: 2, left: 0 });
  assert.deepEqual(second.effects, []);
});

test('a dry run tells the notes and writes none', async () => {
  const shop = await openShop();
  const ids = await addCustomers(shop, ['Ann']);
  const { status, error, effects } = await shop.run({ text }, { dryRun: true });
  assert.equal(status, 'success', error ?? '');
  assert.deepEqual(
    effects.map(({ method, path }) => `${method} ${path}`),
    [`POST /customers/${ids[0]}/notes`],
  );
  assert.deepEqual(await notesOf(shop, ids), [[]]);
});

test('goes on where it was cut off, and greets nobody twice', async () => {
  const shop = await openShop();
  const names = Array.from({ length: 30 }, (_, n) => `Customer${n}`);
  const ids = await addCustomers(shop, names);
  const cut = await shop.run({ text }, { limits: { host_calls: 25 } });
  assert.deepEqual([cut.status, cut.end_reason], ['interrupted', 'budget']);
  const rest = await shop.run({}, { resume: cut.id });
  assert.equal(rest.status, 'success', rest.error ?? '');
  assert.ok(cut.effects.length > 0 && rest.effects.length > 0);
  assert.deepEqual(
    await notesOf(shop, ids),
    names.map((name) => [`Welcome, ${name}!`]),
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop } from 'backroom/testing';

test('finds who shares an email, a phone number or a name, and changes nothing', async () => {
  const shop = await openShop();
  const { customers } = shop.admin;
  const ids: number[] = [];
  for (const customer of [
    { name: 'Ann Lee', email: 'ann.lee@gmail.com', phone: '+353 20 913 3963' },
    { name: 'A. Lee', email: 'AnnLee+shop@googlemail.com', phone: null },
    { name: 'Ben Ray', email: 'ben@example.com', phone: '020 913 3963' },
    { name: 'ben  ray', email: 'ben@example.org', phone: null },
    { name: 'Cleo', email: 'cleo@example.com', phone: '112' },
  ])
    ids.push((await customers.create(customer)).id);
  const [ann = 0, annToo = 0, ben = 0, benToo = 0] = ids;

  const { result, error, effects } = await shop.run();
  assert.deepEqual(
    result,
    {
      customers: 5,
      groups: { email: 1, phone: 1, name: 1 },
      involved: 4,
      first: [
        { reason: 'email', value: 'annlee@gmail.com', ids: [ann, annToo] },
        { reason: 'phone', value: '209133963', ids: [ann, ben] },
        { reason: 'name', value: 'ben ray', ids: [ben, benToo] },
      ],
    },
    error ?? '',
  );
  assert.deepEqual(effects, []);
  const without = await shop.run({ by_name: false });
  assert.deepEqual((without.result as { groups: object }).groups, { email: 1, phone: 1, name: 0 });
});

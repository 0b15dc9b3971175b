import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop } from 'backroom/testing';

test('reminds of what waits, once a day, until it is answered', async () => {
  const shop = await openShop();
  const { inquiries } = shop.admin;
  const asked = await inquiries.create({ name: 'Ann', email: 'ann@example.com', subject: 'Where is my mug?', body: 'Please tell me.' });
  const dayAfter = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

  assert.deepEqual((await shop.run({ as_of: dayAfter(0) })).result, { waiting: 0, notified: 0 });
  const first = await shop.run({ as_of: dayAfter(3) });
  assert.deepEqual(first.result, { waiting: 1, notified: 1 }, first.error ?? '');
  assert.match(first.notifications[0]?.body ?? '', /Ann: Where is my mug\?$/);
  assert.deepEqual((await shop.run({ as_of: dayAfter(3) })).effects, []);
  await inquiries.answer(asked.id, { body: 'On its way.' });
  const answered = await shop.run({ as_of: dayAfter(4) });
  assert.deepEqual([answered.result, answered.effects], [{ waiting: 0, notified: 0 }, []]);
});

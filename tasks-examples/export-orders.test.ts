import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop } from 'backroom/testing';

test('stores what is new or changed, and after a failure the same again', async () => {
  let stored = 500;
  const shop = await openShop({
    sample: { orders: 60, now: new Date('2026-06-30T12:00:00Z') },
    http: () => ({ status: stored }),
  });
  for (const [name, value] of Object.entries({ exports_key_id: 'AKIDEXAMPLE', exports_secret_key: 'wJalrXUtnFEMI' }))
    await shop.admin.task_secrets.create({ name, task_id: null, value, hosts: ['exports.s3.example.com'], note: '' });
  const { total, data } = await shop.admin.orders.list();

  const dry = await shop.run({}, { dryRun: true });
  assert.deepEqual([dry.result, dry.requests], [{ orders: total, files: 1 }, []], dry.error ?? '');
  const failed = await shop.run();
  assert.match(failed.error ?? '', /the storage answered 500/);

  stored = 200;
  const first = await shop.run();
  assert.deepEqual(first.result, { orders: total, files: 1 }, first.error ?? '');
  const [put] = first.requests;
  assert.match(put?.headers['authorization'] ?? '', /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/us-east-1\/s3\/aws4_request, /);
  assert.match(put?.url ?? '', /^https:\/\/exports\.s3\.example\.com\/orders\/[^/]+-1\.csv$/);
  assert.equal(put?.body?.trimEnd().split('\n').length, total + 1);

  assert.deepEqual((await shop.run()).result, { orders: 0, files: 0 });
  await shop.admin.orders.update_delivery_date(data[0]?.id ?? 0, { delivery_date: '2026-08-01' });
  const next = await shop.run();
  assert.deepEqual(next.result, { orders: 1, files: 1 });
  assert.ok(next.requests[0]?.body?.includes(`"${data[0]?.public_id}"`));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop } from 'backroom/testing';

test('stores what is new or changed, and after a failure the same again', async () => {
  let stored = 500;
  const shop = await openShop({
    sample: { orders: 60, now: new Date('2026-06-30T12:00:00Z') },
    http: ({ method, body }) =>
      method === 'POST'
        ? { body: { url: `https://exports.s3.example.com/${String(JSON.parse(body ?? '').key)}?X-Amz-Signature=abc` } }
        : { status: stored },
  });
  await shop.admin.task_secrets.create({ name: 'signer_token', task_id: null, value: 't0ken', hosts: ['signer.example.com'], note: '' });
  const { total, data } = await shop.admin.orders.list();

  const dry = await shop.run({}, { dryRun: true });
  assert.deepEqual([dry.result, dry.requests], [{ orders: total, files: 1 }, []], dry.error ?? '');
  const failed = await shop.run();
  assert.match(failed.error ?? '', /the storage answered 500/);

  stored = 200;
  const first = await shop.run();
  assert.deepEqual(first.result, { orders: total, files: 1 }, first.error ?? '');
  const [signed, put] = first.requests;
  assert.equal(signed?.headers['authorization'], 'Bearer t0ken');
  assert.match(put?.url ?? '', /\/orders\/[^/]+-1\.csv\?X-Amz-Signature=abc$/);
  assert.equal(put?.body?.trimEnd().split('\n').length, total + 1);

  assert.deepEqual((await shop.run()).result, { orders: 0, files: 0 });
  await shop.admin.orders.update_delivery_date(data[0]?.id ?? 0, { delivery_date: '2026-08-01' });
  const next = await shop.run();
  assert.deepEqual(next.result, { orders: 1, files: 1 });
  assert.ok(next.requests[1]?.body?.includes(`"${data[0]?.public_id}"`));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from '../../server/config.ts';

test('Stripe is off by default, and uses its own address unless another is set', () => {
  assert.deepEqual(readConfig({}).stripe, { secretKey: undefined, webhookSecret: undefined, apiBase: 'https://api.stripe.com' });
  const set = { STRIPE_SECRET_KEY: 'sk_test_1234', STRIPE_WEBHOOK_SECRET: 'whsec_1234', STRIPE_API_BASE: 'http://127.0.0.1:12111' };
  assert.deepEqual(readConfig(set).stripe, { secretKey: 'sk_test_1234', webhookSecret: 'whsec_1234', apiBase: 'http://127.0.0.1:12111' });
});

test('S3 is off by default; a bucket needs its keys', () => {
  assert.equal(readConfig({}).filesS3, null);
  const keys = { FILES_S3_ACCESS_KEY_ID: 'key', FILES_S3_SECRET_ACCESS_KEY: 'secret' };
  assert.deepEqual(readConfig({ FILES_S3_BUCKET: 'shop-files', ...keys, FILES_S3_ENDPOINT: 'http://127.0.0.1:9000' }).filesS3, {
    bucket: 'shop-files',
    region: 'us-east-1',
    endpoint: 'http://127.0.0.1:9000',
    accessKeyId: 'key',
    secretAccessKey: 'secret',
  });
  assert.throws(
    () => readConfig({ FILES_S3_BUCKET: 'shop-files' }),
    /^ConfigError: FILES_S3_ACCESS_KEY_ID is missing|^Error: FILES_S3_ACCESS_KEY_ID is missing/,
  );
  assert.throws(
    () => readConfig({ FILES_S3_BUCKET: 'Shop Files', ...keys }),
    /FILES_S3_BUCKET is not valid: expected the name of a bucket/,
  );
});

test('the error for a wrong value is one line that names the variable and shows no secret', () => {
  const wrong = [
    ['STRIPE_API_BASE', 'api.stripe.com'],
    ['STRIPE_API_BASE', 'https://api.stripe.com/v1'],
    ['STRIPE_SECRET_KEY', 'sk_test with blanks'],
    ['STRIPE_WEBHOOK_SECRET', 'short'],
    ['RUNNER_TOKEN', `run_${'a'.repeat(40)}`],
    ['RUNNER_TOKEN', `run_report_${'a'.repeat(40)}`],
    ['BOOTSTRAP_ADMIN_TOKEN', `run_${'b'.repeat(40)}`],
    ['SECRETS_KEY', 'c'.repeat(63)],
    ['SECRETS_KEY', Buffer.alloc(31, 1).toString('base64')],
    ['SECRETS_KEY_OLD', 'not a key at all'],
  ] as const;
  for (const [name, value] of wrong) {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error) => error instanceof ConfigError && error.message.startsWith(`${name} is not valid: `) && !error.message.includes(value),
    );
  }
});

test('RU4: by default a claim must be confirmed within 5 s and ends after 30 s without a heartbeat', () => {
  const { claimConfirmSeconds, leaseSeconds } = readConfig({});
  assert.deepEqual([claimConfirmSeconds, leaseSeconds], [5, 30]);
});

test('the key of secrets is 32 bytes, in hex or base64, and the same in both', () => {
  const bytes = Buffer.alloc(32, 7);
  const ids = [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')].map(
    (text) => readConfig({ SECRETS_KEY: text }).secretsKey?.id,
  );
  assert.deepEqual([new Set(ids).size, ids[0]?.length], [1, 16]);
  assert.equal(readConfig({}).secretsKey, undefined);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from '../../server/config.ts';

test('Stripe: off by default, at its own address unless told otherwise', () => {
  assert.deepEqual(readConfig({}).stripe, { secretKey: undefined, webhookSecret: undefined, apiBase: 'https://api.stripe.com' });
  const set = { STRIPE_SECRET_KEY: 'sk_test_1234', STRIPE_WEBHOOK_SECRET: 'whsec_1234', STRIPE_API_BASE: 'http://127.0.0.1:12111' };
  assert.deepEqual(readConfig(set).stripe, { secretKey: 'sk_test_1234', webhookSecret: 'whsec_1234', apiBase: 'http://127.0.0.1:12111' });
});

test('a wrong value is one line that names the variable, and never shows a secret', () => {
  const wrong = [
    ['STRIPE_API_BASE', 'api.stripe.com'],
    ['STRIPE_API_BASE', 'https://api.stripe.com/v1'],
    ['STRIPE_SECRET_KEY', 'sk_test with blanks'],
    ['STRIPE_WEBHOOK_SECRET', 'short'],
  ] as const;
  for (const [name, value] of wrong) {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error) => error instanceof ConfigError && error.message.startsWith(`${name} is not acceptable: `) && !error.message.includes(value),
    );
  }
});

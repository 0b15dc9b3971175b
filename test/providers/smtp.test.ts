import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isThisMachine } from '../../server/providers/mail/smtp.ts';

test('only loopback addresses and localhost count as this machine, for which TLS and a valid certificate are not needed', () => {
  for (const host of ['127.0.0.1', '127.9.8.7', '::1', 'localhost']) assert.equal(isThisMachine(host), true, host);
  const others = [
    '127.example.com',
    '127.0.0.1.example.com',
    '127.1',
    '127.',
    'localhost.example.com',
    '0.0.0.0',
    '::ffff:127.0.0.1',
    '128.0.0.1',
  ];
  for (const host of others) assert.equal(isThisMachine(host), false, host);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isThisMachine } from '../../server/providers/mail/smtp.ts';

test('only for an address of this machine, a password is sent without TLS and any certificate is accepted', () => {
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

import assert from 'node:assert/strict';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { mock, test } from 'node:test';
import { isPrivateAddress } from '../../server/providers/webhooks/addresses.ts';
import { createPoster } from '../../server/providers/webhooks/post.ts';
import { nextDelayMs } from '../../server/resources/webhooks/rules.ts';
import { startReceiver } from '../helpers/receiver.ts';

test('WH4: private, local and special addresses are recognised as not public', () => {
  for (const address of [
    '127.0.0.1',
    '10.0.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
  ])
    assert.equal(isPrivateAddress(address), true, address);
  for (const address of [
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '2002:7f00:1::',
    '2001:db8::1',
  ])
    assert.equal(isPrivateAddress(address), true, address);
  for (const address of ['8.8.8.8', '93.184.216.34', '172.32.0.1', '192.169.0.1', '2606:4700::1111', '2a00:1450:4001::200e'])
    assert.equal(isPrivateAddress(address), false, address);
});

test('WH4: a public name that resolves to a private address is refused at delivery', async (t) => {
  const receiver = await startReceiver();
  const lookup = mock.method(dns, 'lookup', (_: string, __: object, done: (e: null, found: object[]) => void) =>
    done(null, [{ address: '127.0.0.1', family: 4 }]),
  );
  syncBuiltinESMExports();
  const strict = createPoster({ allowPrivate: false });
  const open = createPoster({ allowPrivate: true });
  t.after(async () => {
    lookup.mock.restore();
    syncBuiltinESMExports();
    await Promise.all([strict.close(), open.close(), receiver.close()]);
  });
  const url = receiver.url.replace('127.0.0.1', 'hooks.example.com');
  const posting = await strict.post({ url, headers: {}, body: '{}' }, new AbortController().signal);
  assert.deepEqual(posting, { status: null, error: 'the address is private', retryAfterMs: null });
  assert.equal(receiver.received.length, 0);
  assert.equal(lookup.mock.callCount(), 1);
});

test('WH3: a redirect is not followed', async (t) => {
  const receiver = await startReceiver();
  const poster = createPoster({ allowPrivate: true });
  t.after(() => Promise.all([poster.close(), receiver.close()]));
  receiver.answers.push({ status: 307, headers: { location: receiver.url } });
  const posting = await poster.post({ url: receiver.url, headers: {}, body: '{}' }, new AbortController().signal);
  assert.deepEqual([posting.status, posting.error, receiver.received.length], [307, 'answered 307', 1]);
});

test('WH3: there are ten attempts, each slightly later than the table says and not earlier than Retry-After', () => {
  assert.deepEqual(
    [1, 2, 9, 10].map((attempts) => nextDelayMs(attempts, 0, null)),
    [5000, 300_000, 86_400_000, null],
  );
  assert.equal(nextDelayMs(1, 1, null), 6000);
  assert.equal(nextDelayMs(1, 0, 60_000), 60_000);
  assert.equal(nextDelayMs(1, 0, 1e12), 86_400_000);
});

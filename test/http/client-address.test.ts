import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../server/config.ts';
import { clientAddress } from '../../server/http/client-address.ts';
import { onBothStores, STOPPED } from '../helpers/app.ts';

/** Which address counts as the client's, behind proxies and without them. */

const addressOf = (trusted: string, remoteAddress: string, forwarded?: string): string =>
  clientAddress(
    { socket: { remoteAddress }, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } },
    readConfig({ TRUSTED_PROXIES: trusted }).trustedProxies,
  );

const cases: [what: string, trusted: string, remote: string, forwarded: string | undefined, expected: string][] = [
  ['no proxy is trusted', '', '10.0.0.1', '203.0.113.9', '10.0.0.1'],
  ['the connection comes from elsewhere', '10.0.0.1', '198.51.100.2', '203.0.113.9', '198.51.100.2'],
  ['the proxy names the client', '10.0.0.1', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['the client has sent a header of its own', '10.0.0.1', '10.0.0.1', '127.0.0.1, 203.0.113.9', '203.0.113.9'],
  ['several proxies', '10.0.0.0/8, 192.0.2.7', '10.9.9.9', '203.0.113.9, 192.0.2.7, 10.1.1.1', '203.0.113.9'],
  ['IPv6', 'fd00::/8', 'fd00::1', '2001:db8::5', '2001:db8::5'],
  ['IPv4 in the form of IPv6', '10.0.0.0/8', '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['the proxy names nobody', '10.0.0.1', '10.0.0.1', undefined, '10.0.0.1'],
  ['what is no address', '10.0.0.1', '10.0.0.1', 'unknown', '10.0.0.1'],
  ['all are proxies', '10.0.0.0/8', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
];

for (const [what, trusted, remote, forwarded, expected] of cases) {
  test(`the client's address: ${what}`, () => assert.equal(addressOf(trusted, remote, forwarded), expected));
}

for (const wrong of ['proxy', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0', '10.0.0.1 10.0.0.2', '::/129']) {
  test(`TRUSTED_PROXIES="${wrong}" stops the start`, () =>
    assert.throws(() => readConfig({ TRUSTED_PROXIES: wrong }), /^Error: TRUSTED_PROXIES is not valid: expected addresses and networks/));
}

onBothStores(
  'behind a proxy',
  (app) => {
    test('wrong tokens of one client are limited, and not those of others; the audit log names the client', async () => {
      const from = (address: string, token: string) =>
        app().request({ path: '/admin/api/orders', token, headers: { 'x-forwarded-for': address } });
      const statuses = new Set<number>();
      for (let n = 0; n < 25; n++) statuses.add((await from('203.0.113.9', 'wrong')).status);
      assert.deepEqual([...statuses], [401, 429]);
      assert.equal((await from('203.0.113.10', 'wrong')).status, 401);

      const made = await app().request({
        method: 'POST',
        path: '/admin/api/tax-rates',
        body: { name: 'Books', rate_bps: 500 },
        headers: { 'x-forwarded-for': '198.51.100.7' },
      });
      assert.equal(made.status, 201, made.text);
      const { data } = await app().client.audit_log.list({ per_page: 1 });
      assert.equal(data[0]?.ip, '198.51.100.7');
    });
  },
  { env: { TRUSTED_PROXIES: '127.0.0.1' }, rateClock: STOPPED },
);

import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Addresses that a request from the server must not reach: this machine, private networks, and addresses that are no host. */
const blocked = { 4: new BlockList(), 6: new BlockList() };
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  blocked[4].addSubnet(network, bits, 'ipv4');
}
// All of IPv6 except global unicast, and in that the ranges that stand for IPv4 addresses or for documentation.
for (const [network, bits] of [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  blocked[6].addSubnet(network, bits, 'ipv6');
}

/** Whether an IP address is private, local, or not the address of a host on the internet (IANA special-purpose registries). */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return blocked[4].check(address, 'ipv4');
  if (family === 6) return blocked[6].check(address, 'ipv6');
  throw new Error('not an IP address');
}

/** Whether the host of a URL is such an address written literally. Names are checked when they are resolved. */
export function isPrivateHost(url: string): boolean {
  const { hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host) !== 0) return isPrivateAddress(host);
  return host === 'localhost' || host.endsWith('.localhost');
}

export const PRIVATE = 'the address is private';

/**
 * Resolves a name for a connection, which then goes to the addresses that were checked. Refuses a name if any of its addresses is private,
 * because the next connection may use another of them.
 */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '', 0);
    const [first] = addresses;
    if (!first || addresses.some(({ address }) => isPrivateAddress(address))) return callback(new Error(PRIVATE), '', 0);
    if (options.all) return callback(null, addresses);
    callback(null, first.address, first.family);
  });
};

import { BlockList, isIP } from 'node:net';

export const NETWORKS_RULE = 'expected addresses and networks separated by commas, such as 10.0.0.7 or 10.0.0.0/8';

/** Reads a list of addresses and networks such as `10.0.0.7, fd00::/8`; null if one of them is neither. */
export function parseNetworks(text: string): BlockList | null {
  const list = new BlockList();
  for (const entry of text.split(',').map((one) => one.trim())) {
    if (entry === '') continue;
    const [address = '', bits, ...rest] = entry.split('/');
    const version = isIP(address);
    const most = version === 4 ? 32 : 128;
    const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    if (version === 0 || rest.length > 0 || !(prefix <= most)) return null;
    list.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** Whether the text is an address of one of the networks. */
export function isWithin(networks: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && networks.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

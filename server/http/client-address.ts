import type { IncomingHttpHeaders } from 'node:http';
import { type BlockList, isIP } from 'node:net';
import { isWithin } from '../process/networks.ts';

type Sent = { socket: { remoteAddress?: string | undefined }; headers: IncomingHttpHeaders };

/**
 * The address of whoever sent the request: that of the connection or, where it comes from a trusted proxy, the last one in X-Forwarded-For that
 * is none of theirs. What stands before that one was sent by the client itself, and is not believed.
 */
export function clientAddress({ socket, headers }: Sent, trusted: BlockList): string {
  let address = socket.remoteAddress ?? '';
  const given = headers['x-forwarded-for'];
  if (given === undefined) return address;
  const forwarded = [given].flat().join(',').split(',');
  while (isWithin(trusted, address)) {
    const before = forwarded.pop()?.trim() ?? '';
    if (isIP(before) === 0) break;
    address = before;
  }
  return address;
}

import { Refusal } from '../verbs/problem.ts';
import { rawBody } from './body.ts';
import type { Wire } from './wire.ts';

/** Limits for a sender that has not shown a valid signature yet. Genuine events are smaller and arrive at once. */
const BODY_LIMIT_BYTES = 1024 * 1024;
const COMES_WITHIN_MS = 10_000;
const AT_ONCE = { ofAll: 64, ofOneAddress: 32 };

/** Makes a function that reads the bytes of such a body. It refuses large and slow ones, and too many at the same time. */
export function unprovenBodies(): (ctx: Wire) => Promise<Buffer> {
  const read = rawBody(BODY_LIMIT_BYTES, COMES_WITHIN_MS);
  const limited = limitConcurrentReads();
  return async (ctx) => {
    await limited(ctx.state.ip, () => Promise.resolve(read(ctx, async () => undefined)));
    return ctx.state.rawBody ?? Buffer.alloc(0);
  };
}

/** Limits the number of bodies that are read at the same time. */
function limitConcurrentReads(): (ip: string, read: () => Promise<void>) => Promise<void> {
  const reading = new Map<string, number>();
  return async (ip, read) => {
    const ofOne = reading.get(ip) ?? 0;
    const ofAll = reading.values().reduce((sum, count) => sum + count, 0);
    if (ofOne >= AT_ONCE.ofOneAddress || ofAll >= AT_ONCE.ofAll)
      throw new Refusal('busy', 'Too many webhooks are coming in; try again in a moment.');
    reading.set(ip, ofOne + 1);
    try {
      await read();
    } finally {
      const left = (reading.get(ip) ?? 1) - 1;
      if (left > 0) reading.set(ip, left);
      else reading.delete(ip);
    }
  };
}

import { z } from 'zod';
import { startChild } from '../child.ts';
import { type Kind, oneByOne, type RunPeer } from './run-peer.ts';

/**
 * A queue: one process takes the jobs, two at a time as Backroom's runner does, and another one puts them in. `file`: the script of both;
 * `args`: what it gets after its role.
 */
export async function startQueue(file: string, args: readonly string[], flags: readonly string[] = []): Promise<RunPeer> {
  const worker = startChild(file, ['worker', ...args], flags);
  await worker.next();
  const client = startChild(file, ['client', ...args], flags);
  await client.next();
  /** The client prints when it began; the worker prints the time of each end. */
  const burst = async (kind: Kind, count: number): Promise<number> => {
    client.ask(`${kind} ${count}`);
    let lastEndMs = 0;
    for (let i = 0; i < count; i++) lastEndMs = Math.max(lastEndMs, z.number().parse(await worker.next()));
    return lastEndMs - z.number().parse(await client.next());
  };
  return {
    burst,
    singles: (kind, count) => oneByOne(count, () => burst(kind, 1)),
    async stop() {
      for (const child of [client, worker]) {
        child.finish();
        await child.ended;
      }
    },
  };
}

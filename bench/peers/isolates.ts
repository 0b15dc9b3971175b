import { z } from 'zod';
import { startChild } from '../child.ts';
import { runInProcess } from '../in-process.ts';
import { type Kind, oneByOne, type RunPeer } from './run-peer.ts';

/** One process that makes an isolate for each script, one after another, and stores nothing. */
export async function startBareIsolates(): Promise<RunPeer> {
  const child = startChild('peers/bare-isolates.ts', [], ['--no-node-snapshot']);
  const burst = async (kind: Kind, count: number) => {
    child.ask(`${kind} ${count}`);
    return z.number().parse(await child.next());
  };
  return {
    burst,
    singles: (kind, count) => oneByOne(count, () => burst(kind, 1)),
    async stop() {
      child.finish();
      await child.ended;
    },
  };
}

const SOURCES: Record<Kind, string> = { trivial: 'export default () => 1;', line: `log('first line');` };

/** The same with Backroom's prelude in each isolate, so with its functions and types for scripts. */
export async function startPreludeIsolates(): Promise<RunPeer> {
  const singles = async (kind: Kind, count: number) => (await runInProcess(count, SOURCES[kind])).map(({ endMs }) => endMs);
  return {
    singles,
    burst: async (kind, count) => (await singles(kind, count)).reduce((sum, ms) => sum + ms, 0),
    async stop() {},
  };
}

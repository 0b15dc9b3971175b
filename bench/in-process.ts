import { z } from 'zod';
import { startChild } from './child.ts';

const Times = z.array(z.object({ firstLineMs: z.number(), endMs: z.number() }));

/** The baseline of a run: only isolate, context, prelude and script, in one process, one run after another. */
export async function runInProcess(runs: number, source: string): Promise<z.infer<typeof Times>> {
  const child = startChild('in-process-run.ts', [runs, source], ['--no-node-snapshot']);
  const times = Times.parse(await child.next());
  child.finish();
  return times;
}

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { type Kind, kinds, nowMs } from './run-peer.ts';

/** What the scripts of queues.ts have in common. */
export const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

/** Stores a line of a run's log in the table that postgres.ts makes, for queues that keep no log themselves. */
export const INSERT_LINE = 'INSERT INTO bench_lines (text) VALUES ($1)';

/** The address of a package's module in a folder of install.ts. */
export function addressOf(folder: string, name: string): string {
  return pathToFileURL(createRequire(join(folder, 'package.json')).resolve(name)).href;
}

/** Tells the parent that this process is ready; then, until its standard input ends, does for each line `KIND COUNT` what `add` does. */
export async function serve(add: (kind: Kind) => Promise<unknown>): Promise<void> {
  print('ready');
  for await (const line of createInterface({ input: process.stdin })) {
    const [kind, count] = z.tuple([z.enum(kinds), z.coerce.number()]).parse(line.split(' '));
    const began = nowMs();
    await Promise.all(Array.from({ length: count }, () => add(kind)));
    print(began);
  }
  process.exit();
}

/** The same for a worker, which gets no lines. */
export const work = (): Promise<void> => serve(() => Promise.reject(new Error('a worker puts in no jobs')));

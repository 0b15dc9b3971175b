import { createInterface } from 'node:readline';
import { z } from 'zod';
import { runInBareIsolate } from './bare-isolate.ts';
import { kinds } from './run-peer.ts';

/** Child process of isolates.ts: for a line `KIND COUNT` of its standard input it runs so many scripts; prints the time in ms. */
for await (const line of createInterface({ input: process.stdin })) {
  const [kind, count] = z.tuple([z.enum(kinds), z.coerce.number()]).parse(line.split(' '));
  const began = performance.now();
  for (let i = 0; i < count; i++) runInBareIsolate(kind, () => {});
  process.stdout.write(`${performance.now() - began}\n`);
}

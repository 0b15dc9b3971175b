import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { startChild } from './child.ts';

const Filling = z.object({ seconds: z.number(), maxRssMib: z.number(), items: z.int() });
export type Filling = z.infer<typeof Filling>;

/** The present time of the shop. */
export const CLOCK = '2026-06-30T12:00:00.000Z';

/**
 * Makes a sample shop with this many orders in the system's temporary folder; `filling` has the time and memory it took. The
 * shop stays there and is used again while neither the schema nor the code that fills it changes.
 */
export async function ordersShop(orders: number): Promise<{ folder: string; filling: Filling }> {
  const folder = join(tmpdir(), `backroom-bench-orders-${orders}-${fingerprint()}`);
  const report = join(folder, 'filling.json');
  if (existsSync(report)) return { folder, filling: Filling.parse(JSON.parse(await readFile(report, 'utf8'))) };
  const others = globSync(join(tmpdir(), `backroom-bench-orders-${orders}-*`));
  await Promise.all(others.map((other) => rm(other, { recursive: true, force: true })));
  await mkdir(folder, { recursive: true });
  const filler = startChild('fill-orders-shop.ts', [folder, orders, CLOCK], FLAGS);
  const filling = Filling.parse(await filler.next());
  await writeFile(report, JSON.stringify(filling));
  return { folder, filling };
}

/** The same flags as in `npm run sample-shop` (package.json). */
const FLAGS = ['--max-semi-space-size=4', '--max-old-space-size=80'];

function fingerprint(): string {
  const hash = createHash('sha256');
  for (const part of ['db/schema', 'shop-data/sample']) {
    const folder = fileURLToPath(new URL(`../server/${part}`, import.meta.url));
    for (const file of globSync('**/*.ts', { cwd: folder }).sort()) hash.update(file).update(readFileSync(join(folder, file)));
  }
  return hash.digest('hex').slice(0, 12);
}

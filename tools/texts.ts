import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { seenPath, staleIn, textFiles, textsNow } from './console-texts.ts';

/**
 * `npm run texts`: notes that the translations of the console's texts say what the English says now. It refuses texts whose English was
 * changed and whose translation was not; those that are right as they are can be named: `npm run texts -- orders.views.save`.
 */
const Seen = z.record(z.string(), z.string());
const right = new Set(process.argv.slice(2));
const stale: string[] = [];

for (const file of textFiles()) {
  const path = seenPath(file);
  const seen = existsSync(path) ? Seen.parse(JSON.parse(readFileSync(path, 'utf8'))) : {};
  const noted = textsNow(file);
  for (const [place, now] of Object.entries(noted)) {
    const languages = staleIn(seen[place], now);
    if (languages.length === 0 || right.has(`${file}.${place}`)) continue;
    stale.push(`${file}.${place}: ${languages.join(', ')}`);
    noted[place] = seen[place] ?? now;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(noted, null, 2)}\n`);
}

if (stale.length > 0) {
  console.error(`The English of these texts was changed, and these translations were not:\n${stale.join('\n')}`);
  process.exitCode = 1;
}

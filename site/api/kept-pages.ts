import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { VERSION } from '../../server/process/version.ts';

const Pages = z.array(z.object({ path: z.string(), text: z.string() }));
/** A page that is made, not written: its path in the site, and its text. */
export type ApiPage = z.infer<typeof Pages>[number];
const Kept = z.object({ digest: z.string(), pages: Pages });

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const FILE = join(PROJECT, 'node_modules/.cache/backroom/api-pages.json');
/** What the answers are made by. */
const SOURCES = '{client,contract,ops,runner,sandbox-lib,server,site/api,tasks-examples,test/helpers,tracing}/**/*.ts';

/** The pages as they were made of the same sources, else made now: each making has other times and other drawn ids in its answers. */
export async function keptPages(make: () => Promise<ApiPage[]>): Promise<ApiPage[]> {
  const hash = createHash('sha256').update(VERSION);
  for (const name of [...globSync(SOURCES, { cwd: PROJECT }), 'package-lock.json'].sort())
    hash.update(name).update(readFileSync(join(PROJECT, name)));
  const digest = hash.digest('hex');
  const kept = existsSync(FILE) ? Kept.safeParse(JSON.parse(readFileSync(FILE, 'utf8'))).data : undefined;
  if (kept?.digest === digest) return kept.pages;
  const pages = await make();
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, JSON.stringify({ digest, pages }));
  return pages;
}

import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vitepress';
import { ASSEMBLED, assemble, type PageGroup } from './assemble.ts';
import { finish } from './finish.ts';
import { textsForPrograms } from './llms.ts';
import { PROJECT } from './sources.ts';

/** Where the server looks for the site (server/http/docs.ts). */
const BUILT = join(PROJECT, 'dist/docs');

export type Built = { pages: number; bytes: number; seconds: number };

/** Tells what the site in `dist/docs` was built of. */
const DIGEST = '.digest';

/** Builds the site; null: it was built of the same already, and only another is wanted. It takes the place of the last one when it is whole. */
export async function buildDocs({ onlyChanged = false } = {}): Promise<Built | null> {
  const began = performance.now();
  const groups = await assemble();
  const digest = digestOf(groups);
  if (onlyChanged && existsSync(join(BUILT, DIGEST)) && readFileSync(join(BUILT, DIGEST), 'utf8') === digest) return null;
  mkdirSync(join(ASSEMBLED, 'public'), { recursive: true });
  cpSync(join(PROJECT, 'console/public/icon.svg'), join(ASSEMBLED, 'public/icon.svg'));
  const outDir = `${BUILT}.new`;
  rmSync(outDir, { recursive: true, force: true });
  await build(join(PROJECT, 'site'), { outDir });
  textsForPrograms(outDir, groups);
  const bytes = finish(outDir);
  writeFileSync(join(outDir, DIGEST), digest);
  rmSync(BUILT, { recursive: true, force: true });
  renameSync(outDir, BUILT);
  return { pages: groups.flatMap(({ pages }) => pages).length, bytes, seconds: (performance.now() - began) / 1000 };
}

/** Of the texts, and of all files that decide how they look. */
function digestOf(groups: readonly PageGroup[]): string {
  const hash = createHash('sha256').update(JSON.stringify(groups));
  const looks = [...globSync('site/{build,.vitepress}/**/*.{ts,css}', { cwd: PROJECT }), 'console/ui/tokens.css', 'package-lock.json'];
  const images = globSync('public/**/*.*', { cwd: ASSEMBLED }).map((file) => join('dist/docs-source', file));
  for (const file of [...looks, ...images].sort()) hash.update(readFileSync(join(PROJECT, file)));
  return hash.digest('hex');
}

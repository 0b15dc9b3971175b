import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiPages } from '../api/pages.ts';
import { ELSEWHERE } from '../navigation.ts';

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** A page before its links are rewritten: `file` from the root of the repository on (none of a page that was made), `path` in the site, both with `.md`. */
export type Source = { file: string | null; path: string; text: string };

/** All texts of the site. */
export async function readSources(): Promise<Source[]> {
  const files = [
    ...globSync('docs/**/*.md', { cwd: PROJECT }).map((file) => ({ file, path: file.slice('docs/'.length) })),
    ...Object.entries(ELSEWHERE).map(([file, path]) => ({ file, path: `${path}.md` })),
  ];
  const written = files.map(({ file, path }) => ({
    file,
    path: path.replace(/(^|\/)README\.md$/, '$1index.md'),
    text: readFileSync(join(PROJECT, file), 'utf8'),
  }));
  const made = (await apiPages()).map(({ path, text }) => ({ file: null, path: `${path.replace(/\.md$/, '')}.md`, text }));
  return [...written, ...made];
}

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../dist/console', import.meta.url));

/** A part of the built console: its bytes as they are sent (scripts and styles with gzip), and how many it may have. */
export type ConsoleSize = { part: string; file: string; bytes: number; most: number };

/**
 * The sizes of the built console. A page's own scripts and styles come after the first load. The editors, and TypeScript in the
 * worker of one, are loaded by the pages with them alone.
 */
export function consoleSizes(): ConsoleSize[] {
  // A page may name a file twice, and fetches it once.
  const first = [...new Set(assetsNamedIn(readFileSync(join(folder, 'index.html'), 'utf8')).filter(isText))];
  const files = readdirSync(join(folder, 'assets')).map((name) => `/assets/${name}`);
  const fonts = files.filter((path) => /\/geist(-mono)?-latin-wght-normal.*\.woff2$/.test(path));
  const sum = (paths: readonly string[], sizeOf: (path: string) => number) => paths.reduce((bytes, path) => bytes + sizeOf(path), 0);
  return [
    { part: 'first load', file: first.join(' '), bytes: sum(first, gzipped), most: 200_000 },
    { part: 'fonts', file: fonts.join(' '), bytes: sum(fonts, sizeOfFile), most: 53_000 },
    ...files.filter((path) => isText(path) && !first.includes(path)).map((file) => sizeOf(file, files)),
  ];
}

/** The paths of the scripts, styles and images that a page of HTML loads. */
export function assetsNamedIn(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
}

const isText = (path: string): boolean => /\.(js|css)$/.test(path);
const sizeOfFile = (path: string): number => statSync(join(folder, path)).size;
const gzipped = (path: string): number => sizeOfFile(`${path}.gz`);

/** The parser is a part of the editor that pages which show a source in colours load, too. */
function sizeOf(file: string, all: readonly string[]): ConsoleSize {
  const budget = budgetOf(file);
  const parser = budget.part === 'editor' ? all.filter((path) => budgetOf(path).part === 'parser') : [];
  return { ...budget, file: [file, ...parser].join(' '), bytes: [file, ...parser].reduce((bytes, path) => bytes + gzipped(path), 0) };
}

function budgetOf(path: string): { part: string; most: number } {
  if (/\/mount-.*\.js$/.test(path)) return { part: 'editor', most: 185_000 };
  if (/\/lezer-.*\.js$/.test(path)) return { part: 'parser', most: 60_000 };
  if (/\/visual-editor-.*\.js$/.test(path)) return { part: 'text editor', most: 110_000 };
  if (/\/types-worker-.*\.js$/.test(path)) return { part: 'worker', most: 1_100_000 };
  if (/\/(de|hu|fr)-.*\.js$/.test(path)) return { part: 'language', most: 60_000 };
  return { part: 'page', most: 25_000 };
}

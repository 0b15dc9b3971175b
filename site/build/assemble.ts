import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { GROUPS } from '../navigation.ts';
import { replaceLinks, summaryOf, titleOf } from './markdown.ts';
import { PROJECT, readSources, type Source } from './sources.ts';

/** Where the assembled texts are; VitePress reads them from there. */
export const ASSEMBLED = join(PROJECT, 'dist/docs-source');

/** A page as the site has it: `path` without `.md`. */
export type Page = { path: string; title: string; summary: string; text: string };
export type PageGroup = { title: string; pages: readonly Page[] };

const IMAGE = /\.(svg|png|webp|gif|jpg)$/;

/** Writes the texts of the site with their links rewritten, and the images that they show; returns the pages in the groups of the navigation. */
export async function assemble(): Promise<PageGroup[]> {
  const sources = await readSources();
  const texts = new Links(sources);
  const pages = sources.map((source): Page => {
    const text = texts.rewrite(source);
    const title = titleOf(text);
    if (title === null) texts.problems.push(`${source.path} has no heading`);
    return { path: source.path.slice(0, -'.md'.length), title: title ?? '', summary: summaryOf(text), text };
  });
  const groups = inGroups(pages, texts.problems);
  if (texts.problems.length > 0) throw new Error(`The documentation cannot be built:\n${texts.problems.join('\n')}`);
  rmSync(ASSEMBLED, { recursive: true, force: true });
  for (const { path, text } of pages) write(`${path}.md`, text);
  for (const [from, to] of texts.images) {
    mkdirSync(dirname(join(ASSEMBLED, 'public', to)), { recursive: true });
    cpSync(join(PROJECT, from), join(ASSEMBLED, 'public', to));
  }
  write(
    'navigation.json',
    JSON.stringify(groups.map(({ title, pages: own }) => ({ title, pages: own.map(({ path, title: name }) => ({ path, title: name })) }))),
  );
  return groups;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(ASSEMBLED, path)), { recursive: true });
  writeFileSync(join(ASSEMBLED, path), text);
}

/** Puts the pages into the groups of the navigation. */
export function inGroups(pages: readonly Page[], problems: string[], groups = GROUPS): PageGroup[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const left = new Set(byPath.keys());
  const all = groups.map(({ title, pages: named }) => ({
    title,
    pages: named.flatMap((name) => {
      const own = name.endsWith('/*')
        ? pages.filter(({ path }) => left.has(path) && path.startsWith(name.slice(0, -1)))
        : [byPath.get(name) ?? name];
      return own.flatMap((page) => {
        if (typeof page === 'string') problems.push(`site/navigation.ts: "${title}" names ${page}, which is not there`);
        else if (left.delete(page.path)) return [page];
        else problems.push(`site/navigation.ts: ${page.path} stands in two places`);
        return [];
      });
    }),
  }));
  for (const path of left) problems.push(`site/navigation.ts: no group has ${path}`);
  return all.filter(({ pages: own }) => own.length > 0);
}

/** Rewrites links from places in the repository to places in the site. */
class Links {
  readonly problems: string[] = [];
  /** What is to be copied: its file, and its path in the site. */
  readonly images = new Map<string, string>();
  readonly #paths: ReadonlyMap<string, string>;
  readonly #titles: ReadonlyMap<string, string>;

  constructor(sources: readonly Source[]) {
    this.#paths = new Map(sources.flatMap(({ file, path }) => (file === null ? [] : [[file, path]])));
    this.#titles = new Map(sources.map(({ path, text }) => [path, titleOf(text) ?? path]));
  }

  /** A page that was made has its links already as they are in the site. */
  rewrite({ file, path, text }: Source): string {
    if (file === null) return text;
    for (const [, image = ''] of text.matchAll(/\s(?:src|srcset)="([^"]+)"/g)) this.#image(file, path, image);
    return replaceLinks(text, (link) => {
      const { isImage, text: label, target } = link;
      if (/^([a-z]+:|#|\/)/.test(target)) return `${isImage ? '!' : ''}[${label}](${target})`;
      if (isImage) return `![${label}](${this.#image(file, path, target)})`;
      const [name = '', anchor] = target.split('#');
      const to = posix.join(posix.dirname(file), decodeURI(name));
      const page = this.#pageOf(to);
      if (page === undefined) return withoutLink(label, to);
      // The front page of the repository has other headings than that of the site.
      const hash = anchor === undefined || to === 'README.md' ? '' : `#${anchor}`;
      const told = /^`?[\w./-]+\.md`?$/.test(label) ? this.#nameOf(page, path) : label;
      return `[${told}](${posix.relative(posix.dirname(path), page)}${hash})`;
    });
  }

  /** A page that a text calls by its file is called by its title. */
  #nameOf(page: string, from: string): string {
    const title = this.#titles.get(page) ?? page;
    return page.startsWith('spec/') && !from.startsWith('spec/') && page !== 'spec/index.md' ? `Rules: ${title}` : title;
  }

  #pageOf(file: string): string | undefined {
    if (file === 'README.md') return 'index.md';
    return this.#paths.get(file) ?? this.#paths.get(posix.join(file, 'README.md'));
  }

  #image(file: string, path: string, target: string): string {
    const from = posix.join(posix.dirname(file), target);
    if (!IMAGE.test(from) || !existsSync(join(PROJECT, from))) this.problems.push(`${file}: the image ${target} is not there`);
    const to = from.replace(/^docs\//, '');
    this.images.set(from, to);
    return posix.relative(posix.dirname(path), to);
  }
}

/** A source that is not on the site is named instead of linked. */
function withoutLink(label: string, file: string): string {
  if (/^`.*`$/.test(label)) return label;
  return label.includes('/') && !label.includes(' ') ? `\`${label}\`` : `${label} (\`${file}\`)`;
}

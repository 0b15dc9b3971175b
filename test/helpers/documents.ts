import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectFiles } from '../../cli/project-files.ts';

/** The texts that tell people how to use the project, with their blocks of code and what stands in them `as code`. */

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** `path`: as it is named from the project's root on. */
export type Document = { path: string; text: string };
/** `language` and `file` are those of "```ts [tasks/a.ts]"; `line` is where its text begins. */
export type Block = { document: string; line: number; language: string; file: string | null; text: string };
export type Span = { document: string; line: number; text: string };

/** All documents of the repository, and those that `backroom init` writes into a project. */
export function allDocuments(): readonly Document[] {
  const stored = globSync('{*.md,{docs,deploy,site,tasks-examples}/**/*.md}', {
    cwd: PROJECT,
    exclude: ['**/node_modules/**', '**/dist/**'],
  })
    .sort()
    .map((path) => ({ path, text: readFileSync(join(PROJECT, path), 'utf8') }));
  const written = Object.entries(projectFiles({ name: 'my-tasks', version: '0.1.0' }))
    .filter(([path]) => path.endsWith('.md'))
    .map(([path, text]) => ({ path: `init/${path}`, text }));
  return [...stored, ...written];
}

/** A block may stand in a list: what its fence is indented by is not part of it. */
export function blocksOf({ path, text }: Document): readonly Block[] {
  const blocks: Block[] = [];
  let open: { fence: string; indent: number; block: Block; lines: string[] } | null = null;
  for (const [n, line] of text.split('\n').entries()) {
    const [, indent = '', fence = '', info = ''] = /^( *)(`{3,})(.*)$/.exec(line) ?? [];
    if (open !== null && fence.length >= open.fence.length && info.trim() === '') {
      blocks.push({ ...open.block, text: open.lines.join('\n') });
      open = null;
    } else if (open !== null) {
      open.lines.push(line.slice(Math.min(open.indent, line.search(/\S|$/))));
    } else if (fence !== '') {
      const [, language = '', file = null] = /^(\S*)(?: +\[([^\]]+)\])?/.exec(info.trim()) ?? [];
      open = { fence, indent: indent.length, lines: [], block: { document: path, line: n + 2, language, file, text: '' } };
    }
  }
  if (open !== null) throw new Error(`${path}:${open.block.line - 1} begins a block that does not end`);
  return blocks;
}

/** What stands between backquotes in the text, outside of blocks. */
export function spansOf(document: Document): readonly Span[] {
  const inBlocks = new Set(blocksOf(document).flatMap(({ line, text }) => text.split('\n').map((_, n) => line + n)));
  return document.text.split('\n').flatMap((text, n) =>
    inBlocks.has(n + 1) || /^ *`{3}/.test(text)
      ? []
      : [...text.matchAll(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g)].map(([, , code = '']) => ({
          document: document.path,
          line: n + 1,
          text: code.trim(),
        })),
  );
}

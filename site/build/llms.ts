import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PageGroup } from './assemble.ts';

/** Writes the Markdown of each page beside it, `llms.txt` (llmstxt.org) with a line for each page, and `llms-full.txt` with all texts. */
export function textsForPrograms(folder: string, groups: readonly PageGroup[]): void {
  for (const { path, text } of groups.flatMap(({ pages }) => pages)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, `${path}.md`), text);
  }
  const sections = groups.map(({ title, pages }) => {
    const lines = pages.map((page) => `- [${page.title}](/docs/${page.path}.md)${page.summary === '' ? '' : `: ${page.summary}`}`);
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  writeFileSync(join(folder, 'llms.txt'), `${HEAD}\n${sections.join('\n')}`);
  const texts = groups.flatMap(({ pages }) => pages).map(({ path, text }) => `<!-- /docs/${path}.md -->\n\n${text.trim()}\n`);
  writeFileSync(join(folder, 'llms-full.txt'), `${HEAD}\n${texts.join('\n')}`);
}

const HEAD = `# Backroom

> The back office of an online shop, and the safest place to automate it: task scripts run in a sandbox, show the plan of what they would do, and change nothing that a person has not approved.

Each page is here as Markdown. All of them as one text: [/llms-full.txt](/llms-full.txt). The API as a document for machines: [/openapi.json](/openapi.json).
`;

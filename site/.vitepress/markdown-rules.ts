import { posix } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { makesSecret } from '../build/secret-makers.ts';

/** What the site shows otherwise than VitePress does by itself. */
export function ourMarkdown(md: MarkdownRenderer): void {
  showBlocks(md);
  showTables(md);
  leaveSite(md);
  placeImages(md);
  keepBraces(md);
}

/** A page is a template of Vue, for which two braces begin an expression; for the documents they are text. */
function keepBraces(md: MarkdownRenderer): void {
  const render = md.render.bind(md);
  md.render = (source, env) => render(source, env).replaceAll('{{', '&#123;{');
}

/**
 * The path of a block such as "ts [tasks/report.ts]" stands above it: it is the file that the reader writes. Commands that a token for one
 * request may not give are marked for the theme, which offers none for them.
 */
function showBlocks(md: MarkdownRenderer): void {
  const { fence } = md.renderer.rules;
  if (fence === undefined) throw new Error('VitePress renders no fences any more');
  md.renderer.rules.fence = (tokens, at, options, env, self) => {
    const { info = '', content = '' } = tokens[at] ?? {};
    const [, path] = isTab(tokens.slice(0, at)) ? [] : (/^\S+\s+\[([^\]]+)\]/.exec(info) ?? []);
    const html = fence(tokens, at, options, env, self);
    const block = makesSecret(content) ? html.replace('class="language-sh', 'class="makes-secret language-sh') : html;
    return path === undefined ? block : `<figure class="file"><figcaption>${md.utils.escapeHtml(path)}</figcaption>${block}</figure>`;
  };
}

/** In a group of blocks, what stands in brackets is the name of its tab. */
function isTab(before: readonly { type: string }[]): boolean {
  return before.findLast(({ type }) => type.startsWith('container_code-group_'))?.type.endsWith('_open') ?? false;
}

/** Wide tables scroll by themselves. The content policy allows no style in an attribute, and a head without words is none. */
function showTables(md: MarkdownRenderer): void {
  for (const rule of ['th_open', 'td_open'] as const) {
    md.renderer.rules[rule] = (tokens, at, options, _env, self) => {
      const [token, content, end] = tokens.slice(at, at + 3);
      const side = /^text-align:(\w+)$/.exec(token?.attrGet('style') ?? '')?.[1];
      if (token !== undefined && side !== undefined) token.attrs = [['class', `align-${side}`]];
      if (token !== undefined && content?.content === '' && end !== undefined) token.tag = end.tag = 'td';
      return self.renderToken(tokens, at, options);
    };
  }
  md.renderer.rules.table_open = () => '<div class="table"><table>\n';
  md.renderer.rules.table_close = () => '</table></div>\n';
}

/** Links between pages are relative. One from the root on leads to the shop, such as to its document of the API. */
function leaveSite(md: MarkdownRenderer): void {
  const { link_open: open } = md.renderer.rules;
  if (open === undefined) throw new Error('VitePress renders no links any more');
  md.renderer.rules.link_open = (tokens, at, options, env, self) => {
    const token = tokens[at];
    if (!token?.attrGet('href')?.startsWith('/')) return open(tokens, at, options, env, self);
    token.attrSet('target', '_self');
    return self.renderToken(tokens, at, options);
  };
}

/** Images lie beside the pages under their own names, so that the Markdown of a page shows them, too. */
function placeImages(md: MarkdownRenderer): void {
  const absolute = (page: string, target: string): string =>
    /^([a-z]+:|\/)/.test(target) ? target : `/${posix.join(posix.dirname(page), target)}`;
  const { image, html_block: block } = md.renderer.rules;
  if (image === undefined || block === undefined) throw new Error('VitePress renders no images any more');
  md.renderer.rules.image = (tokens, at, options, env, self) => {
    const token = tokens[at];
    token?.attrSet('src', absolute(env.relativePath, token.attrGet('src') ?? ''));
    return image(tokens, at, options, env, self);
  };
  md.renderer.rules.html_block = (tokens, at, options, env, self) => {
    const [, dark, light, alt] =
      /<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\s*<img src="([^"]+)" alt="([^"]*)">\s*<\/picture>/.exec(
        tokens[at]?.content ?? '',
      ) ?? [];
    if (dark === undefined || light === undefined) return block(tokens, at, options, env, self);
    // The switch of the site decides which one is shown, not the system.
    const shown = (src: string, theme: string): string =>
      `<img class="in-${theme}" src="${absolute(env.relativePath, src)}" alt="${alt}" loading="lazy">`;
    return `<p>${shown(light, 'light')}${shown(dark, 'dark')}</p>\n`;
  };
}

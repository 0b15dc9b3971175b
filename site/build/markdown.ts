/** What is read of a page's Markdown without a parser: texts, links and headings outside code. */

const FENCE = /^( *)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1\2`*[ \t]*$/gm;
const LINK = /(!?)\[((?:`[^`\n]*`|\\.|[^\]`\\])*)\]\(([^()\s]+)\)/g;
const OR_CODE = new RegExp(`${LINK.source}|(\`+)(?!\`)[\\s\\S]*?(?<!\`)\\4(?!\`)`, 'g');

export type Link = { isImage: boolean; text: string; target: string };

/** Replaces each link of a text; links within code are none. */
export function replaceLinks(text: string, change: (link: Link) => string): string {
  return outsideFences(text, (part) =>
    part.replaceAll(OR_CODE, (whole, bang: string | undefined, label: string | undefined, target: string | undefined) =>
      target === undefined ? whole : change({ isImage: bang === '!', text: label ?? '', target }),
    ),
  );
}

function outsideFences(text: string, change: (part: string) => string): string {
  let result = '';
  let at = 0;
  for (const fence of text.matchAll(FENCE)) {
    result += change(text.slice(at, fence.index)) + fence[0];
    at = fence.index + fence[0].length;
  }
  return result + change(text.slice(at));
}

/** The text of a page's first heading. */
export function titleOf(text: string): string | null {
  const [, title] = /^# (.+)$/m.exec(text) ?? [];
  return title === undefined ? null : plainText(title);
}

const ENOUGH = 200;

/** The first sentence of the page's first paragraph, as plain text; of a page that begins with a list, its headings. */
export function summaryOf(text: string): string {
  const paragraphs = outsideFences(text, (part) => part).split(/\n{2,}/);
  const first = paragraphs.find((paragraph) => /^[\p{L}`"“*[]/u.test(paragraph) && !/^[*-] /.test(paragraph)) ?? '';
  if (first === '') return [...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => plainText(heading)).join(' · ');
  const plain = plainText(first).replaceAll(/\s+/g, ' ').trim();
  const [sentence = plain] = /^.*?[.!?](?=\s+[\p{Lu}`"“]|$)/u.exec(plain) ?? [];
  return sentence.length <= ENOUGH ? sentence : `${sentence.slice(0, sentence.lastIndexOf(' ', ENOUGH))} …`;
}

function plainText(markdown: string): string {
  return replaceLinks(markdown, ({ text }) => text)
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('**', '')
    .replaceAll('`', '')
    .trim();
}

/** The anchor of a heading, as GitHub makes it: the documents are read there, too. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

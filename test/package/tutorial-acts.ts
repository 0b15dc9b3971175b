import { type Block, blocksOf, type Document } from '../helpers/documents.ts';

/** What somebody does who follows the tutorial, in its order. */
export type Act = { line: number } & (
  | { kind: 'block'; block: Block }
  /** A name in bold is clicked, where it stands beside a text: in its row. */
  | { kind: 'click'; name: string; beside: string | null }
  /** A text in italics is seen. */
  | { kind: 'see'; text: string }
  /** A window of another person is opened by the link that is shown, or closed. */
  | { kind: 'other window'; isOpened: boolean }
);

export function actsOf(document: Document): readonly Act[] {
  const blocks = blocksOf(document);
  const acts: Act[] = blocks.map((block) => ({ kind: 'block', line: block.line, block }));
  const inBlock = (n: number): boolean => blocks.some(({ line, text }) => n >= line - 1 && n <= line + text.split('\n').length);
  for (const [n, text] of document.text.split('\n').entries()) {
    if (inBlock(n + 1) || /^#/.test(text)) continue;
    acts.push(...actsOfLine(text, n + 1));
  }
  return acts.toSorted((a, b) => a.line - b.line);
}

function actsOfLine(text: string, line: number): readonly Act[] {
  const acts: Act[] = [];
  for (const { 1: bold, 2: seen, 3: opened, 4: closed, index } of text.matchAll(
    /\*\*(.+?)\*\*|\*([^*]+)\*|(open the link .*private window)|(Close the private window)/g,
  )) {
    const [, beside = null] = /[Bb]eside \*([^*]+)\*, click $/.exec(text.slice(0, index)) ?? [];
    if (bold !== undefined) acts.push({ kind: 'click', line, name: bold, beside });
    else if (seen !== undefined) acts.push({ kind: 'see', line, text: seen });
    else acts.push({ kind: 'other window', line, isOpened: opened !== undefined && closed === undefined });
  }
  return acts;
}

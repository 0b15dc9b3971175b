import { highlightTree, tagHighlighter } from '@lezer/highlight';
import { parser } from '@lezer/javascript';
import { CODE, codeIn, STRING } from '../../contract/source-text.ts';
import { tokens } from './tokens.ts';

/** A stretch of a source with a look of its own; they come in their order and do not overlap. */
export type Colour = { from: number; to: number; className: string };

/** A longer source is shown without colours: they would cost more than they help. */
const COLOURED_MAX = 200_000;

const typescript = parser.configure({ dialect: 'ts' });
const highlighter = tagHighlighter(tokens);

/**
 * How a source is coloured, by the parser of the editor. What a script runs never gets the look of a text or a comment: where the parser
 * reads it as one, and the scanner that finds what is not as it looks does not, it stays plain.
 */
export function coloursOf(source: string): Colour[] {
  if (source.length > COLOURED_MAX) return [];
  const kinds = codeIn(source);
  const found: Colour[] = [];
  highlightTree(typescript.parse(source), highlighter, (from, to, className) => {
    if (isAsItRuns(kinds, from, to, className)) found.push({ from, to, className });
  });
  return found;
}

function isAsItRuns(kinds: Uint8Array, from: number, to: number, className: string): boolean {
  const isText = className === 'token-text';
  if (!isText && className !== 'token-comment') return true;
  const own = kinds.subarray(from, to);
  // A regular expression has the look of a text, and is none that hides anything.
  return isText ? own.every((kind) => kind !== CODE) : own.every((kind) => kind !== CODE && kind !== STRING);
}

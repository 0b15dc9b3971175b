import type { LogChunk } from './feed.ts';

/** A place in a log: a chunk, and from where to where in its text. */
export type Spot = { chunk: number; from: number; to: number };

type Shown = { index: number; node: Text; chunk: LogChunk };
type Marks = { hits: readonly (readonly number[])[]; length: number; now: Spot | null; line: Spot | null };

const NAMES = ['log-quiet', 'log-line', 'log-hit', 'log-now'] as const;

/** Colours parts of the text without any element for them; only in the chunks that are in view. */
export function paintHighlights(shown: readonly Shown[], { hits, length, now, line }: Marks): void {
  if (!('highlights' in CSS)) return;
  const ranges: Record<(typeof NAMES)[number], StaticRange[]> = { 'log-quiet': [], 'log-line': [], 'log-hit': [], 'log-now': [] };
  for (const { index, node, chunk } of shown) {
    for (const quiet of chunk.quiet) {
      const from = chunk.starts[quiet] ?? 0;
      ranges['log-quiet'].push(rangeOf(node, from, chunk.starts[quiet + 1] ?? chunk.text.length));
    }
    for (const from of hits[index] ?? []) ranges['log-hit'].push(rangeOf(node, from, from + length));
    if (line?.chunk === index) ranges['log-line'].push(rangeOf(node, line.from, line.to));
    if (now?.chunk === index) ranges['log-now'].push(rangeOf(node, now.from, now.to));
  }
  for (const [priority, name] of NAMES.entries()) {
    const highlight = new Highlight(...ranges[name]);
    highlight.priority = priority;
    CSS.highlights.set(name, highlight);
  }
}

function rangeOf(node: Text, from: number, to: number): StaticRange {
  const start = Math.min(from, node.length);
  return new StaticRange({ startContainer: node, startOffset: start, endContainer: node, endOffset: Math.min(to, node.length) });
}

import { CHUNK_LINES, type LogChunk, type RunFeed, rowsOf } from './feed.ts';
import { paintHighlights, type Spot } from './highlights.ts';

/** The height of a row, as in page.css: what is not drawn yet takes its place by it. */
const ROW_PX = 18;
const NEAR_END_PX = 24;

/** How long new lines may wait for their times, so that a log that grows does not ask for them all the time. */
const TIMES_EVERY_MS = 2000;

type Drawn = { element: HTMLElement; gutter: HTMLElement; node: Text; times: string[]; asked: number };

export type LogView = {
  /** Draws what has come since; the end stays in view while it is followed. */
  draw(): void;
  follow(on: boolean): void;
  /** Marks a place and brings it into view. */
  show(spot: Spot | null): void;
  /** Marks a whole line. */
  showLine(line: number | undefined): void;
  mark(hits: readonly (readonly number[])[], length: number): void;
  close(): void;
};

type Options = {
  onLeaveEnd(): void;
  onLine(line: number): void;
  /** The times of the lines after one, as they are shown. */
  timesAfter(line: number, limit: number): Promise<string[]>;
};

/**
 * Draws a log in chunks of one text node each, of which the browser lays out only those in view. So its own find, select and copy
 * work, and 100,000 lines stay quick. The numbers beside the lines are generated content, which is neither found nor copied.
 */
export function mountLog(box: HTMLElement, feed: RunFeed, { onLeaveEnd, onLine, timesAfter }: Options): LogView {
  const drawn: Drawn[] = [];
  const inView = new Set<number>();
  const marks = { hits: [] as readonly (readonly number[])[], length: 0, now: null as Spot | null, line: null as Spot | null };
  let isFollowing = false;
  let lastTop = 0;
  let digits = 0;
  let lookAgain: ReturnType<typeof setTimeout> | undefined;

  const paint = (): void =>
    paintHighlights(
      [...inView].flatMap((index) => {
        const chunk = feed.chunks[index];
        const node = drawn[index]?.node;
        return chunk && node ? [{ index, node, chunk }] : [];
      }),
      marks,
    );

  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const index = Number(target instanceof HTMLElement ? target.dataset['chunk'] : 0);
        if (isIntersecting) inView.add(index);
        else inView.delete(index);
      }
      paint();
      loadTimes();
    },
    { root: box, rootMargin: '400px' },
  );

  function onScroll(): void {
    const isUp = box.scrollTop < lastTop;
    lastTop = box.scrollTop;
    if (isFollowing && isUp && box.scrollHeight - box.clientHeight - box.scrollTop > NEAR_END_PX) onLeaveEnd();
  }
  function onClick({ target, clientY }: MouseEvent): void {
    const one = drawn.findIndex(({ gutter }) => gutter === target);
    const chunk = feed.chunks[one];
    const gutter = drawn[one]?.gutter;
    if (chunk && gutter) onLine(lineAtRow(chunk, Math.floor((clientY - gutter.getBoundingClientRect().top) / ROW_PX)));
  }
  box.addEventListener('scroll', onScroll, { passive: true });
  box.addEventListener('click', onClick);

  function draw(): void {
    for (let index = Math.max(0, drawn.length - 1); index < feed.chunks.length; index += 1) {
      const chunk = feed.chunks[index];
      if (chunk) drawChunk(index, chunk);
    }
    const needed = String(feed.last).length;
    if (needed !== digits) box.style.setProperty('--digits', String(needed));
    digits = needed;
    if (isFollowing) toEnd();
    paint();
    loadTimes();
  }

  /** The stream brings no times; those of the lines in view are read beside it. */
  function loadTimes(): void {
    for (const index of inView) {
      const one = drawn[index];
      const chunk = feed.chunks[index];
      if (!one || !chunk || one.times.length >= chunk.numbers.length) continue;
      const waitMs = one.asked + TIMES_EVERY_MS - performance.now();
      if (waitMs <= 0) void readTimes(one, chunk);
      // After the last lines nothing else would ask for their times.
      else lookAgain ??= setTimeout(look, waitMs);
    }
  }

  function look(): void {
    lookAgain = undefined;
    loadTimes();
  }

  async function readTimes(one: Drawn, chunk: LogChunk): Promise<void> {
    one.asked = performance.now();
    const known = one.times.length;
    const before = chunk.numbers[known];
    if (before === undefined) return;
    try {
      const times = await timesAfter(before - 1, CHUNK_LINES - known);
      if (one.times.length !== known) return;
      one.times.push(...times);
      one.gutter.dataset['numbers'] = gutterText(chunk, one.times);
      // Lines that came while their times were on the way.
      loadTimes();
    } catch {
      // The numbers stand there without times; the next look at these lines asks again.
    }
  }

  function drawChunk(index: number, chunk: LogChunk): void {
    let one = drawn[index];
    if (!one) {
      one = emptyChunk(index);
      drawn[index] = one;
      box.append(one.element);
      watcher.observe(one.element);
    }
    if (one.node.length === chunk.text.length) return;
    // Added to the node rather than set anew, so that a selection stays.
    one.node.appendData(chunk.text.slice(one.node.length));
    one.gutter.dataset['numbers'] = gutterText(chunk, one.times);
    one.element.style.containIntrinsicBlockSize = `auto ${chunk.rows * ROW_PX}px`;
  }

  function toEnd(): void {
    box.scrollTop = box.scrollHeight;
    lastTop = box.scrollTop;
  }

  /** What is far away has an estimated height where lines are broken, so the place is corrected once it is drawn. */
  function bring(spot: Spot): void {
    scrollTo(spot);
    requestAnimationFrame(() => scrollTo(spot));
  }

  function scrollTo({ chunk, from, to }: Spot): void {
    const node = drawn[chunk]?.node;
    if (!node) return;
    const range = document.createRange();
    range.setStart(node, Math.min(from, node.length));
    range.setEnd(node, Math.min(to, node.length));
    const { top, left, right } = range.getBoundingClientRect();
    const frame = box.getBoundingClientRect();
    box.scrollTop += top - frame.top - box.clientHeight / 3;
    if (left < frame.left || right > frame.right) box.scrollLeft += left - frame.left - box.clientWidth / 2;
    lastTop = box.scrollTop;
  }

  return {
    draw,
    follow(on) {
      isFollowing = on;
      if (on) toEnd();
    },
    show(spot) {
      marks.now = spot;
      if (spot) bring(spot);
      paint();
    },
    showLine(line) {
      marks.line = line === undefined ? null : spotOfLine(feed, line);
      if (marks.line) bring(marks.line);
      paint();
    },
    mark(hits, length) {
      marks.hits = hits;
      marks.length = length;
      paint();
    },
    close() {
      clearTimeout(lookAgain);
      watcher.disconnect();
      box.removeEventListener('scroll', onScroll);
      box.removeEventListener('click', onClick);
      box.replaceChildren();
      paintHighlights([], marks);
    },
  };
}

function emptyChunk(index: number): Drawn {
  const element = document.createElement('div');
  element.className = 'log-chunk';
  element.dataset['chunk'] = String(index);
  const gutter = document.createElement('div');
  gutter.className = 'log-gutter';
  gutter.ariaHidden = 'true';
  const text = document.createElement('pre');
  const node = document.createTextNode('');
  text.append(node);
  element.append(gutter, text);
  return { element, gutter, node, times: [], asked: Number.NEGATIVE_INFINITY };
}

/** The times and numbers of the lines, each on the row where its line begins. Within a chunk all times are in one column, and so are the numbers' last digits. */
function gutterText(chunk: LogChunk, times: readonly string[]): string {
  const digits = String(chunk.numbers.at(-1) ?? 0).length;
  return chunk.numbers
    .map((number, index) => `${times[index] ?? ''}  ${String(number).padStart(digits)}${'\n'.repeat(rowsOf(lineText(chunk, index)))}`)
    .join('');
}

/** The text of a line without its end. */
export function lineText({ text, starts }: LogChunk, index: number): string {
  return text.slice(starts[index], (starts[index + 1] ?? text.length) - 1);
}

function lineAtRow(chunk: LogChunk, row: number): number {
  let rows = 0;
  for (const [index, number] of chunk.numbers.entries()) {
    rows += rowsOf(lineText(chunk, index));
    if (row < rows) return number;
  }
  return chunk.numbers.at(-1) ?? 0;
}

export function spotOfLine({ chunks }: RunFeed, line: number): Spot | null {
  for (const [chunk, { numbers, starts, text }] of chunks.entries()) {
    if ((numbers.at(-1) ?? 0) < line) continue;
    const index = numbers.findIndex((number) => number >= line);
    return { chunk, from: starts[index] ?? 0, to: (starts[index + 1] ?? text.length) - 1 };
  }
  return null;
}

/** The number of the line that a place is in. */
export function lineOfSpot({ chunks }: RunFeed, { chunk: at, from }: Spot): number | undefined {
  const chunk = chunks[at];
  return chunk?.numbers[chunk.starts.findLastIndex((start) => start <= from)];
}

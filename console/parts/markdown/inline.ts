/** Inline Markdown: emphasis, code, links and line breaks. What is no such thing is text, HTML too. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'break' }
  | { kind: 'strong' | 'emphasis' | 'struck'; of: Inline[]; depth: number }
  | { kind: 'link'; href: string; of: Inline[]; depth: number };

/** How many nodes a document may still have; a hostile one has as many as it has characters. */
export type Room = { nodes: number };

const DEPTH_MAX = 12;
const LINK_MAX = 2000;
const PUNCTUATION = /[!-/:-@[-`{-~]/;
const AUTOLINK = new RegExp(`<(https?://[^\\s<>]{1,${LINK_MAX}})>`, 'iy');
const ADDRESS = new RegExp(`https?://[^\\s<>"'\`|\\\\]{1,${LINK_MAX}}`, 'iy');
const TARGET = new RegExp(
  `\\([ \\t]{0,9}(?:<([^<>\\n]{0,${LINK_MAX}})>|([^\\s()<>]{0,${LINK_MAX}}(?:\\([^\\s()<>]{0,500}\\)[^\\s()<>]{0,500})?))(?:\\s{1,9}(?:"[^"]{0,500}"|'[^']{0,500}'))?\\s{0,9}\\)`,
  'y',
);

/** A mark that may begin something: the index of its text in `out`, and how many of its characters are left. */
type Opener = { mark: '*' | '_' | '~'; left: number; at: number };
type State = {
  text: string;
  out: Inline[];
  /** Text that is no node yet. */
  held: string;
  openers: Opener[];
  /** How many openers there are of each mark, so that a mark without one costs nothing. */
  counts: Record<Opener['mark'], number>;
  /** The indexes of `[` in `out`. */
  brackets: number[];
  ticks: Ticks;
  room: Room;
};

/** Reads a text in one pass: each mark is put on a stack and taken off it once, so the time grows with the length alone. */
export function parseInline(text: string, room: Room): Inline[] {
  const state: State = {
    ...{ text, out: [], held: '', openers: [], counts: { '*': 0, _: 0, '~': 0 }, brackets: [], ticks: ticksOf(text), room },
  };
  let at = 0;
  while (at < text.length) {
    if (room.nodes <= 0) {
      state.held += text.slice(at);
      break;
    }
    at = step(state, at);
  }
  flush(state);
  return state.out.filter((one) => one.kind !== 'text' || one.text !== '');
}

/** Takes what begins at a place; returns where it ends. */
function step(state: State, at: number): number {
  const { text } = state;
  const char = text.charAt(at);
  switch (char) {
    case '\\':
      return escaped(state, at);
    case '`':
      return code(state, at);
    case '\n':
      return lineEnd(state, at);
    case '*':
    case '_':
    case '~':
      return marks(state, at, char);
    case '!':
      // A picture is a link to it: the page loads nothing from elsewhere.
      if (text[at + 1] !== '[') break;
      return opened(state, at, 2);
    case '[':
      return opened(state, at, 1);
    case ']':
      return closed(state, at);
    case '<': {
      const found = matchAt(AUTOLINK, text, at);
      if (!found?.[1]) break;
      link(state, found[1], found[1]);
      return at + found[0].length;
    }
    case 'h':
    case 'H': {
      if (/\w/.test(text.charAt(at - 1))) break;
      const found = matchAt(ADDRESS, text, at);
      if (!found) break;
      const address = withoutEnd(found[0]);
      link(state, address, address);
      return at + address.length;
    }
  }
  state.held += char;
  return at + 1;
}

function escaped(state: State, at: number): number {
  const next = state.text.charAt(at + 1);
  if (next === '\n') {
    push(state, { kind: 'break' });
    return at + 2;
  }
  const isEscape = PUNCTUATION.test(next);
  state.held += isEscape ? next : '\\';
  return at + (isEscape ? 2 : 1);
}

function lineEnd(state: State, at: number): number {
  if (state.text.slice(Math.max(0, at - 2), at) === '  ') push(state, { kind: 'break' });
  else state.held += ' ';
  return at + 1;
}

/** Where the runs of backticks of each length begin, in their order. */
type Ticks = { lengths: Map<number, number[]>; next: Map<number, number> };

function ticksOf(text: string): Ticks {
  const lengths = new Map<number, number[]>();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const places = lengths.get(run.length) ?? [];
    places.push(index);
    lengths.set(run.length, places);
  }
  return { lengths, next: new Map() };
}

function code(state: State, at: number): number {
  const { text, ticks } = state;
  let end = at;
  while (text[end] === '`') end += 1;
  const length = end - at;
  const places = ticks.lengths.get(length) ?? [];
  let next = ticks.next.get(length) ?? 0;
  while (next < places.length && (places[next] ?? 0) < end) next += 1;
  ticks.next.set(length, next);
  const close = places[next];
  if (close === undefined) {
    state.held += text.slice(at, end);
    return end;
  }
  const inner = text.slice(end, close).replaceAll('\n', ' ');
  const isPadded = inner.startsWith(' ') && inner.endsWith(' ') && inner.trim() !== '';
  push(state, { kind: 'code', text: isPadded ? inner.slice(1, -1) : inner });
  return close + length;
}

function opened(state: State, at: number, length: number): number {
  flush(state);
  state.brackets.push(state.out.length);
  state.out.push({ kind: 'text', text: state.text.slice(at, at + length) });
  state.room.nodes -= 1;
  return at + length;
}

function closed(state: State, at: number): number {
  const start = state.brackets.pop();
  const target = start === undefined ? null : matchAt(TARGET, state.text, at + 1);
  if (start === undefined || !target) {
    state.held += ']';
    return at + 1;
  }
  flush(state);
  dropOpeners(state, start);
  const of = state.out.splice(start).slice(1);
  const href = hrefOf(target[1] ?? target[2] ?? '');
  const depth = depthOf(of);
  if (href === null || depth >= DEPTH_MAX) state.out.push(...of);
  else {
    state.out.push({ kind: 'link', href, of: of.length > 0 ? of : [{ kind: 'text', text: href }], depth: depth + 1 });
    // No link is in a link.
    state.brackets = [];
  }
  return at + 1 + target[0].length;
}

/** `*`, `_` and `~~`: closes what is open as far as that goes, else opens. */
function marks(state: State, at: number, mark: Opener['mark']): number {
  const { text } = state;
  let end = at;
  while (text[end] === mark) end += 1;
  const [before, after] = [text.charAt(at - 1), text.charAt(end)];
  const isInWord = mark === '_' && /\w/.test(before) && /\w/.test(after);
  const canClose = before.trim() !== '' && !isInWord && !(mark === '_' && /\w/.test(after));
  const canOpen = after.trim() !== '' && !isInWord && !(mark === '_' && /\w/.test(before));
  let left = end - at;
  if (mark === '~' && left < 2) {
    state.held += '~';
    return end;
  }
  for (let taken = 1; canClose && left > 0 && taken > 0; left -= taken) taken = close(state, mark, left);
  if (left === 0) return end;
  if (!canOpen || (mark === '~' && left < 2)) {
    state.held += mark.repeat(left);
    return end;
  }
  flush(state);
  state.openers.push({ mark, left, at: state.out.length });
  state.counts[mark] += 1;
  state.out.push({ kind: 'text', text: mark.repeat(left) });
  state.room.nodes -= 1;
  return end;
}

/** Ends the last open mark of this kind; returns how many characters of the closing marks that took, 0 if nothing was open. */
function close(state: State, mark: Opener['mark'], left: number): number {
  if (state.counts[mark] === 0 || (mark === '~' && left < 2)) return 0;
  let opener = state.openers.at(-1);
  // What was opened after it and is still open is text.
  for (; opener && opener.mark !== mark; opener = state.openers.at(-1)) dropOpeners(state, opener.at - 1);
  if (!opener) return 0;
  flush(state);
  const taken = mark === '~' ? 2 : Math.min(2, opener.left, left);
  const of = state.out.splice(opener.at + 1);
  const depth = depthOf(of);
  while ((state.brackets.at(-1) ?? -1) > opener.at) state.brackets.pop();
  if (depth >= DEPTH_MAX || of.length === 0) {
    state.out.push(...of);
    dropOpeners(state, opener.at - 1);
    return 0;
  }
  opener.left -= taken;
  state.out[opener.at] = { kind: 'text', text: mark.repeat(opener.left) };
  state.out.push({ kind: mark === '~' ? 'struck' : taken === 2 ? 'strong' : 'emphasis', of, depth: depth + 1 });
  state.room.nodes -= 1;
  if (opener.left === 0 || (mark === '~' && opener.left < 2)) dropOpeners(state, opener.at - 1);
  return taken;
}

/** Forgets what was opened behind this index of `out`. */
function dropOpeners({ openers, counts }: State, after: number): void {
  for (let last = openers.at(-1); last && last.at > after; last = openers.at(-1)) {
    counts[last.mark] -= 1;
    openers.pop();
  }
}

function depthOf(nodes: readonly Inline[]): number {
  return nodes.reduce((deepest, one) => Math.max(deepest, 'depth' in one ? one.depth : 0), 0);
}

function link(state: State, href: string, words: string): void {
  push(state, { kind: 'link', href, of: [{ kind: 'text', text: words }], depth: 1 });
}

function push(state: State, node: Inline): void {
  flush(state);
  state.out.push(node);
  state.room.nodes -= 1;
}

function flush(state: State): void {
  if (state.held === '') return;
  state.out.push({ kind: 'text', text: state.held });
  state.held = '';
  state.room.nodes -= 1;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** An address in a sentence ends before the sentence's punctuation. */
function withoutEnd(address: string): string {
  return address.replace(/[.,;:!?)\]*_~]{1,50}$/, '');
}

/** Where a link may lead: an address of the web, or a page of this console; null: nowhere. */
export function hrefOf(target: string): string | null {
  if (/[\p{Cc}\s\\]/u.test(target)) return null;
  if (/^\/(?!\/)/.test(target)) return target;
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return null;
  return target;
}

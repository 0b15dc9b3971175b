/** The source of a page as a tree of places in it: HTML, and Liquid, which comes first because it is carried out before there is HTML. */

export type Reason = 'liquid' | 'tag' | 'name' | 'unclosed' | 'stray' | 'script' | 'head' | 'deep';

const DEPTH_MAX = 60;

/** Why a source cannot be shown as a text, and where. */
export class Unreadable extends Error {
  readonly reason: Reason;
  readonly at: number;
  readonly what: string;
  constructor(reason: Reason, at: number, what = '') {
    super(`${reason} at ${at}: ${what}`);
    this.reason = reason;
    this.at = at;
    this.what = what;
  }
}

export type Attribute = { name: string; from: number; to: number; value: string | null };

/** `from` and `to` are places in the source, of an element with its tags; `opened` is the end of its first tag, `inner` that of its content. */
export type Markup =
  | { kind: 'text' | 'comment'; from: number; to: number }
  /** `tag`: its name; null: an output. */
  | { kind: 'liquid'; from: number; to: number; tag: string | null }
  /** `children` is null where the content is not looked into. */
  | { kind: 'element'; from: number; to: number; name: string; opened: number; inner: number; children: Markup[] | null };
export type Element = Extract<Markup, { kind: 'element' }>;

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const VOID = words('area base br col embed hr img input link meta param source track wbr');
/** Elements whose content is text for a browser. */
export const RAW = words('script style textarea title iframe noscript noembed noframes xmp plaintext');
/** Elements that are taken as a whole, with what is in them. */
const WHOLE = words(
  'form select option button object video audio picture canvas svg math template details dialog dl dd dt ruby label map marquee frameset ' +
    'colgroup caption optgroup datalist fieldset legend menu slot head html body',
);
const FOREIGN = words('svg math');

/** The end of the Liquid that begins at this place, as the server reads it; null: none begins there. */
export function liquidEnd(source: string, from: number): number | null {
  if (source[from] !== '{') return null;
  if (source[from + 1] === '{') return outputEnd(source, from);
  if (source[from + 1] !== '%') return null;
  const end = source.indexOf('%}', from + 1);
  if (end < 0) throw new Unreadable('liquid', from);
  const name = liquidTag(source.slice(from, end));
  if (name === 'raw') return endOfRaw(source, from, end + 2);
  return name === 'comment' ? endOfComment(source, from, end + 2) : end + 2;
}

export function liquidTag(source: string): string {
  return /^\{%-?\s*([\w#]+)/.exec(source)?.[1] ?? '';
}

function outputEnd(source: string, from: number): number {
  let quote = '';
  for (let at = from + 2; at < source.length; at += 1) {
    const one = source[at] ?? '';
    if (quote !== '') {
      if (one === '\\') at += 1;
      else if (one === quote) quote = '';
    } else if (one === '"' || one === "'") quote = one;
    else if (one === '}' && source[at + 1] === '}') return at + 2;
  }
  throw new Unreadable('liquid', from);
}

function endOfRaw(source: string, from: number, at: number): number {
  const ending = /\{%-?\s*endraw\s*-?%\}/g;
  ending.lastIndex = at;
  if (ending.exec(source) === null) throw new Unreadable('liquid', from);
  return ending.lastIndex;
}

function endOfComment(source: string, from: number, start: number): number {
  for (let at = source.indexOf('{', start); at >= 0; at = source.indexOf('{', at)) {
    const end = liquidEnd(source, at);
    if (end === null) at += 1;
    else {
      if (liquidTag(source.slice(at, end)) === 'endcomment') return end;
      at = end;
    }
  }
  throw new Unreadable('liquid', from);
}

const isSpace = (one: string | undefined): boolean => one !== undefined && /[\t\n\f\r ]/.test(one);

export type Tag = { name: string; to: number; isClosed: boolean; attributes: Attribute[] };

/** Reads the tag that begins at `from` with its attributes, in which Liquid may stand anywhere. */
export function readTag(source: string, from: number): Tag {
  let at = from + 1;
  const broken = (): Unreadable => new Unreadable('tag', from);
  const skip = (isEnd: (one: string) => boolean): void => {
    while (at < source.length && !isEnd(source[at] ?? '')) at = liquidEnd(source, at) ?? at + 1;
    if (at >= source.length) throw broken();
  };
  while (at < source.length && !/[\s/>]/.test(source[at] ?? '')) at += 1;
  const name = source.slice(from + 1, at).toLowerCase();
  if (!/^[a-z][a-z0-9:-]*$/.test(name)) throw new Unreadable('name', from, name);
  const attributes: Attribute[] = [];
  for (;;) {
    skip((one) => !isSpace(one) && one !== '/');
    if (source[at] === '>') return { name, to: at + 1, isClosed: source[at - 1] === '/', attributes };
    const start = at;
    at = liquidEnd(source, at) ?? at + 1;
    skip((one) => isSpace(one) || one === '/' || one === '>' || one === '=');
    const attribute: Attribute = { name: source.slice(start, at).toLowerCase(), from: start, to: at, value: null };
    const named = at;
    skip((one) => !isSpace(one));
    if (source[at] !== '=') at = named;
    else {
      at += 1;
      skip((one) => !isSpace(one));
      const quote = source[at] ?? '';
      const isQuoted = quote === '"' || quote === "'";
      if (isQuoted) at += 1;
      const begun = at;
      skip((one) => (isQuoted ? one === quote : isSpace(one) || one === '>'));
      attribute.value = source.slice(begun, at);
      if (isQuoted) at += 1;
      attribute.to = at;
    }
    attributes.push(attribute);
  }
}

/** The tree of a source. What is not well-formed is refused, because a browser would make something else of it than it seems to be. */
export function readMarkup(source: string, from: number, end: number): Markup[] {
  let at = from;
  let depth = 0;
  return nodes(null);

  function nodes(parent: { name: string; from: number } | null): Markup[] {
    const found: Markup[] = [];
    let text = at;
    const flush = (to: number): void => {
      if (to > text) found.push({ kind: 'text', from: text, to });
    };
    while (at < end) {
      const start = at;
      const next = source[at] === '{' || source[at] === '<' ? readNode() : null;
      if (next === null) at += 1;
      else {
        flush(start);
        if (next === 'close') {
          if (parent === null || closingName() !== parent.name) throw new Unreadable('stray', at, closingName());
          return found;
        }
        found.push(next);
        at = next.to;
        text = at;
      }
    }
    if (parent !== null) throw new Unreadable('unclosed', parent.from, parent.name);
    flush(at);
    return found;
  }

  function readNode(): Markup | 'close' | null {
    const liquid = liquidEnd(source, at);
    if (liquid !== null) {
      const tag = source[at + 1] === '%' ? liquidTag(source.slice(at, liquid)) : null;
      return { kind: 'liquid', from: at, to: liquid, tag };
    }
    if (source[at] !== '<') return null;
    const next = source[at + 1] ?? '';
    if (next === '{' && liquidEnd(source, at + 1) !== null) throw new Unreadable('name', at);
    if (next === '!' || next === '?') return { kind: 'comment', from: at, to: commentEnd(source, at) };
    if (next === '/') {
      if (!/[a-z]/i.test(source[at + 2] ?? '')) throw new Unreadable('tag', at);
      return 'close';
    }
    return /[a-z]/i.test(next) ? readElement() : null;
  }

  function closingName(): string {
    return /^<\/([^\s/>]*)\s*>/.exec(source.slice(at, at + 100))?.[1]?.toLowerCase() ?? '';
  }

  function readElement(): Element {
    const start = at;
    const { name, to: opened, isClosed } = readTag(source, at);
    const whole = (inner: number, to: number): Element => ({ kind: 'element', from: start, to, name, opened, inner, children: null });
    if (VOID.has(name) || (isClosed && FOREIGN.has(name))) return whole(opened, opened);
    if (RAW.has(name)) return whole(...rawEnd(source, start, opened, name));
    if (WHOLE.has(name) || name.includes('-') || name.includes(':')) return whole(...wholeEnd(source, start, opened, name));
    at = opened;
    depth += 1;
    if (depth > DEPTH_MAX) throw new Unreadable('deep', start);
    const children = nodes({ name, from: start });
    depth -= 1;
    const inner = at;
    at = source.indexOf('>', at) + 1;
    return { kind: 'element', from: start, to: at, name, opened, inner, children };
  }
}

/** Where a comment ends, or what a browser takes for one; Liquid in it may contain its end. */
export function commentEnd(source: string, from: number): number {
  const isComment = source.startsWith('<!--', from);
  const empty = isComment ? /^<!--(-?>)/.exec(source.slice(from, from + 6)) : null;
  if (empty) return from + empty[0].length;
  for (let at = from + (isComment ? 4 : 2); at < source.length; at = liquidEnd(source, at) ?? at + 1) {
    if (!isComment && source[at] === '>') return at + 1;
    if (isComment && source.startsWith('-->', at)) return at + 3;
    if (isComment && source.startsWith('--!>', at)) return at + 4;
  }
  throw new Unreadable('tag', from);
}

/** The end of the content, and of the element. */
export function rawEnd(source: string, from: number, opened: number, name: string): [number, number] {
  const ending = new RegExp(`^</${name}[\\s/>]`, 'i');
  for (let at = opened; at < source.length; at = liquidEnd(source, at) ?? at + 1) {
    if (source[at] !== '<' || !ending.test(source.slice(at, at + name.length + 3))) continue;
    const inside = source.slice(opened, at);
    // Within a comment in a script, a browser may go beyond this end.
    if (name === 'script' && inside.includes('<!--')) throw new Unreadable('script', from, name);
    const to = source.indexOf('>', at) + 1;
    if (to > 0) return [at, to];
  }
  throw new Unreadable('unclosed', from, name);
}

/** The end of an element in which others may be left open, by counting those of its name. */
function wholeEnd(source: string, from: number, opened: number, name: string): [number, number] {
  let depth = 1;
  for (let at = opened; at < source.length; ) {
    const liquid = liquidEnd(source, at);
    if (liquid !== null || source[at] !== '<') at = liquid ?? at + 1;
    else if (/^<[!?]/.test(source.slice(at, at + 2))) at = commentEnd(source, at);
    else if (/^<[a-z]/i.test(source.slice(at, at + 2))) {
      const tag = readTag(source, at);
      if (tag.name === name && !(tag.isClosed && FOREIGN.has(name))) depth += 1;
      at = RAW.has(tag.name) && !tag.isClosed ? rawEnd(source, at, tag.to, tag.name)[1] : tag.to;
    } else {
      const close = new RegExp(`^</${name}\\s*>`, 'i').exec(source.slice(at, at + name.length + 40));
      if (close) depth -= 1;
      if (close && depth === 0) return [at, at + close[0].length];
      at += 1;
    }
  }
  throw new Unreadable('unclosed', from, name);
}

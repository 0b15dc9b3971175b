import { readText } from './entities.ts';

/** HTML from elsewhere, as a tree: what is wrong in it is passed over, as a browser does. */
export type Loose = string | { name: string; attributes: ReadonlyMap<string, string>; children: Loose[] };
export type LooseElement = Exclude<Loose, string>;

const set = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const VOID = set('area base br col embed hr img input link meta param source track wbr');
const UNSEEN = set('script style title textarea iframe noscript xml');
const DEPTH_MAX = 200;

/** What an opening tag ends: a new item ends the one before, unless a list stands between them. */
const ENDS = new Map<string, [ended: ReadonlySet<string>, within: ReadonlySet<string>]>([
  ['li', [set('li p'), set('ul ol')]],
  ['p', [set('p'), set('li td th div blockquote table')]],
  ['td', [set('td th p li'), set('tr table')]],
  ['th', [set('td th p li'), set('tr table')]],
  ['tr', [set('tr td th p li'), set('table')]],
]);

const TAG = /^<(\/?)([a-z][\w:-]*)((?:"[^"]*"|'[^']*'|[^'">])*)>/i;
const ATTRIBUTE = /([^\s=/"'<>]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/g;

export function readLoose(html: string): Loose[] {
  const root: LooseElement = { name: '', attributes: new Map(), children: [] };
  const open: LooseElement[] = [root];
  const top = (): LooseElement => open.at(-1) ?? root;
  let at = 0;
  while (at < html.length) {
    const next = html.indexOf('<', at);
    const text = html.slice(at, next < 0 ? undefined : next);
    if (text !== '') top().children.push(plain(text));
    if (next < 0) break;
    at = next;
    const tag = TAG.exec(html.slice(at, at + 20_000));
    if (/^<[!?]/.test(html.slice(at, at + 2))) at = after(html, html.startsWith('<!--', at) ? '-->' : '>', at);
    else if (tag === null) {
      top().children.push('<');
      at += 1;
    } else {
      at += tag[0].length;
      at = take(tag[1] === '/', tag[2]?.toLowerCase() ?? '', tag[3] ?? '');
    }
  }
  return root.children;

  function take(isClose: boolean, name: string, more: string): number {
    if (isClose) {
      const known = open.findLastIndex((one) => one.name === name);
      if (known > 0) open.length = known;
      return at;
    }
    const [ended, within] = ENDS.get(name) ?? [];
    const barrier = open.findLastIndex((one) => within?.has(one.name) ?? false);
    const first = ended ? open.findIndex((one, place) => place > Math.max(0, barrier) && ended.has(one.name)) : -1;
    if (first > 0) open.length = first;
    const attributes = new Map(
      [...more.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key.toLowerCase(), plain(unquoted(value))]),
    );
    const element: LooseElement = { name, attributes, children: [] };
    if (UNSEEN.has(name)) return after(html, new RegExp(`</${name}\\s*>`, 'i'), at);
    if (open.length < DEPTH_MAX) top().children.push(element);
    if (!VOID.has(name) && !more.endsWith('/')) open.push(element);
    return at;
  }
}

const unquoted = (value: string): string => (/^["']/.test(value) ? value.slice(1, -1) : value);

const plain = (text: string): string =>
  readText(text)
    .map((part) => ('text' in part ? part.text : part.source))
    .join('');

function after(text: string, end: string | RegExp, from: number): number {
  if (typeof end === 'string') {
    const found = text.indexOf(end, from);
    return found < 0 ? text.length : found + end.length;
  }
  const found = end.exec(text.slice(from));
  return found ? from + found.index + found[0].length : text.length;
}

import { lookalikes } from './lookalikes.ts';

/** The words of a source that are taken for others (UTS #39). Ordinary words of any language are none of them. */
export function* wordFaults(source: string, isCode: (at: number) => boolean): Iterable<{ word: string; start: number; message: string }> {
  const all = [...source.matchAll(WORD)].map(({ 0: word, index }) => ({ word, start: index, isName: isCode(index) }));
  const skeletons = remembered(skeletonOf);
  // The first two names of each look: a third one is told by either.
  const names = new Map<string, string[]>();
  for (const { word, isName } of all) {
    if (!isName) continue;
    const skeleton = skeletons(word);
    const known = names.get(skeleton);
    if (!known) names.set(skeleton, [word]);
    else if (known.length < 2 && !known.includes(word)) known.push(word);
  }
  const inCode = remembered((word) => wrongName(word) ?? twin(word, names.get(skeletons(word)) ?? []) ?? wholeWord(word));
  const inText = remembered(disguise);
  for (const { word, start, isName } of all) {
    if (!FOREIGN.test(word)) continue;
    const message = isName ? inCode(word) : inText(word);
    if (message !== null) yield { word, start, message };
  }
}

/** A hostile source repeats itself a hundred thousand times. */
function remembered<T>(work: (word: string) => T): (word: string) => T {
  const known = new Map<string, T>();
  return (word) => {
    const found = known.get(word);
    if (found !== undefined) return found;
    const made = work(word);
    known.set(word, made);
    return made;
  };
}

const likeness = new Map(
  Object.entries(lookalikes).flatMap(([ascii, points]) =>
    points.split(' ').map((point) => [String.fromCodePoint(Number.parseInt(point, 16)), ascii]),
  ),
);
/** What Unicode writes alike within ASCII, as its table does. */
const ALIKE: Readonly<Record<string, string>> = { 1: 'l', I: 'l', 0: 'O', m: 'rn' };

/** What a character looks like: one of ASCII, or itself. */
function lookOf(character: string): string {
  if (character <= '\x7e') return character;
  const known = likeness.get(character);
  if (known !== undefined) return known;
  const compatible = character.normalize('NFKC');
  const look = /^[\x21-\x7e]+$/.test(compatible) ? compatible : character;
  likeness.set(character, look);
  return look;
}

/** Two words with one skeleton look alike (UTS #39). */
function skeletonOf(word: string): string {
  const plain = FOREIGN.test(word) ? Array.from(word.normalize('NFD'), lookOf).join('') : word;
  return plain.replace(/[1I0m]/g, (one) => ALIKE[one] ?? one);
}

const WORD = /(?:(?!\p{Default_Ignorable_Code_Point})[\p{ID_Continue}$])+/gu;
const FOREIGN = /[^\x21-\x7e]/;

/** A name in the code that no keyboard writes by chance. */
function wrongName(word: string): string | null {
  const scripts = scriptsOf(word);
  if (scripts.length > 1 && !together.some((set) => scripts.every((one) => set.includes(one)))) {
    return `${quoted(word)} mixes ${scripts.join(' and ')} letters${looks(word)}`;
  }
  const odd = Array.from(word).find((one) => FOREIGN.test(one) && isOdd(one, word));
  return odd === undefined ? null : `${quoted(word)} has ${codePoint(odd)}, which looks like ${quoted(lookOf(odd))}`;
}

/** A letter that looks like a sign of the language, in a name that is written in Latin letters; or a plain letter in a decorated form. */
function isOdd(character: string, word: string): boolean {
  const look = lookOf(character);
  if (look === character) return false;
  return /^[^\w$]+$/.test(look) ? /[A-Za-z]/.test(word) && !/^[ªº]$/.test(character) : /^[\x21-\x7e]+$/.test(character.normalize('NFKC'));
}

/** A name that looks like another one in the code. */
function twin(word: string, names: readonly string[]): string | null {
  const other = names.find((one) => one !== word);
  return other === undefined ? null : `${quoted(word)} looks like another name in the source, ${quoted(other)}`;
}

/** A name of at least two letters, all of another script, that looks as if it were written in ASCII. */
function wholeWord(word: string): string | null {
  const looked = Array.from(word, lookOf);
  if (looked.length < 2 || !looked.every((one) => /^[\w$]+$/.test(one)) || !looked.some((one) => /[A-Za-z]/.test(one))) return null;
  return `${quoted(word)} is not ${quoted(looked.join(''))}${looks(word)}`;
}

/** In a text, a Latin word in which letters of another script stand for Latin ones that look the same. */
function disguise(word: string): string | null {
  const strange = Array.from(word).filter(
    (one) => FOREIGN.test(one) && !/[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(one),
  );
  if (strange.length === 0 || !/[A-Za-z]/.test(word)) return null;
  const all = strange.every((one) => /^\w$/.test(lookOf(one)));
  return all ? `${quoted(word)} mixes ${scriptsOf(word).join(' and ')} letters${looks(word)}` : null;
}

function looks(word: string): string {
  const like = Array.from(word).find((one) => FOREIGN.test(one) && lookOf(one) !== one);
  return like === undefined ? '' : `: ${codePoint(like)} looks like ${quoted(lookOf(like))}`;
}

/** As Unicode writes it, such as `U+202E`. */
export function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

const QUOTED_MAX = 60;
const quoted = (text: string): string => `“${text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text}”`;

/** Scripts that one word may have together (UTS #39, “highly restrictive”). */
const together = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];
const SCRIPTS = [
  ...['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Hebrew', 'Arabic', 'Cherokee', 'Coptic', 'Georgian', 'Han', 'Hiragana', 'Katakana'],
  ...['Hangul', 'Bopomofo', 'Thai', 'Devanagari', 'Bengali', 'Lisu', 'Ethiopic', 'Khmer', 'Lao', 'Tamil', 'Telugu', 'Myanmar'],
];
const patterns = SCRIPTS.map((name) => ({ name, pattern: new RegExp(`\\p{Script=${name}}`, 'u') }));
const NO_SCRIPT = /[\p{Script=Common}\p{Script=Inherited}]/u;

const scripts = new Map<string, string | null>();

function scriptOf(character: string): string | null {
  if (character <= '\x7e') return /[A-Za-z]/.test(character) ? 'Latin' : null;
  const known = scripts.get(character);
  if (known !== undefined) return known;
  const found = NO_SCRIPT.test(character) ? null : (patterns.find(({ pattern }) => pattern.test(character))?.name ?? 'other');
  scripts.set(character, found);
  return found;
}

function scriptsOf(word: string): string[] {
  const found = new Set<string>();
  for (const character of word) {
    const script = scriptOf(character);
    if (script !== null) found.add(script);
  }
  return [...found];
}

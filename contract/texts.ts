/** Texts without case and marks, for searches and addresses. It imports nothing, so the console may load it. */

/** Letters that Unicode does not take apart, after `toUpperCase` (spec G20). */
const LETTERS: Readonly<Record<string, string>> = { Ł: 'L', Ø: 'O', Đ: 'D', Ð: 'D', Æ: 'AE', Œ: 'OE', ẞ: 'SS', Þ: 'TH' };

/** Text without case and marks, as searches compare it: `Łódź` is LODZ, `Lelièvre` LELIEVRE. */
export function withoutMarks(text: string): string {
  const bare = text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toUpperCase();
  return bare.replaceAll(/[ŁØĐÐÆŒẞÞ]/g, (letter) => LETTERS[letter] ?? letter);
}

const SLUG_MAX = 100;

/** German writes these letters as two where it lacks them. */
const GERMAN: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

/** A name as the part of an address: `Grüner Tee, 100 g` is `gruener-tee-100-g`. '' if it has no Latin letter or digit. */
export function slugOf(name: string, longest = SLUG_MAX): string {
  const german = name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[äöüß]/g, (letter) => GERMAN[letter] ?? letter);
  return withoutMarks(german)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, longest)
    .replace(/-$/, '');
}

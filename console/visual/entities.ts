/** Characters that HTML writes by their names. The names of those from 160 to 255 count without a semicolon, too. */

const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ' +
  'ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ' +
  'ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring ' +
  'aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc ' +
  'uuml yacute thorn yuml';
const OTHERS =
  'amp:& lt:< gt:> quot:" apos:\' ndash:– mdash:— lsquo:‘ rsquo:’ sbquo:‚ ldquo:“ rdquo:” bdquo:„ hellip:… bull:• euro:€ trade:™ larr:← ' +
  'rarr:→ harr:↔ minus:− lsaquo:‹ rsaquo:› dagger:† permil:‰ ensp:\u2002 emsp:\u2003 thinsp:\u2009';
const latin = LATIN.split(' ');
const named = new Map([
  ...latin.map((name, place): [string, string] => [name, String.fromCodePoint(160 + place)]),
  ...OTHERS.split(/ (?=\w+:)/).map((one): [string, string] => [one.slice(0, one.indexOf(':')), one.slice(one.indexOf(':') + 1)]),
]);
const bare = new RegExp(`^&(?:${[...latin, 'amp', 'lt', 'gt', 'quot', 'AMP', 'LT', 'GT', 'QUOT', 'COPY', 'REG'].join('|')})`);

/** A text in parts: what it says, and references that are not known here, which must stay as they are written. */
export function readText(source: string): ({ text: string } | { source: string })[] {
  const parts: ({ text: string } | { source: string })[] = [];
  let text = '';
  for (const part of source.split(/(&(?:#[xX]?[0-9a-fA-F]*|[a-zA-Z][a-zA-Z0-9]*);?)/)) {
    const read = part.startsWith('&') ? characterOf(part) : part;
    if (read !== null) text += read;
    else {
      if (text !== '') parts.push({ text });
      parts.push({ source: part });
      text = '';
    }
  }
  if (text !== '') parts.push({ text });
  return parts;
}

/** What a reference stands for; null: not known here. */
function characterOf(reference: string): string | null {
  const isEnded = reference.endsWith(';');
  const name = reference.slice(1, isEnded ? -1 : undefined);
  if (!name.startsWith('#')) {
    if (isEnded) return named.get(name) ?? null;
    return bare.test(reference) ? null : reference;
  }
  if (!isEnded) return name === '#' ? reference : null;
  const hex = /^#[xX]([0-9a-fA-F]{1,6})$/.exec(name)?.[1];
  const decimal = /^#([0-9]{1,7})$/.exec(name)?.[1];
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const isCharacter = (code > 32 && code < 127) || (code >= 160 && code < 0xd800) || (code > 0xdfff && code <= 0x10ffff);
  return isCharacter ? String.fromCodePoint(code) : null;
}

/** Characters that nobody would see in the source. */
const HIDDEN = /[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]/g;

/** A text as source; what looks like Liquid in it is only shown. */
export function writeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\u00a0', '&nbsp;')
    .replace(HIDDEN, (one) => `&#${one.codePointAt(0)};`)
    .replaceAll(/\{(?=[{%])/g, '&#123;');
}

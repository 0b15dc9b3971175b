/** Shorter pieces of a value's base64 form are not looked for: they would occur by chance. */
const PIECE_MIN = 8;

export type NamedValue = { name: string; value: string };

/**
 * Makes a function that puts `[secret:name]` in place of each secret in a text of somebody else: as it is, escaped as in JSON, encoded as
 * in URLs and forms, in base64 (also inside a longer one) and in hex.
 */
export function maskOf(secrets: readonly NamedValue[]): { mask(text: string): string; foundIn(text: string): string[] } {
  const forms = secrets.flatMap(({ name, value }) => [...formsOf(value)].map((form) => [form, `[secret:${name}]`] as const));
  // Longer forms first: one secret may be a part of another.
  forms.sort(([a], [b]) => b.length - a.length);
  if (forms.length === 0) return { mask: (text) => text, foundIn: () => [] };
  const names = new Map(forms.map(([form, shown]) => [form.toLowerCase(), shown]));
  const pattern = new RegExp(forms.map(([form]) => form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'gi');
  const mask = (text: string): string => text.replaceAll(pattern, (found) => names.get(found.toLowerCase()) ?? '[secret]');
  return { mask, foundIn: (text) => secrets.filter(({ value }) => mask(text) !== text && value !== '').map(({ name }) => name) };
}

/** A value as it stands in the path of an address: it may be several parts of it. */
export function pathFormOf(value: string): string {
  return encodeURIComponent(value).replaceAll('%2F', '/').replaceAll('%3A', ':');
}

function formsOf(value: string): Set<string> {
  const bytes = Buffer.from(value, 'utf8');
  const inUrl = encodeURIComponent(value);
  const quoted = JSON.stringify(value).slice(1, -1);
  const base64 = [0, 1, 2].flatMap((before) => piecesOf(bytes, before));
  return new Set([
    value,
    quoted,
    quoted.replaceAll('/', '\\/'),
    quoted.replaceAll(/[^\x20-\x7e]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
    inUrl,
    inUrl.replaceAll('%20', '+'),
    pathFormOf(value),
    new URLSearchParams([['', value]]).toString().slice(1),
    bytes.toString('hex'),
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
  ]);
}

/** The characters of a base64 text that depend on the value alone, where it follows `before` (mod 3) other bytes. */
function piecesOf(bytes: Buffer, before: number): string[] {
  const text = Buffer.concat([Buffer.alloc(before), bytes])
    .toString('base64')
    .replace(/=+$/, '');
  const whole = before === 0 ? [text] : [];
  const from = before === 0 ? 0 : before + 1;
  const rest = (before + bytes.length) % 3;
  const inner = text.slice(from, rest === 0 ? undefined : -1);
  return inner.length >= PIECE_MIN ? [...whole, inner] : whole;
}

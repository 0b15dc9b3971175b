/** Values as a reader sees them: JSON of a readable length, and no secret. */

const STRING_MOST = 140;
const LINES_MOST = 44;
const WIDTH = 88;

export type Shown = { text: string; isCut: boolean };

/** JSON with short values on one line; what is left out is marked by `…`. */
export function shownJson(value: unknown): Shown {
  let shown: Shown = { text: '', isCut: false };
  for (const most of [3, 2, 1]) {
    let isCut = false;
    const text = print(value, 0, most, () => {
      isCut = true;
    });
    shown = { text, isCut };
    if (text.split('\n').length <= LINES_MOST) return shown;
  }
  const lines = shown.text.split('\n');
  return { text: [...lines.slice(0, LINES_MOST), '…'].join('\n'), isCut: true };
}

function print(value: unknown, indent: number, most: number, cut: () => void): string {
  if (typeof value === 'string' && value.length > STRING_MOST) {
    cut();
    return JSON.stringify(`${value.slice(0, STRING_MOST)}…`);
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const short = JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');
  if (short.length + indent <= WIDTH && !isLong(value)) return short;
  const pad = ' '.repeat(indent + 2);
  const end = `\n${' '.repeat(indent)}`;
  if (Array.isArray(value)) {
    const first = value.slice(0, value.some((one) => typeof one === 'object') ? most : 8);
    const rows = first.map((one) => `${pad}${print(one, indent + 2, most, cut)}`);
    if (first.length < value.length) {
      cut();
      rows.push(`${pad}… ${value.length - first.length} more`);
    }
    return `[\n${rows.join(',\n')}${end}]`;
  }
  const rows = Object.entries(value).map(([name, one]) => `${pad}${JSON.stringify(name)}: ${print(one, indent + 2, most, cut)}`);
  return `{\n${rows.join(',\n')}${end}}`;
}

function isLong(value: object): boolean {
  return JSON.stringify(value).length > WIDTH;
}

/** A value as TypeScript, for the calls of the client. */
export function shownCode(value: unknown, indent = 0, room = WIDTH - indent): string {
  if (typeof value !== 'object' || value === null) return quoted(value);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((one) => shownCode(one, indent + 2))
    : Object.entries(value).map(([name, one]) => `${/^[A-Za-z_]\w*$/.test(name) ? name : quoted(name)}: ${shownCode(one, indent + 2)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return `${open}${close}`;
  const gap = isList ? '' : ' ';
  const short = `${open}${gap}${parts.join(', ')}${gap}${close}`;
  if (short.length <= room && !short.includes('\n')) return short;
  return `${open}\n${parts.map((part) => `${' '.repeat(indent + 2)}${part},`).join('\n')}\n${' '.repeat(indent)}${close}`;
}

function quoted(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'undefined';
  if (value.includes('\n')) return `\`${value.replaceAll(/[\\`$]/g, String.raw`\$&`)}\``;
  return value.includes("'") ? JSON.stringify(value) : `'${value.replaceAll('\\', String.raw`\\`)}'`;
}

/** Replaces what no page may show, and the addresses that only the shop of the examples has. */
export class Masks {
  readonly #by = new Map<string, string>();

  add(secret: string, shown: string): void {
    if (secret.length > 3) this.#by.set(secret, shown);
  }

  /** Takes the secrets of an answer: the values of the named fields, wherever they stand. */
  learn(value: unknown, fields: ReadonlySet<string>): void {
    if (Array.isArray(value)) for (const one of value) this.learn(one, fields);
    else if (typeof value === 'object' && value !== null)
      for (const [name, one] of Object.entries(value)) {
        if (fields.has(name) && typeof one === 'string') this.add(one, `<${name}>`);
        else this.learn(one, fields);
      }
  }

  apply(text: string): string {
    const longestFirst = [...this.#by].sort(([a], [b]) => b.length - a.length);
    return longestFirst.reduce((masked, [secret, shown]) => masked.replaceAll(secret, shown), text);
  }
}

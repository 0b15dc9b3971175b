import { byteLength } from './text.ts';

export class TextEncoder {
  readonly encoding = 'utf-8';

  encode(input: unknown = ''): Uint8Array {
    const text = String(input);
    const bytes = new Uint8Array(byteLength(text));
    this.encodeInto(text, bytes);
    return bytes;
  }

  encodeInto(text: string, target: Uint8Array): { read: number; written: number } {
    let written = 0;
    let read = 0;
    while (read < text.length) {
      const raw = text.codePointAt(read) ?? 0;
      const code = raw >= 0xd800 && raw < 0xe000 ? 0xfffd : raw;
      const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
      if (written + size > target.length) break;
      if (size === 1) target[written] = code;
      else target[written] = ((0xf00 >> size) & 0xff) | (code >> (6 * (size - 1)));
      for (let i = 1; i < size; i++) target[written + i] = 0x80 | ((code >> (6 * (size - 1 - i))) & 0x3f);
      written += size;
      read += raw > 0xffff ? 2 : 1;
    }
    return { read, written };
  }
}

/** The lowest and highest second byte after those lead bytes that restrict it (Encoding standard, UTF-8 decoder). */
const NARROWED: Record<number, readonly [number, number]> = { 224: [0xa0, 0xbf], 237: [0x80, 0x9f], 240: [0x90, 0xbf], 244: [0x80, 0x8f] };
const CHUNK = 4096;

/** TextDecoder of the Encoding standard, for UTF-8 only. */
export class TextDecoder {
  readonly encoding = 'utf-8';
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  #kept: number[] = [];
  #started = false;

  constructor(label = 'utf-8', { fatal = false, ignoreBOM = false }: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
    if (!['utf-8', 'utf8', 'unicode-1-1-utf-8'].includes(String(label).trim().toLowerCase())) {
      throw new RangeError(`the encoding "${label}" is not supported, only utf-8 is`);
    }
    this.fatal = fatal;
    this.ignoreBOM = ignoreBOM;
  }

  decode(input: ArrayBuffer | ArrayBufferView = new Uint8Array(0), { stream = false }: { stream?: boolean } = {}): string {
    const given = ArrayBuffer.isView(input) ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength) : new Uint8Array(input);
    const bytes = new Uint8Array(this.#kept.length + given.length);
    bytes.set(this.#kept);
    bytes.set(given, this.#kept.length);
    this.#kept = [];
    const text = this.#read(bytes, stream);
    const hasMark = !this.#started && !this.ignoreBOM && text.startsWith('\ufeff');
    this.#started = stream && (this.#started || text !== '');
    return hasMark ? text.slice(1) : text;
  }

  #read(bytes: Uint8Array, stream: boolean): string {
    const parts: string[] = [];
    let units: number[] = [];
    for (let at = 0; at < bytes.length; ) {
      const lead = bytes[at] ?? 0;
      if (lead < 0x80) {
        units.push(lead);
        at += 1;
      } else {
        const { code, size, cutOff } = readCharacter(bytes, at, lead);
        if (cutOff && stream) {
          this.#kept = Array.from(bytes.subarray(at));
          break;
        }
        if (code < 0) {
          if (this.fatal) throw new TypeError('the bytes are not valid utf-8');
          units.push(0xfffd);
        } else if (code > 0xffff) units.push(0xd7c0 + (code >> 10), 0xdc00 + (code & 0x3ff));
        else units.push(code);
        at += size;
      }
      if (units.length >= CHUNK) {
        parts.push(String.fromCharCode(...units));
        units = [];
      }
    }
    return parts.join('') + String.fromCharCode(...units);
  }
}

/** Reads the character that begins with a lead byte. Code -1: malformed; `size` bytes then become one replacement character. */
function readCharacter(bytes: Uint8Array, at: number, lead: number): { code: number; size: number; cutOff: boolean } {
  const length = lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 1;
  if (length === 1) return { code: -1, size: 1, cutOff: false };
  let code = lead & (0xff >> (length + 1));
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return { code: -1, size: i, cutOff: true };
    const [low, high] = (i === 1 && NARROWED[lead]) || [0x80, 0xbf];
    if (byte < low || byte > high) return { code: -1, size: i, cutOff: false };
    code = (code << 6) | (byte & 0x3f);
  }
  return { code, size: length, cutOff: false };
}

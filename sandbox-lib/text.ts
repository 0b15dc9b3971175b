/** The number of bytes of a string in UTF-8. A lone surrogate counts as U+FFFD, as which it is encoded. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    // A surrogate pair has two units and takes four bytes.
    if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(i + 1))) i += 1;
  }
  return bytes;
}

/** Whether a string takes more than `maxBytes` in UTF-8. The bytes are counted only where the string's length does not decide it. */
export function isLonger(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return true;
  return text.length * 3 > maxBytes && byteLength(text) > maxBytes;
}

/** Cuts a text that takes more than `maxBytes`, between two characters, and marks the cut. */
export function cut(text: string, maxBytes: number): string {
  if (!isLonger(text, maxBytes)) return text.toWellFormed();
  const mark = ` … [cut: ${byteLength(text)} bytes]`;
  let room = maxBytes - byteLength(mark);
  let end = 0;
  while (end < text.length) {
    const unit = text.charCodeAt(end);
    const paired = unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(end + 1));
    room -= paired ? 4 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
    if (room < 0) break;
    end += paired ? 2 : 1;
  }
  return text.slice(0, end).toWellFormed() + mark;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

import { DESCRIPTION_MAX, DETAILS_MAX_BYTES, type JsonObject, LOG_LINE_MAX_BYTES, logLinesMax } from '../contract/run-events.ts';
import { canonicalJson, type EpochKeys, sha256 } from './call-key.ts';

/** Cuts a line that is longer than 16 KiB between two characters and marks the cut. */
export function cutLine(line: string): string {
  return cutText(line, LOG_LINE_MAX_BYTES);
}

/** Details that the server takes: not too long, and without U+0000. */
export function cutDetails(markdown: string): string {
  return cutText(markdown.replaceAll('\u0000', '\ufffd'), DETAILS_MAX_BYTES);
}

/** A description that the server takes: one short line without control characters. */
export function descriptionOf(text: string): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const characters = [...line];
  return characters.length <= DESCRIPTION_MAX ? line : `${characters.slice(0, DESCRIPTION_MAX - 1).join('')}…`;
}

function cutText(text: string, maxBytes: number): string {
  const wellFormed = text.toWellFormed();
  // A UTF-16 unit takes 3 bytes at most in UTF-8, so the bytes of a short text need not be counted.
  if (wellFormed.length * 3 <= maxBytes) return wellFormed;
  const bytes = Buffer.from(wellFormed);
  if (bytes.length <= maxBytes) return wellFormed;
  const mark = ` … [cut: ${bytes.length} bytes]`;
  let end = maxBytes - Buffer.byteLength(mark);
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end) + mark;
}

/** The JSON of a `result` event. Its key lets the server recognise the same event of a second attempt. */
export function resultEvent(event: { status: string; item: string; details: JsonObject }, keys: EpochKeys): string {
  const { status, item, details } = event;
  const content = { kind: 'result', status, item, details };
  return JSON.stringify({ ...content, key: keys.next(sha256(canonicalJson(content))) });
}

/** Counts bytes and lines of the log. `add` returns the limit that the event would exceed, as text, or null where it fits. */
export function createLogMeter(
  limitBytes: number,
  made: { bytes: number; lines: number } = { bytes: 0, lines: 0 },
): { add(json: string): string | null } {
  const linesMax = logLinesMax(limitBytes);
  let { bytes, lines } = made;
  return {
    add(json) {
      const size = Buffer.byteLength(json) + 1;
      if (bytes + size > limitBytes) return `${limitBytes} bytes`;
      if (lines + 1 > linesMax) return `${linesMax} lines`;
      bytes += size;
      lines += 1;
      return null;
    },
  };
}

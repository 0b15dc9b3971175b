import { type JsonObject, LOG_LINE_MAX_BYTES, logLinesMax } from '../contract/run-events.ts';
import { canonicalJson, type EpochKeys, sha256 } from './call-key.ts';

/** A line of at most 16 KiB; a longer one is cut between characters and marked. */
export function cutLine(line: string): string {
  const wellFormed = line.toWellFormed();
  // A UTF-16 unit is at most 3 bytes: short lines need no counting.
  if (wellFormed.length * 3 <= LOG_LINE_MAX_BYTES) return wellFormed;
  const bytes = Buffer.from(wellFormed);
  if (bytes.length <= LOG_LINE_MAX_BYTES) return wellFormed;
  const mark = ` … [cut: ${bytes.length} bytes]`;
  let end = LOG_LINE_MAX_BYTES - Buffer.byteLength(mark);
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end) + mark;
}

/** JSON of a `result` event with the key by which a second attempt's is recognised. */
export function resultEvent(event: { status: string; item: string; details: JsonObject }, keys: EpochKeys): string {
  const { status, item, details } = event;
  const content = { kind: 'result', status, item, details };
  return JSON.stringify({ ...content, key: keys.next(sha256(canonicalJson(content))) });
}

/** Counts the lines that the log will hold, against the run's limits; names the limit that a line would pass. */
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

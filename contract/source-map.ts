/** From what line and column of compiled code to where its author wrote it; all count from 1. Null: no one wrote it. */
export type SourceMap = (line: number, column: number) => Place | null;
export type Place = { line: number; column: number };

type Segment = { from: number; line: number; column: number };

const COMMENT = '\n//# sourceMappingURL=data:application/json,';
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const FRAME_PLACE = /task\.ts:(\d+):(\d+)/;

/** Adds a source map to compiled code, as a comment at its end. */
export function withMappings(code: string, mappings: string): string {
  return `${code}${COMMENT}${JSON.stringify({ version: 3, sources: ['task.ts'], names: [], mappings })}`;
}

/** The mappings that were added to compiled code; null where its lines are those of the source. */
export function mappingsIn(code: string): string | null {
  // So ends the function that task-source.ts writes. A map stands behind it, so most code needs no search.
  if (code.endsWith('})')) return null;
  const at = code.lastIndexOf(COMMENT);
  const map: unknown = at < 0 ? null : JSON.parse(code.slice(at + COMMENT.length));
  return typeof map === 'object' && map !== null && 'mappings' in map && typeof map.mappings === 'string' ? map.mappings : null;
}

/** Reads a source map (ECMA-426). Its text is decoded when a place is first asked for. */
export function createSourceMap(mappings: string): SourceMap {
  let lines: Segment[][] | undefined;
  return (line, column) => {
    lines ??= decode(mappings);
    const found = lines[line - 1]?.findLast(({ from }) => from < column);
    return found ? { line: found.line, column: found.column } : null;
  };
}

/** Lines of a stack with the places that the author wrote, without those of code that no one wrote. */
export function mapFrames(frames: readonly string[], map: SourceMap): string[] {
  return frames.flatMap((frame) => {
    const found = FRAME_PLACE.exec(frame);
    if (!found) return [frame];
    const place = map(Number(found[1]), Number(found[2]));
    return place ? [frame.replace(FRAME_PLACE, () => `task.ts:${place.line}:${place.column}`)] : [];
  });
}

function decode(mappings: string): Segment[][] {
  let line = 1;
  let column = 1;
  return mappings.split(';').map((text) => {
    let from = 0;
    return text.split(',').flatMap((segment): Segment[] => {
      const [step = 0, , lines, columns] = numbersIn(segment);
      from += step;
      if (lines === undefined || columns === undefined) return [];
      line += lines;
      column += columns;
      return [{ from, line, column }];
    });
  });
}

/** Numbers in base 64, least digit first; the lowest bit of each is its sign. */
function numbersIn(segment: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const character of segment) {
    const digit = DIGITS.indexOf(character);
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}

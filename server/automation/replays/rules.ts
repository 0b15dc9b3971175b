import type { Replay } from '../../../contract/replays.ts';
import { SHOWN_MAX, SHOWN_MAX_CHARS } from '../../../contract/replays.ts';

/** Lines of the server's own in a recording from before lines had a source. A line of the script with such a text counts as one, too. */
const SERVER_LINE =
  /^\{"kind":"log","line":"(prompt \d+ (waits for an answer|was answered)|waits for the end of run \d+"|run \d+ ended [a-z_]+(: the run goes on from checkpoint \d+)?"|attempt \d+ from checkpoint \d+")/;

/** What a line of a call says of a request to another system; lines of older recordings lack it. */
const CALLED_REQUEST = /,"request":\{.*\}\}$/;

/** The output of a run: its own log lines and the lines of its calls, each in their order, and its results. */
export type Output = { log: string[]; calls: string[]; results: string[] };

type Span = { after: number; upto: number | null };
export type Line = { seq: number; line: string; source: 'run' | 'server' | null };

/**
 * Tells what the server itself has logged, such as that the run waits for a person, or for a run that it has started. A replay does neither, so
 * its log has none of it. `recorded`: the lines of the recording; in one from before lines had a source, texts must tell.
 */
export function isOfServer(recorded: readonly Line[]): (line: Line) => boolean {
  const hasSources = recorded.every(({ source }) => source !== null);
  return ({ source, line }) => (hasSources ? source === 'server' : SERVER_LINE.test(line));
}

/**
 * Collects a run's output. Of an attempt that ended no epoch only the results count, because a result is stored once per
 * lineage. Progress lines are left out, because they are merged by time. Log and call lines are kept apart, because
 * concurrent calls interleave them at random.
 */
export function outputOf(lines: readonly Line[], spans: readonly Span[], isLeftOut: (line: Line) => boolean): Output {
  const output: Output = { log: [], calls: [], results: [] };
  for (const one of lines) {
    const { seq, line } = one;
    if (isLeftOut(one)) continue;
    if (line.startsWith('{"kind":"result"')) output.results.push(line);
    else if (!spans.some(({ after, upto }) => upto !== null && seq > after && seq <= upto)) continue;
    else if (line.startsWith('{"kind":"log"')) output.log.push(line);
    else if (line.startsWith('{"kind":"admin_api"')) output.calls.push(line);
  }
  return output;
}

/** Compares log and calls. `cut` means that the recorded run was cut off; its replay may then have more lines at the end. */
export function compareLogs(recorded: Output, replayed: Output, cut: boolean): Replay['log'] {
  const difference = firstDifference(recorded.log, replayed.log, cut) ?? firstDifference(recorded.calls, replayed.calls, cut, isSameCall);
  return { identical: difference === null, first_difference: difference };
}

/** Where only one line tells of the request to another system, the call itself is compared alone. */
function isSameCall(recorded: string, replayed: string): boolean {
  if (recorded === replayed) return true;
  const [one, other] = [recorded, replayed].map((line) => line.replace(CALLED_REQUEST, '}'));
  return one === other && (one === recorded || other === replayed);
}

function firstDifference(
  recorded: readonly string[],
  replayed: readonly string[],
  cut: boolean,
  isSame = (one: string, other: string): boolean => one === other,
): Replay['log']['first_difference'] {
  const length = cut ? recorded.length : Math.max(recorded.length, replayed.length);
  for (let index = 0; index < length; index++) {
    const [was, is] = [recorded[index], replayed[index]];
    if (was !== undefined && is !== undefined && isSame(was, is)) continue;
    return { line: index + 1, recorded: shown(was), replayed: shown(is) };
  }
  return null;
}

/** Compares the results without regard to their order, because the attempt that stores a result does not matter. */
export function compareResults(recorded: readonly string[], replayed: readonly string[]): Replay['results'] {
  const left = new Map<string, number>();
  for (const line of recorded) left.set(line, (left.get(line) ?? 0) + 1);
  const added: string[] = [];
  for (const line of replayed) {
    const count = left.get(line) ?? 0;
    if (count === 0) added.push(line);
    else left.set(line, count - 1);
  }
  const missing = [...left].flatMap(([line, count]) => Array<string>(count).fill(line));
  return {
    same: replayed.length - added.length,
    added: added.length,
    missing: missing.length,
    additions: added.slice(0, SHOWN_MAX).map((line) => line.slice(0, SHOWN_MAX_CHARS)),
    omissions: missing.slice(0, SHOWN_MAX).map((line) => line.slice(0, SHOWN_MAX_CHARS)),
  };
}

function shown(line: string | undefined): string | null {
  return line === undefined ? null : line.slice(0, SHOWN_MAX_CHARS);
}

/** Whether a run was ended by its script, rather than by a limit, a person or a failing machine. */
export function endedByItself({ status, end_reason: reason }: { status: string; end_reason: string | null }): boolean {
  return status === 'success' || (status === 'failed' && reason === 'script_error');
}

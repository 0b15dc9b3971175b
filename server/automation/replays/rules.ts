import type { Replay } from '../../../contract/replays.ts';
import { SHOWN_MAX, SHOWN_MAX_CHARS } from '../../../contract/replays.ts';
import { hashesIn, StoredSaid } from '../../../contract/run-events.ts';
import { textHash } from '../../values/text-hash.ts';

/** The output of a run: its own log lines and the lines of its calls, each in their order, and its results. */
export type Output = { log: string[]; calls: string[]; results: string[] };

/** `said`: what earlier claims had logged of what the script of this one said again. */
type Span = { after: number; upto: number | null; said: string | null };
export type Line = { seq: number; line: string; source: 'run' | 'server' | null };

/**
 * Collects a run's output. Of an attempt that ended no epoch only the results count, because a result is stored once per
 * lineage. Progress lines are left out, because they are merged by time, and so is what the server itself has logged, such as that the run
 * waits for a person: a replay does not. Log and call lines are kept apart, because
 * concurrent calls interleave them at random.
 */
export function outputOf(lines: readonly Line[], spans: readonly Span[]): Output {
  const own = lines.filter(({ source }) => source !== 'server');
  const output: Output = { log: [], calls: [], results: own.flatMap(({ line }) => (line.startsWith('{"kind":"result"') ? [line] : [])) };
  const byHash = new Map(spans.some(({ said }) => said !== null) ? own.map(({ line }) => [textHash(line), line]) : []);
  for (const { after, upto, said } of spans) {
    if (upto === null) continue;
    const before = said === null ? null : StoredSaid.parse(JSON.parse(said));
    const again = hashesIn(before?.texts ?? '').flatMap((key) => byHash.get(key) ?? []);
    const ofClaim = before?.whole ? [] : own.flatMap(({ seq, line }) => (seq > after && seq <= upto ? [line] : []));
    for (const line of [...again, ...ofClaim]) {
      if (line.startsWith('{"kind":"log"')) output.log.push(line);
      else if (line.startsWith('{"kind":"admin_api"')) output.calls.push(line);
    }
  }
  return output;
}

/** Compares log and calls. `cut` means that the recorded run was cut off; its replay may then have more lines at the end. */
export function compareLogs(recorded: Output, replayed: Output, cut: boolean): Replay['log'] {
  const difference = firstDifference(recorded.log, replayed.log, cut) ?? firstDifference(recorded.calls, replayed.calls, cut);
  return { identical: difference === null, first_difference: difference };
}

function firstDifference(recorded: readonly string[], replayed: readonly string[], cut: boolean): Replay['log']['first_difference'] {
  const length = cut ? recorded.length : Math.max(recorded.length, replayed.length);
  for (let index = 0; index < length; index++) {
    const [was, is] = [recorded[index], replayed[index]];
    if (was !== undefined && was === is) continue;
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

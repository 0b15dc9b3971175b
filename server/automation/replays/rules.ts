import type { Replay } from '../../../contract/replays.ts';
import { SHOWN_MAX, SHOWN_MAX_CHARS } from '../../../contract/replays.ts';

/** What the server says of a run that asks a person: a replay asks nobody. */
const OF_PROMPTS = /^\{"kind":"log","line":"prompt \d+ (waits for an answer|was answered)/;

/** What a run said: its own lines and those of its calls, each in their order, and its results. */
export type Said = { log: string[]; calls: string[]; results: string[] };

type Span = { after: number; upto: number | null };

/**
 * Of attempts that came to nothing only the results count, which are kept once. Progress is coalesced by time, and how
 * lines of calls lie between others is of the moment where calls were concurrent.
 */
export function saidBy(lines: readonly { seq: number; line: string }[], spans: readonly Span[]): Said {
  const said: Said = { log: [], calls: [], results: [] };
  for (const { seq, line } of lines) {
    if (line.startsWith('{"kind":"result"')) said.results.push(line);
    else if (!spans.some(({ after, upto }) => upto !== null && seq > after && seq <= upto)) continue;
    else if (line.startsWith('{"kind":"log"')) {
      if (!OF_PROMPTS.test(line)) said.log.push(line);
    } else if (line.startsWith('{"kind":"admin_api"')) said.calls.push(line);
  }
  return said;
}

/** `cut`: the recorded run was cut off, so that its replay may go on a little further. */
export function compareLogs(recorded: Said, replayed: Said, cut: boolean): Replay['log'] {
  const difference = firstDifference(recorded.log, replayed.log, cut) ?? firstDifference(recorded.calls, replayed.calls, cut);
  return { identical: difference === null, first_difference: difference };
}

function firstDifference(recorded: readonly string[], replayed: readonly string[], cut: boolean): Replay['log']['first_difference'] {
  const length = cut ? recorded.length : Math.max(recorded.length, replayed.length);
  for (let index = 0; index < length; index++) {
    if (recorded[index] === replayed[index]) continue;
    return { line: index + 1, recorded: shown(recorded[index]), replayed: shown(replayed[index]) };
  }
  return null;
}

/** As bags: a result is told once whatever the attempt. */
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

/** Whether a run ended by its script, rather than cut off by a limit, a person or the machine. */
export function endedByItself({ status, end_reason: reason }: { status: string; end_reason: string | null }): boolean {
  return status === 'success' || (status === 'failed' && reason === 'script_error');
}

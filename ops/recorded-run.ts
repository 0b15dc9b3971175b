import { AssertionError } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { RECORDING_FORMAT, Recording } from '../contract/recordings.ts';
import type { Replay } from '../contract/replays.ts';
import type { LoggedEvent } from '../contract/run-events.ts';
import type { ReplayedCall } from './recorded-rows.ts';

/** The fixture of a recorded run, and in what its replay first differs from it. */

/** A line or body in a message is cut at so many characters. */
const SHOWN_CHARS = 2000;
const Format = z.looseObject({ format: z.int() });

export async function readRecording(path: string, taskName: string): Promise<Recording> {
  const text = await readFile(path, 'utf8').catch((error) => {
    throw new Error(`the recorded run ${path} cannot be read; \`backroom task test --replay RUN_ID\` writes one`, { cause: error });
  });
  const content = parsed(text);
  const { data } = Format.safeParse(content);
  if (data && data.format > RECORDING_FORMAT)
    throw new Error(`${path} has format ${data.format}, and this program reads ${RECORDING_FORMAT}: a newer program wrote it`);
  const read = Recording.safeParse(content);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new Error(`${path} is no recorded run: ${issue?.path.join('.') || 'the whole file'}: ${issue?.message}`);
  }
  const { name } = read.data.task;
  if (name !== taskName) throw new Error(`${path} is a run of the task "${name}", and this is the test of "${taskName}"`);
  return read.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Now = { calls: readonly ReplayedCall[]; events: readonly LoggedEvent[] };
type Difference = { at: string; recorded: string; now: string };

/** Fails the test if the replay is not identical, with the first difference. */
export function assertIdentical(recording: Recording, report: Replay, now: Now): void {
  if (report.identical) return;
  const { at, recorded, now: is } = differenceOf(recording, report, now);
  const { same, changed, added, missing } = report.calls;
  throw new AssertionError({
    message: [
      `run ${recording.run_id} does not come again as it was recorded. The first difference is ${at}:`,
      `  recorded: ${shown(recorded)}`,
      `  now:      ${shown(is)}`,
      `Of its calls ${same} are the same, ${changed} changed, ${added} added, ${missing} missing.`,
    ].join('\n'),
    expected: recorded,
    actual: is,
    operator: 'replay',
    stackStartFn: assertIdentical,
  });
}

function differenceOf(recording: Recording, report: Replay, now: Now): Difference {
  return callDifference(recording, now.calls) ?? orderDifference(recording, now.events) ?? outputDifference(report);
}

const keyOf = (epoch: number | null, key: string | null): string => `${epoch}/${key}`;
const NO_CALL = '(no call)';

/** The first call without the same one on the other side. */
function callDifference({ calls }: Recording, now: readonly ReplayedCall[]): Difference | null {
  const made = new Set(now.map(({ recorded_epoch: epoch, recorded_key: key }) => keyOf(epoch, key)));
  const left = calls.filter(({ epoch, key, asked_by, passing }) => asked_by > 0 && passing === 0 && !made.has(keyOf(epoch, key)));
  const other = now.find(({ outcome }) => outcome !== 'same');
  const recorded =
    other?.outcome === 'changed'
      ? calls.find(({ epoch, key }) => keyOf(epoch, key) === keyOf(other.recorded_epoch, other.recorded_key))
      : left[0];
  if (!other && !recorded) return null;
  const number = 1 + (recorded ? calls.indexOf(recorded) : now.findIndex(({ outcome }) => outcome !== 'same'));
  return { at: `call ${number}`, recorded: recorded ? callText(recorded) : NO_CALL, now: other ? callText(other) : NO_CALL };
}

function callText({ method, path, body }: { method: string; path: string; body: string | null }): string {
  return `${method} ${path}${body === null ? '' : ` ${body}`}`;
}

/** The same calls in another order. */
function orderDifference({ log }: Recording, events: readonly LoggedEvent[]): Difference | null {
  const was = log.map(({ line }) => line).filter((line) => line.startsWith('{"kind":"admin_api"'));
  const is = events.filter(({ kind }) => kind === 'admin_api').map((event) => JSON.stringify(event));
  if (was.length !== is.length) return null;
  const index = was.findIndex((line, at) => line !== is[at]);
  return index === -1 ? null : { at: `the order of calls, at answer ${index + 1}`, recorded: was[index] ?? '', now: is[index] ?? '' };
}

function outputDifference({ log, results, recorded, replayed }: Replay): Difference {
  const line = log.first_difference;
  if (line) return { at: `line ${line.line} of the log`, recorded: line.recorded ?? '(none)', now: line.replayed ?? '(none)' };
  const [missing, added] = [results.omissions[0], results.additions[0]];
  if (missing !== undefined || added !== undefined) return { at: 'a result', recorded: missing ?? '(none)', now: added ?? '(none)' };
  return { at: 'how the run ended', recorded: JSON.stringify(recorded), now: JSON.stringify(replayed) };
}

function shown(text: string): string {
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}

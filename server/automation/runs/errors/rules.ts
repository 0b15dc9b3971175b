/** Ends that are no fault of the script or its settings: a machine was lost, or a person decided. Each of them is told by itself. */
const NO_ERROR = new Set(['lost_runner', 'lost_worker', 'drained', 'revoked', 'cancelled']);

type Ended = { status: string; endReason: string | null };

/** Whether a run that ended so is counted as an error of its task. Dry runs, which replays are like, are looked at by who started them. */
export function isError(run: { dry_run: number; replay_of_run_id: number | null }, { status, endReason }: Ended): boolean {
  if (run.dry_run === 1 || run.replay_of_run_id !== null) return false;
  return status !== 'success' && status !== 'cancelled' && !NO_ERROR.has(endReason ?? '');
}

const HEAD_CHARACTERS = 2000;
const TOP_FRAMES = 3;
const FRAME = /^\s+at (?:(.*) )?\(?task\.ts:\d+:\d+\)?$/;

/** What makes two ends the same error: how the run ended, its message without what differs from run to run, and where in the script. */
export function sameness({ status, endReason, errorMessage }: Ended & { errorMessage: string | null }): string {
  const lines = (errorMessage ?? '').split('\n');
  const head = lines.filter((line) => !FRAME.test(line)).join('\n');
  // Functions and not lines, because a new version moves the lines.
  const frames = lines.map((line) => FRAME.exec(line)).filter((frame) => frame !== null);
  const names = frames.slice(0, TOP_FRAMES).map(([, name = '']) => name);
  return [endReason ?? status, withoutValues(head.slice(0, HEAD_CHARACTERS)), ...names].join('\n');
}

/** A text without quoted values, addresses, ids, numbers and dates. Each pattern takes time in proportion to the text. */
const PATTERNS: readonly [what: RegExp, instead: string][] = [
  [/"[^"\n]{0,500}"|`[^`\n]{0,500}`|“[^”\n]{0,500}”|„[^“”\n]{0,500}[“”]|«[^»\n]{0,500}»/g, '""'],
  [/(?<![\p{L}\p{N}])'[^'\n]{0,500}'(?![\p{L}\p{N}])/gu, '""'],
  [/\b(https?:\/\/[\w.-]{1,255})[^\s)\]]*/gi, '$1'],
  [/[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}/g, '@'],
  [/(?<![\p{L}\p{N}_-])(?=[\p{L}_-]{0,64}\p{N})[\p{L}\p{N}_-]+/gu, '#'],
  [/#(?:[.:,/+ ]{1,2}#)+/g, '#'],
  [/\b(?:(?:mon|tue|wed|thu|fri|sat|sun)\w{0,6},? )?(?:# )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6} #/gi, '#'],
  [/\s+/g, ' '],
];

function withoutValues(text: string): string {
  return PATTERNS.reduce((left, [what, instead]) => left.replace(what, instead), text).trim();
}

/** The first line of an error, as lists show it. */
export function firstLine(message: string | null): string | null {
  const [line = ''] = (message ?? '').split('\n', 1);
  return line === '' ? null : line.slice(0, 500).toWellFormed();
}

import { Cron } from 'croner';

/** Times of cron expressions, with a precision of one minute, in the local time of a zone. */

export type Timing = { cron: string; timezone: string };

const FIELD = /^[0-9A-Za-z*,/#-]+$/;
const ACCEPTED =
  'five fields separated by blanks, minute (0-59) hour (0-23) day of the month (1-31, L the last) month (1-12 or JAN-DEC) ' +
  'day of the week (0-7 or SUN-SAT, FRI#2 the second, FRI#L the last), each *, a value, a range 1-5, a list 1,3 or a step */15';
/** A time that is late by no more than this was not missed: servers look about once a second, and one may be restarting. */
const ON_TIME_MS = 60_000;

/** Returns what is wrong with a cron expression and what is accepted; null if it is valid. */
export function cronProblem({ cron, timezone }: Timing, nowMs: number): string | null {
  const fields = cron.split(/\s+/);
  if (fields.length !== 5) return `has ${fields.length} fields; accepted are ${ACCEPTED}`;
  const wrong = fields.find((field) => !FIELD.test(field));
  if (wrong !== undefined) return `"${wrong}" is not understood; accepted are ${ACCEPTED}`;
  try {
    return nextTime({ cron, timezone }, nowMs) === null ? 'never occurs: there is no such day' : null;
  } catch (error) {
    // The parser's own message, such as "CronPattern: Invalid value for minute: 60".
    const words = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error);
    return `${words}; accepted are ${ACCEPTED}`;
  }
}

/**
 * The first time after `afterMs`; null if none ever comes. When the clock changes, a fixed time of day (numbers, lists,
 * ranges) comes once: a time that is skipped comes when the clock is put forward, a time that occurs twice counts at its
 * first occurrence. An expression with a `*` or a step in its minute or hour goes by real time instead: nothing in the
 * skipped hour, twice through the repeated hour.
 */
export function nextTime({ cron, timezone }: Timing, afterMs: number): number | null {
  const times = new Cron(cron, { timezone, mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true });
  return times.nextRun(new Date(afterMs))?.getTime() ?? null;
}

export function timesAfter(timing: Timing, afterMs: number, count: number): number[] {
  const times: number[] = [];
  for (let at = nextTime(timing, afterMs); at !== null && times.length < count; at = nextTime(timing, at)) times.push(at);
  return times;
}

/** Judges the times from `nextMs` to now: they open one run together, if any of them is recent enough to be made up for. */
export function judgeTimes(
  timing: Timing,
  { nextMs, nowMs, catchUpSeconds }: { nextMs: number; nowMs: number; catchUpSeconds: number },
): { opens: boolean; missed: boolean } {
  const oldest = nowMs - Math.max(catchUpSeconds * 1000, ON_TIME_MS);
  if (nextMs >= oldest) return { opens: true, missed: false };
  const later = nextTime(timing, oldest - 1);
  return { opens: later !== null && later <= nowMs, missed: true };
}

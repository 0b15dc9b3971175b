import { Cron } from 'croner';

/** Times of cron expressions: minutes, in the local time of a zone. */

export type Rhythm = { cron: string; timezone: string };

const FIELD = /^[0-9A-Za-z*,/#-]+$/;
const ACCEPTED =
  'five fields separated by blanks, minute (0-59) hour (0-23) day of the month (1-31, L the last) month (1-12 or JAN-DEC) ' +
  'day of the week (0-7 or SUN-SAT, FRI#2 the second, FRI#L the last), each *, a value, a range 1-5, a list 1,3 or a step */15';
/** What is no later than this was not missed: servers look every second or so, and one may be starting anew. */
const ON_TIME_MS = 60_000;

/** What is wrong with it, and what is accepted; null: nothing. */
export function cronProblem({ cron, timezone }: Rhythm, nowMs: number): string | null {
  const fields = cron.split(/\s+/);
  if (fields.length !== 5) return `has ${fields.length} fields; accepted are ${ACCEPTED}`;
  const wrong = fields.find((field) => !FIELD.test(field));
  if (wrong !== undefined) return `"${wrong}" is not understood; accepted are ${ACCEPTED}`;
  try {
    return nextTime({ cron, timezone }, nowMs) === null ? 'never comes: there is no such day' : null;
  } catch (error) {
    // The parser's own words, such as "CronPattern: Invalid value for minute: 60".
    const words = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error);
    return `${words}; accepted are ${ACCEPTED}`;
  }
}

/**
 * The first time after this one; null: none ever. Where the clock changes, a time of day (numbers, lists or ranges) comes
 * once: one that is left out comes when the clock goes on, one that is there twice the first time. What has a * or a step
 * in its minute or hour goes on in real time: nothing in what is left out, twice through what is there twice.
 */
export function nextTime({ cron, timezone }: Rhythm, afterMs: number): number | null {
  const times = new Cron(cron, { timezone, mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true });
  return times.nextRun(new Date(afterMs))?.getTime() ?? null;
}

export function timesAfter(rhythm: Rhythm, afterMs: number, count: number): number[] {
  const times: number[] = [];
  for (let at = nextTime(rhythm, afterMs); at !== null && times.length < count; at = nextTime(rhythm, at)) times.push(at);
  return times;
}

/** What becomes of the times from `nextMs` to now: one run where any of them may still be made up for. */
export function judgeTimes(
  rhythm: Rhythm,
  { nextMs, nowMs, catchUpSeconds }: { nextMs: number; nowMs: number; catchUpSeconds: number },
): { opens: boolean; missed: boolean } {
  const oldest = nowMs - Math.max(catchUpSeconds * 1000, ON_TIME_MS);
  if (nextMs >= oldest) return { opens: true, missed: false };
  const later = nextTime(rhythm, oldest - 1);
  return { opens: later !== null && later <= nowMs, missed: true };
}

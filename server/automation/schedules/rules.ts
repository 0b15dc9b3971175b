import { Cron } from 'croner';
import { dayIn, nextDay, startOfDay } from '../../values/dates.ts';

/** Times of cron expressions, with a precision of one minute, in the local time of a zone. */

export type Timing = { cron: string; timezone: string };

const NAMED = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];
const FIELD = /^[0-9A-Za-z*,/#-]+$/;
const FIELDS = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of the month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12 },
  { name: 'day of the week', min: 0, max: 7 },
] as const;
const ACCEPTED =
  'five fields separated by blanks, minute (0-59) hour (0-23) day of the month (1-31, L the last, L-1 the one before it, 15W the weekday ' +
  'nearest to the 15th) month (1-12 or JAN-DEC) day of the week (0-7 or SUN-SAT, FRI#2 the second, FRI#L the last), each *, a value, ' +
  `a range 1-5, a list 1,3 or a step */15 or 5/15; or ${NAMED.slice(0, -1).join(', ')} or ${NAMED.at(-1)}`;
/** A time that is late by no more than this was not missed: servers look about once a second, and one may be restarting. */
const ON_TIME_MS = 60_000;

/** Returns what is wrong with a cron expression and what is accepted; null if it is valid. */
export function cronProblem({ cron, timezone }: Timing, nowMs: number): string | null {
  const problem = cron.startsWith('@') ? nameProblem(cron) : fieldsProblem(cron.split(/\s+/));
  if (problem !== null) return `${problem}; accepted are ${ACCEPTED}`;
  try {
    return nextTime({ cron, timezone }, nowMs) === null ? 'never occurs: there is no such day' : null;
  } catch (error) {
    // The parser's own message, such as "CronPattern: Syntax error, illegal stepping: 0".
    const words = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error);
    return `${words}; accepted are ${ACCEPTED}`;
  }
}

function nameProblem(cron: string): string | null {
  return NAMED.includes(cron.toLowerCase()) ? null : `"${cron}" is not understood`;
}

/** The parser itself names a month or day that is out of range by another number than was written. */
function fieldsProblem(fields: readonly string[]): string | null {
  if (fields.length !== FIELDS.length) return `has ${fields.length} fields`;
  for (const [i, { name, min, max }] of FIELDS.entries()) {
    const field = fields[i] ?? '';
    if (!FIELD.test(field) || /(^|,)\//.test(field)) return `"${field}" is not understood`;
    const values = field.replaceAll(/[/#]\w+|L-\d+/gi, '').match(/\d+/g) ?? [];
    const wrong = values.find((value) => Number(value) < min || Number(value) > max);
    if (wrong !== undefined) return `${name} ${wrong} is not from ${min} to ${max}`;
  }
  const tooFar = fields[2]?.match(/L-(\d+)/gi)?.find((back) => Number(back.slice(2)) > MOST_BEFORE_LAST);
  return tooFar === undefined ? null : `day of the month ${tooFar} is not from L-0 to L-${MOST_BEFORE_LAST}`;
}

/**
 * The first time after `afterMs`; null if none ever comes. When the clock changes, a fixed time of day (numbers, lists,
 * ranges) comes once: a time that is skipped comes when the clock is put forward, a time that occurs twice counts at its
 * first occurrence. An expression with a `*` or a step in its minute or hour goes by real time instead: nothing in the
 * skipped hour, twice through the repeated hour.
 */
export function nextTime({ cron, timezone }: Timing, afterMs: number): number | null {
  const next = alternatives(untilSunday(cron))
    .map((alternative) => nextOf(alternative, timezone, afterMs))
    .filter((at) => at !== null);
  return next.length === 0 ? null : Math.min(...next);
}

/** croner counts the steps of `7/2` from day 7 to day 6. The 7th day, Sunday, is the last one, as it is in `5-7/2`. */
function untilSunday(cron: string): string {
  return cron.replace(/\S+$/, (weekdays) => weekdays.replaceAll(/(?<![\w#-])7\/[1-9]\d*/g, '7'));
}

/** An expression that croner knows; `beforeLast`: only of the days that are so many before the last of their month. */
type Alternative = { cron: string; beforeLast: number | null };

const MOST_BEFORE_LAST = 30;
const LONGEST_MONTH = 31;
const SHORTEST_MONTH = 28;

/** croner has no `L-1`. Days of the month and of the week are alternatives anyway, as in every cron. */
function alternatives(cron: string): Alternative[] {
  const [minute, hour, days = '', month, weekday = '*'] = cron.split(/\s+/);
  const back = days.split(',').filter((day) => /^L-\d+$/i.test(day));
  if (back.length === 0) return [{ cron, beforeLast: null }];
  const found: Alternative[] = back.map((day) => {
    const beforeLast = Number(day.slice(2));
    const possible = `${Math.max(1, SHORTEST_MONTH - beforeLast)}-${LONGEST_MONTH - beforeLast}`;
    return { cron: `${minute} ${hour} ${possible} ${month} *`, beforeLast };
  });
  const others = days.split(',').filter((day) => !back.includes(day));
  if (others.length > 0 || weekday !== '*')
    found.push({ cron: `${minute} ${hour} ${others.join() || '*'} ${month} ${weekday}`, beforeLast: null });
  return found;
}

/** Wrong days that are passed over before none is expected any more: three a year, for eight years between two leap years, and more. */
const MOST_WRONG_DAYS = 100;

function nextOf({ cron, beforeLast }: Alternative, timezone: string, afterMs: number): number | null {
  const times = new Cron(cron, { timezone, mode: '5-part', sloppyRanges: true, fixedTimeRule: 'no-wildcard', paused: true });
  let from = afterMs;
  for (let tries = 0; tries < MOST_WRONG_DAYS; tries++) {
    const at = times.nextRun(new Date(from))?.getTime() ?? null;
    if (at === null || beforeLast === null) return at;
    const day = dayIn(new Date(at).toISOString(), timezone);
    if (daysAfter(day) === beforeLast) return at;
    from = Date.parse(startOfDay(nextDay(day) ?? day, timezone)) - 1;
  }
  return null;
}

/** How many days of the month come after this one. */
function daysAfter(date: string): number {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).getUTCDate() - day;
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

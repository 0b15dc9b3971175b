import { dateText } from '../../../language/formats.ts';
import { tasksText } from '../../../texts/tasks.ts';

const t = tasksText.schedules;
const NAMES: readonly string[] = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'];
const MINUTES_OF_A_DAY = /^([01]\d|2[0-3]):([0-5]\d)$/;
/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

/** What people say of an expression: one time of day, on some days of the week (none: on each), or on one day of the month. */
export type Simple = { time: string; weekdays: readonly number[]; day: number | null };

/** Null: the expression is more than that, and is read as it stands. Monday is 0. */
export function simpleCron(cron: string): Simple | null {
  const [minute = '', hour = '', day = '', month, weekday = '', ...more] = cron.trim().split(/\s+/);
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (!MINUTES_OF_A_DAY.test(time) || month !== '*' || more.length > 0) return null;
  const weekdays = weekday === '*' ? [] : weekdaysIn(weekday);
  const ofMonth = /^([1-9]|[12]\d|3[01])$/.test(day) ? Number(day) : null;
  if (weekdays === null || (day !== '*' && (ofMonth === null || weekdays.length > 0))) return null;
  return { time, weekdays, day: ofMonth };
}

/** `null` where no time of day is given. */
export function cronOf({ time, weekdays, day }: Simple): string | null {
  const [, hour, minute] = MINUTES_OF_A_DAY.exec(time) ?? [];
  if (hour === undefined) return null;
  return `${Number(minute)} ${Number(hour)} ${day ?? '*'} * ${namesOf(weekdays)}`;
}

/** The expression in words; one that is more than a time on some days as it stands. */
export function cronWords(cron: string): string {
  const simple = simpleCron(cron);
  if (simple === null) return /^0 \* \* \* \*$/.test(cron.trim()) ? t.hourly : cron;
  const { time, weekdays, day } = simple;
  if (day !== null) return t.monthly(day, time);
  if (weekdays.length === 0 || weekdays.length === NAMES.length) return t.daily(time);
  return namesOf(weekdays) === WORKING ? t.onWorkingDays(time) : t.weekly(weekdays.map(weekdayName).join(', '), time);
}

export const weekdayName = (weekday: number): string =>
  dateText(new Date(MONDAY + weekday * DAY_MS), { weekday: 'short', timeZone: 'UTC' });

const WORKING = 'MON-FRI';

function namesOf(weekdays: readonly number[]): string {
  if (weekdays.length === 0 || weekdays.length === NAMES.length) return '*';
  const names = [...weekdays].sort((a, b) => a - b).map((weekday) => NAMES[weekday]);
  return names.join() === 'MON,TUE,WED,THU,FRI' ? WORKING : names.join();
}

function weekdaysIn(field: string): number[] | null {
  const found = field.split(',').flatMap((part) => {
    const [from, to = from, ...more] = part.split('-').map(weekdayIn);
    if (from === undefined || to === undefined || from < 0 || to < from || more.length > 0) return [-1];
    return Array.from({ length: to - from + 1 }, (_, n) => from + n);
  });
  return found.includes(-1) ? null : [...new Set(found)].sort((a, b) => a - b);
}

/** By its name or number, where Sunday is 0 or 7; -1: neither. */
function weekdayIn(text: string): number {
  if (/^[0-7]$/.test(text)) return (Number(text) + 6) % 7;
  return NAMES.indexOf(text.toUpperCase());
}

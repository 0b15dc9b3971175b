/** The instants of a range of days such as `2026-03-01` … `2026-03-31` in a time zone: `from` ≤ instant < `before`; null: no bound. */
export function instantsOf(days: { from: string | undefined; to: string | undefined; timeZone: string }): {
  from: string | null;
  before: string | null;
} {
  const after = days.to === undefined ? null : nextDay(days.to);
  return {
    from: days.from === undefined ? null : startOfDay(days.from, days.timeZone),
    before: after === null ? null : startOfDay(after, days.timeZone),
  };
}

const HOUR_MS = 3_600_000;
const SECOND_MS = 1000;
/** No time zone in history was further from UTC. */
const WIDEST_OFFSET_MS = 16 * HOUR_MS;

/** The first instant of a calendar day: 00:00, or the end of the gap if the clocks skip midnight. */
export function startOfDay(date: string, timeZone: string): string {
  const midnight = Date.parse(`${date}T00:00:00.000Z`);
  // Dates before 1900 would need care with the calendar and era of `Intl`, and no shop has such records.
  if (timeZone === 'UTC' || date < '1900') return new Date(midnight).toISOString();
  const wanted = Number(date.replaceAll('-', ''));
  const dayAt = dayNumber(timeZone);
  let before = (midnight - WIDEST_OFFSET_MS) / SECOND_MS;
  let reached = (midnight + WIDEST_OFFSET_MS) / SECOND_MS;
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2);
    if (dayAt(middle * SECOND_MS) >= wanted) reached = middle;
    else before = middle;
  }
  return new Date(reached * SECOND_MS).toISOString();
}

/** `startOfDay` for consecutive days, but faster: nearly every day starts 24 hours after the one before. */
export function startsOfDays(dates: readonly string[], timeZone: string): string[] {
  const dayAt = dayNumber(timeZone);
  let last: number | undefined;
  return dates.map((date) => {
    const wanted = Number(date.replaceAll('-', ''));
    const next = (last ?? 0) + 24 * HOUR_MS;
    const isStart = last !== undefined && dayAt(next) === wanted && dayAt(next - SECOND_MS) < wanted;
    last = isStart ? next : Date.parse(startOfDay(date, timeZone));
    return new Date(last).toISOString();
  });
}

/** The calendar day of an instant in a time zone. */
export function dayIn(instant: string, timeZone: string): string {
  const digits = String(dayNumber(timeZone)(Date.parse(instant))).padStart(8, '0');
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}

/** The day after a date; null after 9999-12-31. */
export function nextDay(date: string): string | null {
  if (date >= '9999-12-31') return null;
  return new Date(Date.parse(`${date}T00:00:00.000Z`) + 24 * HOUR_MS).toISOString().slice(0, 10);
}

/** Converts an instant to the number yyyymmdd of its day in the time zone. */
function dayNumber(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: 'numeric', day: 'numeric' });
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    return (parts.get('year') ?? 0) * 10_000 + (parts.get('month') ?? 0) * 100 + (parts.get('day') ?? 0);
  };
}

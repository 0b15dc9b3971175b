/** The present day in a time zone, such as `2026-01-05`. */
export function todayIn(timeZone: string): string {
  return new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' }).format(Date.now());
}

/** The calendar day before. It is not always what the clock showed 24 hours ago: a day may have 25. */
export function dayBefore(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - 1);
  return date.toISOString().slice(0, 10);
}

/** The days of the whole weeks (Monday to Sunday) that contain a month (spec CA2); today's month if the text is not a month. */
export function calendarDays(month: string | undefined, today: string): string[] {
  const first = Date.parse(`${isMonth(month) ? month : today.slice(0, 7)}-01T00:00:00.000Z`);
  const last = new Date(first);
  last.setUTCMonth(last.getUTCMonth() + 1, 0);
  const start = first - weekday(first) * DAY_MS;
  const end = last.getTime() + (6 - weekday(last.getTime())) * DAY_MS;
  return Array.from({ length: (end - start) / DAY_MS + 1 }, (_, i) => new Date(start + i * DAY_MS).toISOString().slice(0, 10));
}

const DAY_MS = 86_400_000;

/** The first and the last month are left out, because their weeks reach into years that four digits cannot name. */
function isMonth(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}-(0[1-9]|1[0-2])$/.test(text) && text > '0000-01' && text < '9999-12';
}

/** The day of the week; Monday is 0. */
function weekday(ms: number): number {
  return (new Date(ms).getUTCDay() + 6) % 7;
}

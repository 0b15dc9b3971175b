/** The present day in a time zone, such as `2026-01-05`. */
export function todayIn(timeZone: string): string {
  return new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' }).format(Date.now());
}

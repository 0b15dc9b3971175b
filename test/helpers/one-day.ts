/** The date of an instant in a time zone. */
export const dayIn = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(instant));

/** What `look` returns, all of it seen on the day that it gets: it is called again where midnight passed meanwhile. */
export async function onOneDay<T>(timeZone: string, look: (today: string) => Promise<T>): Promise<T> {
  const day = (): string => dayIn(new Date().toISOString(), timeZone);
  for (;;) {
    const today = day();
    const seen = await look(today);
    if (day() === today) return seen;
  }
}

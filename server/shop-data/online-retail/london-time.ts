/** Turns `YYYY-MM-DD HH:MM:SS` of the clocks in London into ISO 8601 UTC; null for what is no such time. */
export function londonClock(): (local: string) => string | null {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/London',
    hourCycle: 'h23',
    day: '2-digit',
    hour: '2-digit',
  });
  const offsets = new Map<string, number>();

  /** Summer time first: an hour that comes twice is taken as the first of the two. */
  function offsetOf(localHour: string, ms: number): number {
    const known = offsets.get(localHour);
    if (known !== undefined) return known;
    const summer = new Date(ms - HOUR_MS);
    const parts = new Map(format.formatToParts(summer).map(({ type, value }) => [type, value]));
    const isSummer = parts.get('day') === localHour.slice(8, 10) && parts.get('hour') === localHour.slice(11, 13);
    const offset = isSummer ? HOUR_MS : 0;
    offsets.set(localHour, offset);
    return offset;
  }

  return (local) => {
    if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(local)) return null;
    const iso = `${local.slice(0, 10)}T${local.slice(11)}.000Z`;
    const ms = Date.parse(iso);
    if (Number.isNaN(ms) || new Date(ms).toISOString() !== iso) return null;
    return new Date(ms - offsetOf(local.slice(0, 13), ms)).toISOString();
  };
}

const HOUR_MS = 3_600_000;

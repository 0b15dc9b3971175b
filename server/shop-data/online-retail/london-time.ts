/** Converts `YYYY-MM-DD HH:MM:SS` in London's local time to ISO 8601 UTC; null if the text is not such a time. */
export function londonClock(): (local: string) => string | null {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/London',
    hourCycle: 'h23',
    day: '2-digit',
    hour: '2-digit',
  });
  const offsets = new Map<string, number>();

  /** Tries summer time first, so the hour that occurs twice in autumn is read as the first of the two. */
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

/** How long an id that is missing may still come: its transaction may commit later than one that took a higher id. */
const GAP_MS = 120_000;
/** More missing ids than this are not remembered. */
const GAPS_MAX = 10_000;

/** How far the audit log has been read: up to `last`, except for the ids in `gaps`, which were missing at that time. */
export type Progress = { last: number; gaps: Map<number, number> };

/** Where to begin: after the newest ids, with those that are missing between them as gaps. `newest` is in falling order. */
export function startAfter(newest: readonly number[], now: number): Progress {
  const [last = 0] = newest;
  const known = new Set(newest);
  const gaps = new Map<number, number>();
  for (let id = newest.at(-1) ?? 1; id < last; id++) if (!known.has(id)) gaps.set(id, now);
  return { last, gaps };
}

/**
 * Moves on after reading these ids, and returns whether nothing was missed. Ids that a database gives out do not become visible in their
 * order, so each that is skipped is looked for again, until no transaction can still bring it.
 */
export function moveOn({ last, gaps }: Progress, ids: readonly number[], now: number): { progress: Progress; complete: boolean } {
  const open = new Map([...gaps].filter(([, since]) => now - since < GAP_MS));
  let end = last;
  let complete = true;
  for (const id of [...ids].sort((a, b) => a - b)) {
    open.delete(id);
    if (id <= end) continue;
    if (id - end - 1 > GAPS_MAX - open.size) complete = false;
    else for (let missing = end + 1; missing < id; missing++) open.set(missing, now);
    end = id;
  }
  return { progress: { last: end, gaps: open }, complete };
}

/** The highest id up to which everything has been read. */
export function readUpTo({ last, gaps }: Progress): number {
  let lowest = last + 1;
  for (const id of gaps.keys()) lowest = Math.min(lowest, id);
  return lowest - 1;
}

/** The id of an event: up to which audit entry everything was told, and when. */
export function eventId(progress: Progress, now: number): string {
  return `${readUpTo(progress)}-${now}`;
}

/** Parses such an id; null for anything else. */
export function parseEventId(text: string): { after: number; at: number } | null {
  const match = /^(\d{1,15})-(\d{1,15})$/.exec(text);
  return match ? { after: Number(match[1]), at: Number(match[2]) } : null;
}

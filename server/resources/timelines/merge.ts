/** Where a source was left: the time and id of its last entry that was shown. */
export type Place = { at: string; id: number };
export type Placed = { place: Place };

/** What a source is asked for: at most so many entries, newest first, that come after a place. */
export type Window = { after: Place | null; limit: number };

/** The places of sources by name. */
export type Places = Readonly<Record<string, Place>>;

/**
 * The newest of the entries that several sources give, each newest first, and where each source was left. A source keeps its own order:
 * the entries of the audit log are in that of their ids, which two requests at the same time may get in another order than their times.
 */
export function merge<T extends Placed>(
  sources: readonly { name: string; entries: readonly T[] }[],
  before: Places,
  limit: number,
): { shown: T[]; places: Places; isMore: boolean } {
  const shown: T[] = [];
  const heads = sources.map(({ name, entries }) => ({ name, entries, at: 0 }));
  while (shown.length < limit) {
    let newest: { head: (typeof heads)[number]; entry: T } | undefined;
    for (const head of heads) {
      const entry = head.entries[head.at];
      if (entry && (!newest || entry.place.at > newest.entry.place.at)) newest = { head, entry };
    }
    if (!newest) break;
    newest.head.at += 1;
    shown.push(newest.entry);
  }
  const places = Object.fromEntries(
    heads.map(({ name, entries, at }) => [name, before[name] && at === 0 ? before[name] : leftAt(entries, at)]),
  );
  return { shown, places, isMore: heads.some(({ entries, at }) => at < entries.length) };
}

/** A source that has shown nothing yet is left above its first entry, so that what comes meanwhile is on no later page. */
function leftAt(entries: readonly Placed[], at: number): Place {
  const last = entries[at - 1];
  if (last) return last.place;
  const first = entries[0];
  return first ? { at: first.place.at, id: first.place.id + 1 } : END;
}

/** Before all that there is. */
const END: Place = { at: '', id: 0 };

/** The entries of a source that is read as a whole. */
export function within<T extends Placed>(all: readonly T[], { after, limit }: Window): T[] {
  const newestFirst = all.toSorted((a, b) => compare(b.place, a.place));
  return newestFirst.filter(({ place }) => after === null || compare(place, after) < 0).slice(0, limit);
}

function compare(a: Place, b: Place): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  return a.id - b.id;
}

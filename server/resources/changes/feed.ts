import type { Db } from '../../db/open.ts';
import { pause } from '../../process/signal.ts';
import type { Services } from '../../services.ts';
import { audiencesOf } from '../notifications/domain.ts';
import { eventId, moveOn, type Progress, startAfter } from './rules.ts';
import * as store from './store.ts';

/** How often the feed looks where other servers are not heard, and how often at most. */
const POLL_MS = 750;
const ROWS_A_READ = 5000;
const NEWEST = 1000;
/** Runs that ended and notifications are looked for this far back, since their time is that of a transaction that may commit later. */
export const BACK_MS = 60_000;

/** A change; `admins`: those who alone are told, null: everybody who may read the type. */
export type Told = { type: string; id: number | null; admins: ReadonlySet<number> | null };
/** What one look found; `complete`: nothing before it was missed. `eventId` names the place after it. */
export type Batch = { changes: readonly Told[]; complete: boolean; eventId: string };
export type Feed = { eventId(): string; join(reader: (batch: Batch) => void): () => void };

const feeds = new WeakMap<Services, Promise<Feed>>();

/** Adds to each row the admins who may hear of it. */
export async function withAdmins(db: Db, rows: readonly store.ChangeRow[]): Promise<(store.ChangeRow & Told)[]> {
  const ids = rows.flatMap(({ type, id }) => (type === 'notification' && id !== null ? [id] : []));
  const audiences = await audiencesOf(db, [...new Set(ids)]);
  return rows.map((row) => ({ ...row, admins: (row.type === 'notification' && row.id !== null && audiences.get(row.id)) || null }));
}

/** The feed of this server, which all readers share: one query at a time, however many they are. */
export function feedOf(services: Services): Promise<Feed> {
  const known = feeds.get(services);
  if (known) return known;
  const made = startFeed(services, () => feeds.delete(services));
  feeds.set(services, made);
  made.catch(() => feeds.delete(services));
  return made;
}

async function startFeed(services: Services, stopped: () => void): Promise<Feed> {
  const { store: data, changes, broadcast, stopping } = services;
  const { reader } = data;
  const readers = new Set<(batch: Batch) => void>();
  const seen = new Map<string, number>();
  let progress: Progress = startAfter(await store.selectNewestIds(reader, NEWEST), Date.now());

  const isNew = ({ audit_id, type, id, times }: store.ChangeRow, now: number): boolean => {
    if (audit_id !== null) return true;
    const key = `${type} ${id} ${times}`;
    const isFirst = !seen.has(key);
    seen.set(key, now);
    return isFirst;
  };
  const look = async (): Promise<void> => {
    const now = Date.now();
    const { last, gaps } = progress;
    const time = new Date(now - BACK_MS).toISOString();
    const rows = await withAdmins(
      reader,
      await store.selectChanges(reader, { after: last, gaps: [...gaps.keys()], time, limit: ROWS_A_READ }),
    );
    const ids = rows.flatMap(({ audit_id }) => audit_id ?? []);
    const moved = moveOn(progress, ids, now);
    progress = moved.progress;
    const found = new Map(rows.filter((row) => isNew(row, now)).map(({ type, id, admins }) => [`${type} ${id}`, { type, id, admins }]));
    for (const [key, at] of seen) if (now - at > 2 * BACK_MS) seen.delete(key);
    const batch = { changes: [...found.values()], complete: moved.complete, eventId: eventId(progress, now) };
    if (batch.changes.length > 0 || !batch.complete) for (const tell of readers) tell(batch);
  };
  let [since, lookedAt] = [changes.count, performance.now()];
  // The first look tells nobody: what it finds was there before the first reader came.
  await look();
  const run = async (): Promise<void> => {
    for (;;) {
      await changes.wait(broadcast.pollMs(POLL_MS), stopping, since);
      await pause(lookedAt + POLL_MS - performance.now(), stopping);
      if (readers.size === 0 || stopping.aborted) return stopped();
      [since, lookedAt] = [changes.count, performance.now()];
      await look().catch((err: unknown) =>
        services.log.warn({ err }, 'the changes of the shop could not be read; the next look finds them'),
      );
    }
  };
  run().catch((err: unknown) => services.log.error({ err }, 'the stream of changes ended'));
  return {
    eventId: () => eventId(progress, Date.now()),
    join(reader) {
      readers.add(reader);
      return () => readers.delete(reader);
    },
  };
}

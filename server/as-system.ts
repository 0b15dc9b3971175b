import { randomBytes } from 'node:crypto';
import type { Ctx } from './context.ts';
import { type Notes, storeNotes } from './resources/audit/domain.ts';
import type { Services } from './services.ts';

export type SystemServices = Pick<Services, 'store' | 'settings' | 'log'>;

/** The request that a transaction of the system answers, where there is one. */
type Origin = { requestId: string; ip: string; path: string };
const NO_ORIGIN: Origin = { requestId: '', ip: '', path: '' };

/**
 * One transaction of the shop's own, named after the endpoint that it finishes the work of, or the provider that tells it;
 * what it notes is stored with it.
 */
export async function asSystem<T>(
  services: SystemServices,
  endpointId: string,
  work: (ctx: Ctx) => Promise<T>,
  { requestId, ip, path } = NO_ORIGIN,
): Promise<T> {
  const { store, log } = services;
  const after: (() => void)[] = [];
  const result = await store.write(async (db) => {
    after.length = 0;
    const notes: Notes = { entries: [], events: [] };
    const ctx: Ctx = {
      db,
      dialect: store.dialect,
      now: new Date().toISOString(),
      actor: { type: 'system' },
      settings: await services.settings.get(db),
      requestId,
      ip,
      log,
      random: randomBytes,
      prepared: { warnings: [] },
      audit: (entry) => void notes.entries.push(entry),
      emit: (event) => void notes.events.push(event),
      setHeader: () => undefined,
      after: (next) => void after.push(next),
    };
    const done = await work(ctx);
    await storeNotes(ctx, notes, { endpointId, method: 'POST', path, status: 200 });
    return done;
  });
  for (const next of after) next();
  return result;
}

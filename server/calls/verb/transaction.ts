import { randomBytes } from 'node:crypto';
import type { Db, WriteOptions } from '../../db/open.ts';
import { type NotedRequest, type Notes, storeNotes } from '../../resources/audit/domain.ts';
import type { Origin, Services } from '../../services.ts';
import { type Actor, type Ctx, NOTHING_PREPARED } from '../../verbs/context.ts';
import type { Call, Executor, InTransaction, VerbCall } from '../call.ts';
import type { Wrapper } from '../chain.ts';

/** The context of a verb in one transaction, and what the verb records there. */
export type Work = { ctx: Ctx; notes: Notes; headers: Record<string, string>; after: (() => void)[] };

/** Who acts, by which request, and any values that replace the defaults of the context. */
export type Act = { actor: Actor; requestId: string; ip: string } & Partial<Pick<Ctx, 'now' | 'random' | 'prepared' | 'perform'>>;

/** Opens the context of one transaction for an actor. */
export async function openWork(services: Services, db: Db, { actor, requestId, ip, ...given }: Act): Promise<Work> {
  const notes: Notes = { entries: [], events: [] };
  const headers: Record<string, string> = {};
  const after: (() => void)[] = [];
  const ctx: Ctx = {
    db,
    dialect: services.store.dialect,
    services,
    now: new Date().toISOString(),
    actor,
    settings: await services.settings.get(db),
    requestId,
    ip,
    log: services.log,
    random: randomBytes,
    prepared: NOTHING_PREPARED,
    perform: async () => {
      throw new Error('only a request can carry out other writes of the API');
    },
    decide: async () => {
      throw new Error('only a request decides');
    },
    rehearse: async () => {
      throw new Error('only a request can look at another one');
    },
    agree: async () => {
      throw new Error('only a request agrees to another one');
    },
    checkContent: async () => {
      throw new Error('only a request can ask what its sender may read');
    },
    audit: (entry) => void notes.entries.push(entry),
    emit: (event) => void notes.events.push(event),
    setHeader(name, value) {
      headers[name] = value;
    },
    after: (work) => void after.push(work),
    ...given,
  };
  return { ctx, notes, headers, after };
}

const SYSTEM_ORIGIN: Origin = { requestId: '', ip: '', path: '' };

/** Implements `Services.transact`. */
export async function transact<T>(
  services: Services,
  action: string,
  work: (ctx: Ctx) => Promise<T>,
  { path, ...origin }: Origin = SYSTEM_ORIGIN,
): Promise<T> {
  const request: NotedRequest = { endpointId: action, method: 'POST', path, status: 200 };
  const { done, after } = await services.store.write(async (db) => {
    const opened = await openWork(services, db, { actor: { type: 'system' }, ...origin });
    const result = await work(opened.ctx);
    await storeNotes(opened.ctx, opened.notes, request);
    return { done: result, after: opened.after };
  });
  for (const follow of after) follow();
  return done;
}

/** Opens the one transaction of a call. */
export function transaction<C extends VerbCall>({ services: { store } }: Executor): Wrapper<C, InTransaction<C>> {
  return (call, next) => store.write((db) => next({ ...call, db }), writeOptionsOf(call));
}

/** Opens the snapshot of a read. */
export function snapshot({ services: { store } }: Executor): Wrapper<VerbCall, InTransaction> {
  return (call, next) => (call.isHeavy ? store.heavySnapshot : store.snapshot)((db) => next({ ...call, db }));
}

/**
 * With If-Match, nothing may change the record between the check and the verb's own lock. Calls and reports of a dry run are `patient`:
 * they do not end the pass of a dry run that holds the writer.
 */
export function writeOptionsOf(call: Call): WriteOptions {
  const { actor } = call;
  return { unchanged: call.header('if-match') !== undefined, patient: actor.type === 'task' && actor.dryRun };
}

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Ctx, Steps } from '../context.ts';
import { dropLeases, keepsLease, renewLeases, takeLease } from '../db/leases.ts';
import type { Db } from '../db/open.ts';
import { Refusal } from '../problem.ts';
import type { Services } from '../services.ts';
import {
  type Answer,
  type Asked,
  type Executor,
  finishWrite,
  guarded,
  type Input,
  inProgress,
  inputOf,
  lockedAnswer,
  openWork,
  storeWork,
  type Work,
} from './execute.ts';
import { fingerprintOf, keepAnswer, parseKey, type StoredAnswer, scopeOf } from './idempotency.ts';
import { checkIfMatch, findRecord } from './records.ts';

/** A call whose verb is several short transactions; it gives the last one, whose result is the answer. */
export type StepsCall = Asked & { verb: (steps: Steps, input: Input) => Promise<(ctx: Ctx) => Promise<unknown>> };

const WAIT_MS = 5000;
const LOOK_EVERY_MS = 50;
const LEASE_MAX_MS = 10_000;

type Opened = { input: Input } | { known: StoredAnswer & { at: string } };

/**
 * Runs a verb that asks somebody outside between its transactions. A repeat waits for the first request with its key,
 * whose hold on it lapses when its server dies; the answer is stored in the last transaction.
 */
export async function executeSteps(executor: Executor, call: StepsCall): Promise<Answer> {
  if (call.actor.type === 'task') {
    throw new Refusal('not_applicable', `${call.endpoint.id} asks somebody outside the shop, which a run cannot do; an admin can.`);
  }
  const key = parseKey(call.header('idempotency-key'));
  const scope = key === undefined ? null : scopeOf(call.actor, call.endpoint.method, call.target, key);
  const holder = randomUUID();
  const opened = await open(executor, call, scope, holder);
  if ('known' in opened) return { ...opened.known, replayed: true, after: [] };
  const { store, log } = executor.services;
  const stopKeeping = keepLeases(executor.services, holder);
  try {
    return await run(executor, call, opened.input, scope, holder);
  } catch (error) {
    await store.write((db) => dropLeases(db, holder)).catch((cause: unknown) => log.warn({ err: cause }, 'leases of a call not dropped'));
    throw error;
  } finally {
    stopKeeping();
  }
}

function leaseMs({ config }: Services): number {
  return Math.min(LEASE_MAX_MS, config.leaseSeconds * 1000);
}

/** Replay, 404, 412 and 422, in a transaction that also takes the key. */
async function open(executor: Executor, call: StepsCall, scope: string | null, holder: string): Promise<Opened> {
  const { store } = executor.services;
  const check = async (db: Db): Promise<Opened> => {
    await checkRecord(executor, call, db);
    return { input: inputOf(call) };
  };
  if (scope === null) return store.snapshot(check);
  const until = performance.now() + WAIT_MS;
  for (;;) {
    const opened = await store.write(async (db) => {
      const known = await lockedAnswer(executor, db, scope, fingerprintOf(call.body.raw));
      if (known) return { known };
      const taken = await takeLease({ db, dialect: store.dialect }, scope, holder, leaseMs(executor.services));
      return taken ? check(db) : null;
    });
    if (opened) return opened;
    if (performance.now() > until) throw inProgress();
    await delay(LOOK_EVERY_MS);
  }
}

async function checkRecord({ versions }: Executor, call: Asked, db: Db): Promise<void> {
  checkIfMatch(call.header('if-match'), await findRecord(versions, db, call.endpoint, call.params));
}

function keepLeases(services: Services, holder: string): () => void {
  const { store, log } = services;
  const renew = (): void => {
    store
      .write((db) => renewLeases({ db, dialect: store.dialect }, holder, leaseMs(services)))
      .catch((error: unknown) => log.warn({ err: error }, 'leases of a call not renewed'));
  };
  const timer = setInterval(renew, leaseMs(services) / 4);
  return () => clearInterval(timer);
}

async function run(executor: Executor, call: StepsCall, input: Input, scope: string | null, holder: string): Promise<Answer> {
  const { services } = executor;
  const { store } = services;
  const before: Pick<Work, 'notes' | 'after'> = { notes: { entries: [], events: [] }, after: [] };
  let isFirst = true;

  /** With If-Match the record must still be the one that was named when the first change is made. */
  async function transact<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const checks = isFirst;
    const done = await store.write(async (db) => {
      if (checks) await checkRecord(executor, call, db);
      return work(db);
    }, guarded(call));
    isFirst = false;
    return done;
  }

  const steps: Steps = {
    actor: call.actor,
    requestId: call.requestId,
    log: services.log,
    scope,
    step: async (verb) => {
      const { result, work } = await transact(async (db) => {
        const opened = openWork(services, call, db, await services.settings.get(db));
        const value = await verb(opened.ctx);
        await storeWork(call, opened);
        return { result: value, work: opened };
      });
      before.notes.entries.push(...work.notes.entries);
      before.after.push(...work.after);
      return result;
    },
    hold: (ctx, name) => takeLease(ctx, name, holder, leaseMs(services)),
  };
  const last = await call.verb(steps, input);
  return transact(async (db) => {
    const fingerprint = fingerprintOf(call.body.raw);
    if (scope !== null) {
      const known = await lockedAnswer(executor, db, scope, fingerprint);
      if (known) return { ...known, replayed: true, after: [] };
      if (!(await keepsLease({ db, dialect: store.dialect }, scope, holder))) throw inProgress();
    }
    const work = openWork(services, call, db, await services.settings.get(db));
    const result = await last(work.ctx);
    if (work.notes.entries.length + before.notes.entries.length === 0) throw new Error(`${call.endpoint.id} wrote without an audit entry`);
    const answer = await finishWrite(executor, call, work, result);
    if (scope !== null) await keepAnswer(db, scope, fingerprint, answer, answer.at);
    await dropLeases(db, holder);
    return { ...answer, after: [...before.after, ...answer.after] };
  });
}

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isWrite } from '../../../contract/endpoint.ts';
import type { Db } from '../../db/open.ts';
import { dropLeases, keepsLease, renewLeases, takeLease } from '../../db/queries/leases.ts';
import type { Services } from '../../services.ts';
import type { Steps } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import type { Input, StepsRoute } from '../../verbs/route.ts';
import type { Answer, Call, Executor } from '../call.ts';
import { inProgress, type StoredAnswer } from '../keys/idempotency.ts';
import { finishWrite, inputOf, openCallWork, storeWork } from '../verb/execution.ts';
import { checkIfMatch, currentEtag, findRecord } from '../verb/record-etags.ts';
import { sampled } from '../verb/sample.ts';
import { type Work, writeOptionsOf } from '../verb/transaction.ts';
import { type CallMemory, isEnded, memoryOf } from './call-memory.ts';

type Route = StepsRoute<Input, unknown>;

const WAIT_MS = 5000;
const LOOK_EVERY_MS = 50;
const LEASE_MAX_MS = 10_000;
/** Time that a stopping server gives a request to somebody outside to finish. */
const STOP_GRACE_MS = 8000;

type Opened = { input: Input; wasBegun: boolean } | { known: StoredAnswer & { at: string } };

/**
 * Runs a verb that asks somebody outside between its transactions. A repeat waits for the first request with its key, whose lease on the
 * key lapses if its server dies. The answer is stored in the last transaction.
 */
export async function executeSteps(executor: Executor, call: Call, route: Route): Promise<Answer> {
  if (call.actor.type === 'task' && call.actor.dryRun) return executor.execute(sampled(call, route));
  const memory = memoryOf(executor, call);
  const holder = randomUUID();
  const stop = new AbortController();
  const keeping = keepLeases(executor.services, call, holder, stop);
  try {
    const opened = await open(executor, call, memory, holder);
    const answer =
      'known' in opened
        ? { ...opened.known, replayed: true, after: [] }
        : await run(executor, call, route, opened, { memory, holder, signal: stop.signal });
    return { ...answer, after: [...answer.after, ...memory.after] };
  } catch (error) {
    const refused = await giveUp(executor.services, memory, holder, error);
    if (refused === null || refused instanceof Refusal) throw refused ?? error;
    return { ...refused, after: memory.after };
  } finally {
    keeping.stop();
  }
}

function leaseMs({ config }: Services): number {
  return Math.min(LEASE_MAX_MS, config.leaseSeconds * 1000);
}

/** Drops the leases of a failed call; a refusal that counts as its answer is stored in the same transaction. */
async function giveUp({ store, log }: Services, memory: CallMemory, holder: string, error: unknown): Promise<Answer | Refusal | null> {
  try {
    return await store.write(async (db) => {
      const kept = await memory.keepRefusal(db, error);
      await dropLeases(db, holder);
      return kept;
    });
  } catch (cause) {
    log.debug({ err: cause }, 'the refusal of a call could not be stored');
    await store
      .write((db) => dropLeases(db, holder))
      .catch((err: unknown) => log.warn({ err }, 'the leases of a call could not be dropped'));
    return null;
  }
}

/** The first transaction: it takes the key, finds a stored answer, and checks 404, 412 and 422. */
async function open(executor: Executor, call: Call, memory: CallMemory, holder: string): Promise<Opened> {
  const { store } = executor.services;
  const { scope } = memory;
  const check = async (db: Db): Promise<{ input: Input }> => {
    await checkRecord(executor, call, db);
    return { input: inputOf(call) };
  };
  if (scope === null) return { ...(await store.snapshot(check)), wasBegun: false };
  const until = performance.now() + WAIT_MS;
  for (;;) {
    const opened = await store.write(async (db) => {
      const known = await memory.find(db);
      if (known) return { known };
      if (!(await takeLease({ db, dialect: store.dialect }, scope, holder, leaseMs(executor.services)))) return null;
      const wasBegun = await memory.begin(db);
      return { ...(await check(db)), wasBegun };
    });
    if (opened) return opened;
    if (performance.now() > until) throw inProgress();
    await delay(LOOK_EVERY_MS);
  }
}

async function checkRecord(executor: Executor, call: Call, db: Db): Promise<void> {
  const { recordVersions } = executor;
  const etag = await findRecord(recordVersions, db, call);
  await checkIfMatch(call.header('if-match'), etag, async () => {
    const { ctx } = await openCallWork(executor, call, db);
    return currentEtag(recordVersions, ctx, call.endpoint, call.params);
  });
}

/** Renews the call's leases while it runs; aborts its requests to others if its run has ended or the server stops. */
function keepLeases(services: Services, call: Call, holder: string, stop: AbortController): { stop(): void } {
  const { store, log, stopping } = services;
  const renew = async (): Promise<void> => {
    await store.write((db) => renewLeases({ db, dialect: store.dialect }, holder, leaseMs(services)));
    if (await isEnded(store.reader, call.actor)) stop.abort();
  };
  const timer = setInterval(
    () => renew().catch((error: unknown) => log.warn({ err: error }, 'the leases of a call could not be renewed')),
    leaseMs(services) / 4,
  );
  const onStop = (): void => void setTimeout(() => stop.abort(), STOP_GRACE_MS).unref();
  stopping.addEventListener('abort', onStop, { once: true });
  return {
    stop() {
      clearInterval(timer);
      stopping.removeEventListener('abort', onStop);
    },
  };
}

type Going = { memory: CallMemory; holder: string; signal: AbortSignal };

async function run(
  executor: Executor,
  call: Call,
  route: Route,
  { input, wasBegun }: { input: Input; wasBegun: boolean },
  { memory, holder, signal }: Going,
): Promise<Answer> {
  const { services } = executor;
  const { store } = services;
  const { scope } = memory;
  const before: Pick<Work, 'notes' | 'after'> = { notes: { entries: [], events: [] }, after: [] };
  let isFirst = true;

  /** With If-Match, the record must still have the named version when the first change is made. */
  async function transact<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const checks = isFirst;
    const done = await store.write(async (db) => {
      await memory.check(db);
      if (checks) await checkRecord(executor, call, db);
      return work(db);
    }, writeOptionsOf(call));
    isFirst = false;
    return done;
  }

  const steps: Steps = {
    services,
    actor: call.actor,
    requestId: call.requestId,
    log: services.log,
    scope,
    wasBegun,
    signal,
    step: async (verb) => {
      const { result, work } = await transact(async (db) => {
        const opened = await openCallWork(executor, call, db);
        const value = await verb(opened.ctx);
        await storeWork(call, opened);
        return { result: value, work: opened };
      });
      before.notes.entries.push(...work.notes.entries);
      before.after.push(...work.after);
      return result;
    },
    look: (verb) => store.heavySnapshot(async (db) => verb((await openCallWork(executor, call, db)).ctx)),
    hold: (ctx, name) => takeLease(ctx, name, holder, leaseMs(services)),
  };
  const last = await route.verb(steps, input);
  return transact(async (db) => {
    if (scope !== null) {
      const known = await memory.find(db);
      if (known) return { ...known, replayed: true, after: [] };
      if (!(await keepsLease({ db, dialect: store.dialect }, scope, holder))) throw inProgress();
    }
    const work = await openCallWork(executor, call, db);
    const result = await last(work.ctx);
    const isAudited = work.notes.entries.length + before.notes.entries.length > 0;
    if (!isAudited && isWrite(call.endpoint)) throw new Error(`${call.endpoint.id} wrote without an audit entry`);
    const answer = await finishWrite(executor, call, work, result);
    await memory.keep(db, answer);
    await dropLeases(db, holder);
    return { ...answer, after: [...before.after, ...answer.after] };
  });
}

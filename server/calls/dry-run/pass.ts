import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../../db/open.ts';
import { rolledBack, savepoint } from '../../db/queries/savepoint.ts';
import { stageIds } from '../../db/staged-ids.ts';
import { type Statement, watched } from '../../db/watched.ts';
import { Refusal } from '../../verbs/problem.ts';
import type { Answer, Executor, InTransaction, ScriptCall } from '../call.ts';
import type { Wrapper } from '../chain.ts';
import { holdClaim } from '../journal/claims.ts';
import type { CallQueue, QueuedCall } from './call-queue.ts';
import { mark, markLost, unmark } from './pass-marks.ts';
import { PassPlan } from './pass-plan.ts';
import { SlotEnded, WriterSlot, writerTimeSpent } from './writer-slot.ts';

/** How often a pass may start. */
const TRIES = 8;
/** The pauses between tries double, up to this multiple of the first pause. */
const LONGEST_PAUSE = 16;

/** One pass, which begins with the first call of the queue. */
export class Pass {
  readonly #executor: Executor;
  readonly #queue: CallQueue;
  readonly #entry: Wrapper<InTransaction<ScriptCall>>;
  readonly #id = randomUUID();
  /** True once an answer was given that is not stored yet. */
  #hasAnswered = false;
  #slot: WriterSlot | undefined;

  constructor(executor: Executor, queue: CallQueue, entry: Wrapper<InTransaction<ScriptCall>>) {
    this.#executor = executor;
    this.#queue = queue;
    this.#entry = entry;
  }

  async run(): Promise<void> {
    const { config } = this.#executor.services;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#try(attempt === TRIES);
      } catch (error) {
        if (this.#hasAnswered) return this.#lose(error);
        if (!(error instanceof SlotEnded) || attempt === TRIES) {
          return this.#refuse(error instanceof SlotEnded ? writerTimeSpent(config.dryRunHoldMs) : error);
        }
      } finally {
        this.#executor.heldTimes.add(this.#queue.actor.runId, this.#slot?.workedMs ?? 0);
        this.#slot = undefined;
      }
      await delay(config.dryRunHoldMs * Math.min(2 ** (attempt - 1), LONGEST_PAUSE));
    }
  }

  async #try(isLast: boolean): Promise<void> {
    const { store } = this.#executor.services;
    await mark(store, this.#queue.actor, this.#id);
    const after = await store.write(
      (db) => {
        // PostgreSQL may undo a transaction and ask for it again; answers that were given cannot be taken back.
        if (this.#hasAnswered) throw new Error('a pass of a dry run cannot be repeated after it has given answers');
        return this.#hold(db, isLast);
      },
      { patient: true },
    );
    for (const work of after) work();
  }

  /** Answers the calls of the queue. An error ends the pass; if calls were answered before, they are kept. */
  async #hold(db: Db, isLast: boolean): Promise<(() => void)[]> {
    const executor = this.#executor;
    const { services, heldTimes, knownPlans } = executor;
    const { store, stopping } = services;
    const { actor } = this.#queue;
    const slot = new WriterSlot({ services, heldTimes, runId: actor.runId });
    this.#slot = slot;
    await holdClaim(db, actor, false);
    const plan = await PassPlan.open(executor, db, actor, slot);
    const kept: Statement[] = [];
    const after: (() => void)[] = [];
    const work = async (): Promise<void> => {
      await stageIds({ db, dialect: store.dialect });
      await plan.carryOutAgain();
      slot.established();
      slot.mayOverrun = isLast;
      for (let next = this.#queue.first; next; next = await this.#queue.next(slot, (by) => store.isWaitedFor(db, by), stopping)) {
        await this.#answer(next, { db, plan, slot, kept, after });
        slot.mayOverrun = false;
      }
    };
    await rolledBack(db, work, (error) => {
      if (!this.#hasAnswered) throw error;
      services.log.debug({ err: error }, 'a pass of a dry run ends early');
    });
    for (const query of kept) await db.executeQuery(query);
    await plan.countAgain();
    await unmark(db, this.#id);
    return [...after, () => knownPlans.keep(actor.lineageId, plan.known)];
  }

  async #answer(queued: QueuedCall, { db, plan, slot, kept, after }: Held): Promise<void> {
    const stored: Statement[] = [];
    // The entry is made behind the savepoint, so that later calls find it, and once more when the pass ends.
    const entryDb = watched(db, { after: (query, result) => void (result && isWriting(query) && stored.push(query)) });
    let answer: Answer;
    try {
      await slot.check();
      answer = await savepoint(db, () => queued.within(() => this.#entry({ ...queued.call, db: entryDb }, (one) => plan.carryOut(one))));
    } catch (error) {
      plan.dropLast();
      if (!(error instanceof Refusal)) throw error;
      this.#queue.shift();
      queued.reject(error);
      return;
    }
    plan.keepLast();
    kept.push(...stored);
    after.push(...answer.after);
    this.#hasAnswered = true;
    this.#queue.shift();
    queued.resolve({ ...answer, after: [] });
  }

  /** The call cannot be answered. The mark is taken back; if that fails, the attempt ends as if an answer had been lost. */
  async #refuse(error: unknown): Promise<void> {
    const { store, log } = this.#executor.services;
    this.#executor.knownPlans.forget(this.#queue.actor.lineageId);
    await store
      .write((db) => unmark(db, this.#id), { patient: true })
      .catch((err: unknown) => log.warn({ err }, 'the mark of a pass of a dry run could not be taken back'));
    const queued = this.#queue.first;
    this.#queue.shift();
    queued?.reject(error);
  }

  /** Answers that were given could not be stored, so the mark stays and ends the attempt (`pass-marks.ts`). */
  async #lose(error: unknown): Promise<void> {
    const { store, log } = this.#executor.services;
    log.error({ err: error, run_id: this.#queue.actor.runId }, 'answers of a dry run could not be stored; its attempt ends');
    this.#executor.knownPlans.forget(this.#queue.actor.lineageId);
    await store
      .write((db) => markLost(db, this.#id), { patient: true })
      .catch((err: unknown) => log.warn({ err }, 'the mark of a pass of a dry run could not be ended'));
  }
}

type Held = { db: Db; plan: PassPlan; slot: WriterSlot; kept: Statement[]; after: (() => void)[] };

function isWriting({ sql: text }: Statement): boolean {
  return !/^\s*select\b/i.test(text);
}

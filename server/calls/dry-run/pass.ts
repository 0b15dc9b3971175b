import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../../db/open.ts';
import { rolledBack, savepoint } from '../../db/queries/savepoint.ts';
import { stageIds } from '../../db/staged-ids.ts';
import { type Statement, watched } from '../../db/watched.ts';
import type { TaskActor } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import type { Answer, Executor, VerbCall } from '../call.ts';
import { holdClaim } from '../journal/journal.ts';
import { type Asked, Line } from './call-queue.ts';
import { mark, markLost, unmark } from './pass-marks.ts';
import { StagedPlan } from './pass-plan.ts';
import { Turn, TurnEnded, writerTimeSpent } from './writer-slot.ts';

/** How often a pass may start. */
const TRIES = 8;
/** The pauses between tries double, up to this multiple of the first pause. */
const LONGEST_PAUSE = 16;

/**
 * Carries out a call and its entry in the journal in one transaction; `carryOut` carries out the call alone. A pass gives `db` the entry
 * only.
 */
export type Journalled = (call: VerbCall, db: Db, carryOut: (call: VerbCall) => Promise<Answer>) => Promise<Answer>;

/**
 * Answers a call of a dry run in a pass: a transaction that first carries out the plan so far, then one call after the other as long as the
 * next one is near, and in the end undoes all of it and stores the answers and the writes that have come to the plan (spec DR2).
 */
export function answerInPass(executor: Executor, call: VerbCall, actor: TaskActor, journalled: Journalled): Promise<Answer> {
  const { lines } = executor;
  const open = lines.get(actor.claimId);
  if (open) return open.ask(call);
  const line = new Line(actor);
  lines.set(actor.claimId, line);
  const answer = line.ask(call);
  void serve(executor, line, journalled);
  return answer;
}

/** Whoever looks at a run sees all that its script has got answers for, as far as this server gave them. */
export async function afterPass({ lines }: Executor, runId: unknown): Promise<void> {
  for (const line of lines.values()) if (line.actor.runId === runId) await line.stored();
}

async function serve(executor: Executor, line: Line, journalled: Journalled): Promise<void> {
  while (line.first) {
    await new Pass(executor, line, journalled).run();
    line.passEnded();
  }
  // Nothing is awaited between the look at the line and this, so no call is overlooked.
  executor.lines.delete(line.actor.claimId);
}

class Pass {
  readonly #executor: Executor;
  readonly #line: Line;
  readonly #journalled: Journalled;
  readonly #id = randomUUID();
  /** True once an answer was given that is not stored yet. */
  #hasAnswered = false;
  #turn: Turn | undefined;

  constructor(executor: Executor, line: Line, journalled: Journalled) {
    this.#executor = executor;
    this.#line = line;
    this.#journalled = journalled;
  }

  async run(): Promise<void> {
    const { config } = this.#executor.services;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#try(attempt === TRIES);
      } catch (error) {
        if (this.#hasAnswered) return this.#lose(error);
        if (!(error instanceof TurnEnded) || attempt === TRIES) {
          return this.#refuse(error instanceof TurnEnded ? writerTimeSpent(config.dryRunHoldMs) : error);
        }
      } finally {
        this.#executor.heldTimes.add(this.#line.actor.runId, this.#turn?.workedMs ?? 0);
        this.#turn = undefined;
      }
      await delay(config.dryRunHoldMs * Math.min(2 ** (attempt - 1), LONGEST_PAUSE));
    }
  }

  async #try(isLast: boolean): Promise<void> {
    const { store } = this.#executor.services;
    await mark(store, this.#line.actor, this.#id);
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

  /** Answers the calls of the line. An error ends the pass; if calls were answered before, they are kept. */
  async #hold(db: Db, isLast: boolean): Promise<(() => void)[]> {
    const executor = this.#executor;
    const { services, heldTimes, knownPlans } = executor;
    const { store, stopping } = services;
    const { actor } = this.#line;
    const turn = new Turn({ services, heldTimes, runId: actor.runId });
    this.#turn = turn;
    await holdClaim(db, actor, false);
    const plan = await StagedPlan.open(executor, db, actor, turn);
    const kept: Statement[] = [];
    const after: (() => void)[] = [];
    const work = async (): Promise<void> => {
      await stageIds(db, store.dialect);
      await plan.carryOutAgain();
      turn.established();
      turn.isUncut = isLast;
      for (let next = this.#line.first; next; next = await this.#line.next(turn, (by) => store.isWaitedFor(db, by), stopping)) {
        await this.#answer(next, { db, plan, turn, kept, after });
        turn.isUncut = false;
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

  async #answer(asked: Asked, { db, plan, turn, kept, after }: Held): Promise<void> {
    const entry: Statement[] = [];
    // The entry is made behind the savepoint, so that later calls find it, and once more when the pass ends.
    const entryDb = watched(db, { after: (query, result) => void (result && isWriting(query) && entry.push(query)) });
    let answer: Answer;
    try {
      await turn.check();
      answer = await savepoint(db, () => asked.within(() => this.#journalled(asked.call, entryDb, (one) => plan.carryOut(one, entryDb))));
    } catch (error) {
      plan.dropLast();
      if (!(error instanceof Refusal)) throw error;
      this.#line.leave();
      asked.reject(error);
      return;
    }
    plan.keepLast();
    kept.push(...entry);
    after.push(...answer.after);
    this.#hasAnswered = true;
    this.#line.leave();
    asked.resolve({ ...answer, after: [] });
  }

  /** The call cannot be answered. The mark is taken back; if that fails, the attempt ends as if an answer had been lost. */
  async #refuse(error: unknown): Promise<void> {
    const { store, log } = this.#executor.services;
    this.#executor.knownPlans.forget(this.#line.actor.lineageId);
    await store
      .write((db) => unmark(db, this.#id), { patient: true })
      .catch((err: unknown) => log.warn({ err }, 'the mark of a pass of a dry run could not be taken back'));
    const asked = this.#line.first;
    this.#line.leave();
    asked?.reject(error);
  }

  /** Answers that were given could not be stored, so the mark stays and ends the attempt (`pass-marks.ts`). */
  async #lose(error: unknown): Promise<void> {
    const { store, log } = this.#executor.services;
    log.error({ err: error, run_id: this.#line.actor.runId }, 'answers of a dry run could not be stored; its attempt ends');
    this.#executor.knownPlans.forget(this.#line.actor.lineageId);
    await store
      .write((db) => markLost(db, this.#id), { patient: true })
      .catch((err: unknown) => log.warn({ err }, 'the mark of a pass of a dry run could not be ended'));
  }
}

type Held = { db: Db; plan: StagedPlan; turn: Turn; kept: Statement[]; after: (() => void)[] };

function isWriting({ sql: text }: Statement): boolean {
  return !/^\s*select\b/i.test(text);
}

import { isWrite } from '../../../contract/endpoint.ts';
import {
  countCarriedOut,
  keepPlanned,
  lockPlan,
  outcomeOf,
  type PlannedWrite,
  randomOf,
  recordsOf,
  refuseAgain,
  refuseChangedOutcome,
  refuseWrite,
} from '../../automation/dry-runs/domain.ts';
import type { Db } from '../../db/open.ts';
import { storeEffects } from '../../resources/audit/domain.ts';
import type { AuditEntry, TaskActor } from '../../verbs/context.ts';
import type { Answer, Executor, InTransaction } from '../call.ts';
import { journalledCall } from '../journal/journal.ts';
import { answerOrRefusal } from '../verb/stored-refusals.ts';
import { writeAgain } from '../verb/stored-write.ts';
import { givenOf, type KnownWrite, Recorder, redo } from './redo-log.ts';
import type { WriterSlot } from './writer-slot.ts';

type Opened = { executor: Executor; db: Db; actor: TaskActor; slot: WriterSlot; seed: string; carriedOutAgain: number };

/** The plan of a dry run inside a pass. */
export class PassPlan {
  readonly #opened: Opened;
  readonly #recorder: Recorder;
  readonly known: KnownWrite[];
  #last: KnownWrite | null = null;
  #recordsAgain = 0;

  /** Locks the plan until the transaction ends. */
  static async open(executor: Executor, db: Db, actor: TaskActor, slot: WriterSlot): Promise<PassPlan> {
    const known = executor.knownPlans.of(actor.lineageId);
    const { seed, carriedOutAgain, writes } = await lockPlan(db, actor.lineageId, known.length);
    const all = [...known, ...writes.map((write): KnownWrite => ({ write, statements: null }))];
    return new PassPlan({ executor, db, actor, slot, seed, carriedOutAgain }, all);
  }

  private constructor(opened: Opened, known: KnownWrite[]) {
    this.#opened = opened;
    this.known = known;
    this.#recorder = new Recorder(opened.db, { before: () => opened.slot.checkStatement() });
  }

  /** Brings the transaction to the state after the plan: by the statements of each write where they return the same, else by its verb. */
  async carryOutAgain(): Promise<void> {
    const { slot, carriedOutAgain, executor } = this.#opened;
    const { dryRunWrites } = executor.services.metrics;
    const given = await this.#given();
    for (const one of this.known) {
      if (one.write.isOutside) continue;
      await slot.check();
      if (one.statements?.given === given && (await redo(this.#recorder.db, one.statements))) {
        dryRunWrites.inc({ how: 'repeated' });
        continue;
      }
      dryRunWrites.inc({ how: 'executed' });
      this.#recordsAgain += recordsOf(one.write);
      refuseAgain(carriedOutAgain + this.#recordsAgain);
      this.#recorder.take(given);
      await this.#executeAgain(one.write);
      one.statements = this.#recorder.take(given);
    }
  }

  /** Carries out a call. What it would change is kept with the plan, through the call's `db`, as is what the run would do. */
  async carryOut(call: InTransaction): Promise<Answer> {
    const { executor, actor, seed } = this.#opened;
    const { db: entry } = call;
    // A call that got a sample must not be carried out again, so the plan also has to record that nobody was asked.
    const isWriting = isWrite(call.endpoint) || call.outside !== undefined;
    const position = this.known.length + 1;
    if (isWriting) await refuseWrite(entry, actor, this.known.length);
    const { method, path, body } = journalledCall(call);
    const at = new Date().toISOString();
    const effects: AuditEntry[] = [];
    const given = await this.#given();
    const staging = {
      now: at,
      random: randomOf(seed, position),
      record: (entries: readonly AuditEntry[]) => void effects.push(...entries),
    };
    this.#recorder.take(given);
    const answer = await answerOrRefusal(executor, { ...call, staging, db: this.#recorder.db });
    const statements = this.#recorder.take(given);
    if (isWriting && answer.status < 400) {
      const isOutside = call.outside?.isAsked ?? false;
      const outcome = outcomeOf(answer.status, answer.body, effects);
      const write: PlannedWrite = { position, method, path, body, prepared: call.prepared, isOutside, at, outcome };
      await keepPlanned(entry, actor.lineageId, write);
      await storeEffects(entry, actor, effects, { method, path, status: answer.status, at });
      this.#last = { write, statements };
    }
    // The ETag of a record that existed only behind the savepoint is not returned, because the real record may get the same one later.
    const { ETag: _, ...headers } = answer.headers;
    return { ...answer, headers, after: [] };
  }

  /** The last call is answered, so its write belongs to the plan. */
  keepLast(): void {
    if (this.#last) {
      this.known.push(this.#last);
      this.#opened.executor.services.metrics.dryRunWrites.inc({ how: 'planned' });
    }
    this.#last = null;
  }

  dropLast(): void {
    this.#last = null;
  }

  async countAgain(): Promise<void> {
    await countCarriedOut(this.#opened.db, this.#opened.actor.lineageId, this.#recordsAgain);
  }

  async #given(): Promise<string> {
    const { executor, actor, db } = this.#opened;
    return givenOf(actor, await executor.services.settings.get(db));
  }

  async #executeAgain(write: PlannedWrite): Promise<void> {
    const { executor, actor, seed } = this.#opened;
    const effects: AuditEntry[] = [];
    const staging = {
      now: write.at,
      random: randomOf(seed, write.position),
      record: (entries: readonly AuditEntry[]) => void effects.push(...entries),
    };
    const again = writeAgain(executor, write, { actor, ...WITHOUT_REQUEST, prepared: write.prepared, staging });
    const { status, body } = await answerOrRefusal(executor, { ...again, db: this.#recorder.db });
    refuseChangedOutcome(write, outcomeOf(status, body, effects), actor);
  }
}

/** What is carried out again belongs to no request of its own, and the audit entries that would name one are undone. */
const WITHOUT_REQUEST = { requestId: '', ip: '' };

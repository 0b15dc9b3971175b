import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { SourceWarning } from '../../../contract/source-warning.ts';
import type { Db } from '../../db/open.ts';
import { readSettings } from '../../resources/settings/domain.ts';
import type { AuditEntry, Prepared, RandomBytes, TaskActor } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import { requireTask, settingsOf } from '../tasks/domain.ts';
import { limitsOf } from '../tasks/rules.ts';
import { type Difference, firstDifference, type Tolerated } from './rules.ts';
import * as store from './store.ts';

/** A write that a dry run would make. */
export type PlannedWrite = {
  /** Counted from 1. */
  position: number;
  method: string;
  path: string;
  body: string | null;
  prepared: Prepared;
  isOutside: boolean;
  at: string;
  outcome: Outcome;
};

/** The parts of a write that are compared between passes: the answer that the script sees, and the changes that it makes. */
export type Outcome = { status: number; body: unknown; effects: readonly Effect[] };
/** An effect as it is stored: its type of record may be one of an older version. */
type Effect = Pick<AuditEntry, 'changes'> & { resource: { type: string; id: number | null } };

export type Plan = { seed: string; carriedOutAgain: number; writes: readonly PlannedWrite[] };

/** How many records all calls of one dry run may change again, in total, when earlier writes are executed again. */
const CARRIED_OUT_MAX = 20_000;

/** The cost of executing a write again: one for each record that it changes, and at least one. */
export function recordsOf({ outcome }: PlannedWrite): number {
  return Math.max(1, outcome.effects.length);
}

/**
 * The plan so far, without its first `known` writes. Its lineage is locked until the transaction ends, so that of two concurrent calls the
 * second sees the first one's writes.
 */
export async function lockPlan(db: Db, lineageId: string, known = 0): Promise<Plan> {
  const lineage = await store.lockLineage(db, { lineageId });
  if (!lineage) throw new Error(`there is no lineage ${lineageId}`);
  const writes = (await store.selectPlan(db, lineageId, known)).map(plannedOf);
  return { seed: lineage.seed, carriedOutAgain: lineage.carried_out_again, writes };
}

/** Locks the plan, so that no pass of its dry run is under way until the transaction ends. */
export async function waitForPass(db: Db, lineageId: string): Promise<void> {
  await store.lockLineage(db, { lineageId });
}

/** Locks the plan likewise. */
export async function lockEmptyPlan(db: Db, lineageId: string): Promise<boolean> {
  await store.lockLineage(db, { lineageId });
  return store.isPlanEmpty(db, lineageId);
}

/** Refuses a write beyond those that the plan may have; the refusal ends the run (spec DR5). */
export async function refuseWrite(db: Db, actor: TaskActor, planned: number): Promise<void> {
  const { limits } = settingsOf(await requireTask(db, actor.taskId));
  const { dry_run_writes: most } = limitsOf(limits, (await readSettings(db)).limits_max);
  if (planned >= most) throw budgetSpent('dry_run_writes', `${most} writes`);
}

/** Refuses to change more records again than a dry run may; likewise. */
export function refuseAgain(records: number): void {
  if (records > CARRIED_OUT_MAX) throw budgetSpent('carried_out_again', `${CARRIED_OUT_MAX} records changed again`);
}

function budgetSpent(budget: string, limit: string): Refusal {
  return new Refusal('dry_run_full', `The budget of this dry run, ${limit}, is spent.`, { extra: { budget, limit } });
}

export async function keepPlanned(db: Db, lineageId: string, write: PlannedWrite): Promise<void> {
  const { position, method, path, body, prepared, isOutside, at, outcome } = write;
  await store.insertPlanned(db, {
    lineage_id: lineageId,
    ...{ position, method, path, body, at },
    warnings: JSON.stringify(prepared.warnings),
    is_outside: isOutside ? 1 : 0,
    status: outcome.status,
    answer: outcome.body === null ? null : JSON.stringify(outcome.body),
    effects: JSON.stringify(outcome.effects),
  });
}

export async function countCarriedOut(db: Db, lineageId: string, count: number): Promise<void> {
  if (count > 0) await store.addCarriedOut(db, lineageId, count);
}

export { deletePlans as forgetPlans, insertPlanned, selectPlan } from './store.ts';

/**
 * Returns the source of random bytes for one write. It gives the same bytes in each pass and when the plan is applied; they
 * cannot be guessed without the seed.
 */
export function randomOf(seed: string, position: number): RandomBytes {
  let drawn = 0;
  return (size) => {
    const blocks: Buffer[] = [];
    for (let length = 0; length < size; length += 32) {
      drawn += 1;
      blocks.push(createHmac('sha256', seed).update(`write ${position}/${drawn}`).digest());
    }
    return Buffer.concat(blocks).subarray(0, size);
  };
}

/** Builds the outcome of a write. The effects go through JSON, because they are compared with stored JSON. */
export function outcomeOf(status: number, answer: string | null, effects: readonly AuditEntry[]): Outcome {
  return {
    status,
    body: answer === null ? null : JSON.parse(answer),
    effects: Effects.parse(JSON.parse(JSON.stringify(effects.map(({ resource, changes }) => ({ resource, changes }))))),
  };
}

/** Refuses a pass in which the write's outcome differs from its first pass in any value but the id of a run that resumes (spec DR2, DR6). */
export function refuseChangedOutcome(write: PlannedWrite, now: Outcome, { adminId: id, name, runId }: TaskActor): void {
  const found = firstDifference(write.outcome, now, { acts: { planned: [{ id, name }], now: { id, name, runId } } });
  if (!found) return;
  throw new Refusal(
    'resume_mismatch',
    `The shop has changed during this dry run: its write ${write.position}, ${write.method} ${write.path}, would now get a different answer. Start a new dry run.`,
    { extra: { difference: found } },
  );
}

/**
 * Refuses to apply a plan where the write's outcome differs. Ids are mapped before; times from the dry run on may differ,
 * because the plan's own writes make them, and so may the name of whoever acts (spec DR7).
 */
export function refuseOutdated(write: PlannedWrite, expected: Outcome, actual: Outcome, tolerated: Tolerated): void {
  const found = firstDifference(expected, actual, tolerated);
  if (!found) return;
  const call = { position: write.position, method: write.method, path: write.path };
  throw new Refusal(
    'plan_outdated',
    `Write ${write.position} of the plan, ${write.method} ${write.path}, ${tell(found)}; nothing was written. Make a new dry run.`,
    { extra: { call, difference: found, problem: actual.status >= 400 ? actual.body : null } },
  );
}

function tell({ at, expected, actual }: Difference): string {
  const short = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 200);
  return `has ${short(actual)} at ${at} now, not ${short(expected)}`;
}

const Effects = z.array(
  z.object({
    resource: z.object({ type: z.string(), id: z.number().nullable() }),
    changes: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])),
  }),
);
const Warnings = z.array(SourceWarning);

function plannedOf(row: store.PlannedRow): PlannedWrite {
  const { position, method, path, body, at, status, answer } = row;
  return {
    ...{ position, method, path, body, at },
    prepared: { warnings: Warnings.parse(JSON.parse(row.warnings)), code: null },
    isOutside: row.is_outside === 1,
    outcome: { status, body: answer === null ? null : JSON.parse(answer), effects: Effects.parse(JSON.parse(row.effects)) },
  };
}

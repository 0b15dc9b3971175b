import { z } from 'zod';
import { type Trial, VersionTrial } from '../../../contract/trials.ts';
import type { Db } from '../../db/open.ts';
import type { Ctx } from '../../verbs/context.ts';
import { figuresOf, worseBy } from './rules.ts';
import * as store from './store.ts';

/** So many of the latest runs of the version before are what a new one is compared with. */
const COMPARED_RUNS = 100;

const Counts = z.array(z.int());
const Before = VersionTrial.shape.before;

/** Begins the trial of a version that has just become the current one. Without enough runs of an earlier version there is nothing to compare it with. */
export async function beginTrial(
  { db }: Pick<Ctx, 'db'>,
  trial: Trial | null,
  { id, task_id: taskId, version }: { id: number; task_id: number; version: number },
): Promise<void> {
  if (trial === null) return;
  const earlier = await store.selectVersionBefore(db, { taskId, version });
  if (!earlier) return;
  const outcomes = await store.selectOutcomes(db, earlier.id, COMPARED_RUNS);
  const failures = outcomes.filter(({ failed }) => failed === 1).length;
  const effects = outcomes.filter(({ failed }) => failed === 0).map((one) => one.effects);
  const before: z.infer<typeof Before> = { version_id: earlier.id, version: earlier.version, ...figuresOf(failures, effects) };
  await store.insertTrial(db, {
    version_id: id,
    state: 'watching',
    failures: 0,
    effects: '[]',
    before: JSON.stringify(before),
    reason: null,
    run_id: null,
    decided_at: null,
  });
}

/**
 * Counts the end of a run of a version on trial, in the transaction of the end, and pauses the version if it does worse. Returns the trial if
 * this end has paused it: the row is locked, so of ends at the same time one does.
 */
export async function judgeEnd(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  trial: Trial | null,
  run: { id: number; version_id: number },
  outcome: 'success' | 'failure',
): Promise<VersionTrial | null> {
  if (trial === null) return null;
  const row = await store.lockTrial(db, { versionId: run.version_id });
  if (row?.state !== 'watching') return null;
  const failures = row.failures + (outcome === 'failure' ? 1 : 0);
  const made = outcome === 'success' ? [((await store.countEffects(db, { runId: run.id })) ?? { n: 0 }).n] : [];
  const effects = [...Counts.parse(JSON.parse(row.effects)), ...made];
  const reason = worseBy(trial, figuresOf(failures, effects), beforeOf(row));
  const state = reason !== null ? 'paused' : failures + effects.length >= trial.runs ? 'passed' : 'watching';
  const decided = state === 'watching' ? {} : { decided_at: now, reason, run_id: reason === null ? null : run.id };
  const changes = { failures, effects: JSON.stringify(effects), state, ...decided } as const;
  await store.updateTrial(db, row.version_id, changes);
  return state === 'paused' ? trialOf({ ...row, ...changes }) : null;
}

/** Lets a paused version go on; false: it is not paused. */
export async function continueTrial({ db, now }: Pick<Ctx, 'db' | 'now'>, versionId: number): Promise<boolean> {
  const row = await store.lockTrial(db, { versionId });
  if (row?.state !== 'paused') return false;
  await store.updateTrial(db, versionId, { state: 'continued', decided_at: now });
  return true;
}

export async function findTrial(db: Db, versionId: number | null): Promise<VersionTrial | null> {
  const row = versionId === null ? undefined : await store.selectTrial(db, { versionId });
  return row ? trialOf(row) : null;
}

function trialOf(row: store.TrialRow): VersionTrial {
  const { version_id, state, reason, run_id, decided_at } = row;
  return {
    version_id,
    state,
    figures: figuresOf(row.failures, Counts.parse(JSON.parse(row.effects))),
    before: beforeOf(row),
    reason,
    run_id,
    decided_at,
  };
}

function beforeOf({ before }: store.TrialRow): z.infer<typeof Before> {
  return Before.parse(JSON.parse(before));
}

import type { InputOf, ResponseOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { TaskRunEnd } from '../../../contract/task-runs.ts';
import type { Ctx, ReplaySource, TaskActor } from '../../verbs/context.ts';
import { Refusal, refuseValue } from '../../verbs/problem.ts';
import { learn, learnOutcome } from '../runs/life/awaited-runs.ts';
import { noteInLog } from '../runs/life/waiting.ts';
import { lockRun } from '../runs/rows/domain.ts';
import { OPEN_MAX, requireEpoch } from './domain.ts';
import * as store from './store.ts';

type Input = InputOf<Endpoints['runner.await_run']>;
type Body = Input['body'];
type Awaited = ResponseOf<Endpoints['runner.await_run']>;

/**
 * Stores once for each key of the lineage that the run waits for the end of a run that it has started. `tellAwaiting` stores the outcome.
 * From then on the waiting run's output may contain what the other one could read.
 */
export async function awaitRun(ctx: Ctx, { body }: Input): Promise<Awaited> {
  const { actor } = ctx;
  if (actor.type !== 'task') throw new Refusal('forbidden', 'Only a run can wait for another one; use the token of a claim.');
  await requireEpoch(ctx.db, actor, body.key);
  if (actor.replay) return recordedEnd(ctx, actor.replay, body);
  // The started run cannot end before this transaction does, so its end finds the wait as it is stored here.
  const started = actor.dryRun ? undefined : await store.holdStarted(ctx, actor.lineageId, body.started_run_id);
  await lockRun(ctx.db, actor.runId);
  const known = await store.selectByKey(ctx.db, { lineageId: actor.lineageId, key: body.key });
  if (known && known.asked_by_claim_id !== actor.claimId) await store.markAsked(ctx.db, known.id, actor.claimId);
  if (known && known.answered_at === null && known.asked_by_run_id !== actor.runId)
    await store.askAgain(ctx.db, known.id, actor.runId, ctx.now);
  if (known) return toAwaited(known);
  if ((await store.countOpen(ctx.db, actor.lineageId)) >= OPEN_MAX)
    throw refuseValue('out_of_range', '/started_run_id', `a run may wait for at most ${OPEN_MAX} answers and ends of runs`);
  if (actor.dryRun) return sampleOf(ctx, actor, body);
  if (!started) throw refuseValue('run_not_found', '/started_run_id', `run ${actor.runId} has not started run ${body.started_run_id}`);
  return waitFor(ctx, actor, body.key, started);
}

async function waitFor(ctx: Ctx, actor: TaskActor, key: string, started: store.Started): Promise<Awaited> {
  const isOver = started.status !== 'running';
  if (!isOver) await learn(ctx.db, actor, started.id);
  const row = await store.insertPrompt(ctx.db, {
    ...(await newWait(ctx, actor, key)),
    label: `the end of run ${started.id}`,
    awaits_run_id: started.id,
    answers: isOver ? JSON.stringify(await learnOutcome(ctx.db, actor, started.id, endOf(started))) : null,
    answered_at: isOver ? ctx.now : null,
    answered_claim_id: isOver ? actor.claimId : null,
  });
  if (!isOver) await noteInLog(ctx, actor.runId, `waits for the end of run ${started.id}`);
  return toAwaited(row);
}

function endOf({ status, end_reason: endReason, error_message: errorMessage, result }: store.Started) {
  return { status, endReason, errorMessage, result };
}

/** A dry run starts nothing, so the script says with what it wants to go on. */
async function sampleOf(ctx: Ctx, actor: TaskActor, { key, sample }: Body): Promise<Awaited> {
  if (sample === undefined)
    throw new Refusal('sample_required', 'A dry run starts no task: tasks.run needs a {sample}, the result that the script then gets.');
  const end: TaskRunEnd = { status: 'success', end_reason: 'completed', error_message: null, result: sample };
  const row = await store.insertPrompt(ctx.db, {
    ...(await newWait(ctx, actor, key)),
    label: 'the end of a run that a dry run does not start',
    // No run has this number.
    awaits_run_id: 0,
    answers: JSON.stringify(end),
    answered_at: ctx.now,
    answered_claim_id: actor.claimId,
  });
  return toAwaited(row);
}

async function newWait(ctx: Ctx, { lineageId, runId, claimId }: TaskActor, key: string) {
  return {
    ...{ lineage_id: lineageId, key, run_id: runId, asked_by_run_id: runId, asked_by_claim_id: claimId },
    ...{ asked_at: ctx.now, fields: '[]', created_at: ctx.now, answered_by: null },
  };
}

/** A replay gets the recorded end. */
async function recordedEnd(ctx: Ctx, { lineageId, runId }: ReplaySource, { key, started_run_id }: Body): Promise<Awaited> {
  const recorded = await store.selectByKey(ctx.db, { lineageId, key });
  if (recorded && recorded.answered_at !== null) return toAwaited(recorded);
  throw new Refusal('not_in_recording', `The end of run ${started_run_id} is not in the recording of run ${runId}.`);
}

function toAwaited({ id, answers, answered_at }: store.PromptRow): Awaited {
  return { id, end: answers === null ? null : TaskRunEnd.parse(JSON.parse(answers)), ended_at: answered_at };
}

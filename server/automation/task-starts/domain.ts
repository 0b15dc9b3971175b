import type { InputOf, ResponseOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { CHAIN_STARTS_MAX, RUN_STARTS_MAX, START_DEPTH_MAX } from '../../../contract/task-runs.ts';
import { isEntitled } from '../../resources/admins/domain.ts';
import type { Ctx, TaskActor } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import { askingGiver } from '../parameters/domain.ts';
import { openRun } from '../runs/life/start.ts';
import { missingOfStarted } from '../tasks/given.ts';
import { grantsOf, namedTasks } from '../tasks/grants.ts';
import { insertCauses, isCause } from '../trigger-queue/domain.ts';
import { gatherTask } from './gathering.ts';
import { countStart } from './store.ts';

type Started = ResponseOf<Endpoints['task_runs.start']>;

/**
 * Opens a run of a task that the version of the calling run may start. It has its own task's version and permissions, and acts for
 * the same admin. The chain of starts counts as the cause of what it does, so that no trigger runs these tasks again for it.
 */
export async function startTask(ctx: Ctx, { task, parameters, start }: InputOf<Endpoints['task_runs.start']>['body']): Promise<Started> {
  const { actor } = ctx;
  if (actor.type !== 'task') throw new Refusal('forbidden', 'Only a run can start a task in this way, because its version says which.');
  const giver = askingGiver(ctx);
  if (!(await isEntitled(ctx.db, giver.adminId, 'admin_api.ai_tasks.write'))) {
    const detail = `Admin ${giver.adminId}, whom the run acts for, is deactivated or may not start tasks any more. Nothing was started.`;
    throw new Refusal('task_start_not_allowed', detail);
  }
  const taskId = await chosenTask(ctx, actor, task);
  await requireGiven(ctx, actor, taskId);
  const { starts, chainStarts, depth } = await countStart(ctx.db, actor.lineageId);
  if (starts > RUN_STARTS_MAX) {
    const detail = `A run, with the runs that it resumes, may start at most ${RUN_STARTS_MAX} others. Nothing was started.`;
    throw new Refusal('start_limit_reached', detail, { extra: { limit: RUN_STARTS_MAX } });
  }
  if (chainStarts > CHAIN_STARTS_MAX) {
    const detail = `Run ${actor.runId} is one of many to which a single run has led, and together they may start at most ${CHAIN_STARTS_MAX} runs. Nothing was started.`;
    throw new Refusal('start_limit_reached', detail, { extra: { limit: CHAIN_STARTS_MAX } });
  }
  if (depth >= START_DEPTH_MAX) {
    const detail = `${depth} runs stand above run ${actor.runId}, each of which started the next one; more than ${START_DEPTH_MAX} may not be. Nothing was started.`;
    throw new Refusal('start_depth_reached', detail, { extra: { limit: START_DEPTH_MAX } });
  }
  if (await isCause(ctx.db, actor.lineageId, taskId)) {
    const detail = `Task ${taskId} is the task of run ${actor.runId}, or one whose run has led to it, so it could start itself without end. Nothing was started.`;
    throw new Refusal('start_circular', detail);
  }
  if (start && Object.keys(start).length > 0) return gatherTask(ctx, { actor, giver, taskId, depth, parameters, start });
  const { run_id } = await openRun(
    ctx,
    taskId,
    { parameters, record: false, priority: 0 },
    { ...giver, startedBy: `run:${actor.runId}`, parent: { runId: actor.runId, depth } },
  );
  await insertCauses(ctx.db, run_id, actor.lineageId);
  return { run_id, task_id: taskId };
}

/** The task that the version of the run may start and means; refuses others. */
export async function chosenTask({ db }: Pick<Ctx, 'db'>, actor: TaskActor, task: number | string): Promise<number> {
  const { may_start } = await grantsOf(db, actor);
  return chosen(await namedTasks(db, may_start), task);
}

/** The task may read more than when the version of this run was approved, or what it starts, or what wrote its state. */
async function requireGiven(ctx: Ctx, actor: TaskActor, taskId: number): Promise<void> {
  const permissions = await missingOfStarted(ctx.db, actor, taskId);
  if (permissions.length === 0) return;
  const detail = `The output of task ${taskId} may now contain what needs ${permissions.join(', ')}, which the author or the approver of this run's version did not hold. Somebody who holds it must save the version anew, and somebody who holds it must approve it. Nothing was started.`;
  throw new Refusal('task_start_not_allowed', detail, { extra: { permissions } });
}

type Named = { id: number; name: string };

function chosen(allowed: readonly Named[], task: number | string): number {
  const [found, ...others] = allowed.filter(({ id, name }) => task === id || task === name);
  const list = (tasks: readonly Named[]): string => tasks.map(({ id, name }) => `${id} ("${name}")`).join(', ');
  if (!found) {
    const which = allowed.length === 0 ? 'none' : list(allowed);
    const detail = `The version of this run may not start the task ${typeof task === 'number' ? task : `"${task}"`}; it may start ${which}. Nothing was started.`;
    throw new Refusal('task_start_not_allowed', detail, { extra: { may_start: allowed.map(({ id }) => id) } });
  }
  if (others.length === 0) return found.id;
  throw new Refusal(
    'task_start_not_allowed',
    `The name "${task}" is that of the tasks ${list([found, ...others])}; name the task by its id. Nothing was started.`,
    { extra: { may_start: allowed.map(({ id }) => id) } },
  );
}

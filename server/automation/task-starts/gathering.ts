import type { ResponseOf } from '../../../contract/endpoint.ts';
import type { ErrorCode } from '../../../contract/errors.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { JsonObject } from '../../../contract/run-events.ts';
import type { StartOptions } from '../../../contract/start-options.ts';
import type { Ctx, TaskActor } from '../../verbs/context.ts';
import { Refusal, refuseValues } from '../../verbs/problem.ts';
import { timeOf } from '../gathered-starts/domain.ts';
import { gather } from '../gathered-starts/gather.ts';
import { startErrors } from '../gathered-starts/rules.ts';
import { acceptParameters, type Giver } from '../parameters/domain.ts';
import { keyOf } from '../runs/life/start.ts';
import type { NotOpened } from '../runs/life/unattended.ts';
import { permissionsOfRun } from '../runs/rows/output-permissions.ts';
import { requireAliveTask } from '../tasks/domain.ts';
import { holdCurrent } from '../tasks/executed.ts';
import { requireMayBeGiven } from '../tasks/given.ts';

type Asked = { actor: TaskActor; giver: Giver; taskId: number; depth: number; parameters: JsonObject; start: StartOptions };

/**
 * Lets a run's start of another task be gathered. What would refuse the run now refuses the start; whether it may open is judged again when
 * it does. The starts of all runs of one task that start another are gathered together.
 */
export async function gatherTask(ctx: Ctx, asked: Asked): Promise<ResponseOf<Endpoints['task_runs.start']>> {
  const { actor, giver, taskId, depth, parameters, start } = asked;
  const names = Object.keys(parameters);
  const errors = startErrors(start, (name) =>
    names.includes(name) ? null : `the parameters have no "${name}"; they have ${names.join(', ') || 'none'}`,
  );
  if (errors.length > 0) throw refuseValues(errors);
  const permissions = await permissionsOfRun(ctx.db, actor.runId);
  await requireStartable(ctx, asked, permissions);
  const atMs = Date.parse(ctx.now);
  const outcome = await gather(
    ctx,
    { kind: 'run', starter_id: actor.taskId, task_id: taskId, options: start, giver },
    {
      ...{ content: parameters, atMs, position: atMs, lineageId: actor.lineageId, by: { runId: actor.runId, depth, permissions } },
      keyOf: (name) => keyOf(parameters, name),
    },
  );
  if ('runId' in outcome) return { run_id: outcome.runId, task_id: taskId, start_id: null, due_at: null };
  if ('waits' in outcome) {
    const { id, due_ms } = outcome.waits;
    note(ctx, asked, `start ${id} of task ${taskId} waits`, { start_id: [null, id] });
    return { run_id: null, task_id: taskId, start_id: id, due_at: timeOf(due_ms) };
  }
  if (outcome.code !== 'over_rate') throw new Refusal(codeOf(outcome), `${outcome.reason}. Nothing was started.`);
  note(ctx, asked, `no run of task ${taskId} was opened: ${outcome.reason}`, {});
  return { run_id: null, task_id: taskId, start_id: null, due_at: null };
}

/** Refuses what would be refused if the run opened now. */
async function requireStartable(
  ctx: Ctx,
  { actor, giver, taskId, parameters, start }: Asked,
  permissions: readonly string[],
): Promise<void> {
  const task = await requireAliveTask(ctx.db, taskId);
  const version = await holdCurrent(ctx, task);
  if (!version) throw new Refusal('version_not_approved', `Task ${taskId} has no approved version. Nothing was started.`);
  await acceptParameters(ctx, version.parameters, start.batch ? { events: [parameters] } : parameters, giver);
  const taker = { taskId, versionId: version.id };
  await requireMayBeGiven(ctx.db, taker, permissions, `The parameters that run ${actor.runId} gives`, 'task_start_not_allowed');
}

function note(ctx: Ctx, { taskId, parameters }: Asked, summary: string, changes: Record<string, [unknown, unknown]>): void {
  const shown = { task_id: [null, taskId], parameters: [null, parameters] } satisfies Record<string, [unknown, unknown]>;
  ctx.audit({ resource: { type: 'task', id: taskId }, changes, shown, summary });
}

function codeOf({ code }: NotOpened): ErrorCode {
  switch (code) {
    case 'not_entitled':
      return 'task_start_not_allowed';
    case 'queue_full':
      return 'too_many';
    case 'still_open':
    case 'switched_off':
    case 'expired':
    case 'over_rate':
    case 'dropped':
      throw new Error(`a start by a run is not left out because of ${code}`);
    default:
      return code;
  }
}

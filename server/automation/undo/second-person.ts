import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { PendingPlan } from '../../../contract/plan-requests.ts';
import { notify, tellAdmins } from '../../resources/notifications/domain.ts';
import { actingAdmin, type Ctx, may } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import { lockDryRun } from '../dry-runs/apply.ts';
import { insertRequest, lockRequest, makersOf, selectWaiting, updateRequest } from '../dry-runs/second-person.ts';
import { requireReads } from '../runs/rows/output-permissions.ts';
import { requireTask } from '../tasks/domain.ts';

/** Leaves a plan to a second person, who finds it among what waits for approval. Whoever made it applies it no more, also where it takes one. */
export async function askSecondPerson(ctx: Ctx, { params, body }: InputOf<Endpoints['ai_tasks.ask_second_person']>): Promise<undefined> {
  const { adminId, name } = actingAdmin(ctx);
  const task = await requireTask(ctx.db, params.id);
  const dry = await lockDryRun(ctx, params.run_id);
  await requireReads(ctx.db, ctx.actor, dry.id);
  const comment = body.comment || null;
  const row = { run_id: dry.id, state: 'waiting', asked_by: adminId, asked_at: ctx.now, comment } as const;
  if (!(await insertRequest(ctx.db, { ...row, decided_by: null, decided_at: null, reason: null })))
    throw new Refusal('not_applicable', `A second person was asked for the plan of dry run ${dry.id} before.`);
  ctx.audit({
    resource: { type: 'run', id: dry.id },
    changes: { second_person: [null, 'waiting'], comment: [null, comment] },
    summary: `Task "${task.name}": a second person is asked to apply the plan of dry run ${dry.id}`,
  });
  await notify(ctx, [
    {
      type: 'ai_task_plan_pending',
      title: 'A plan waits for a second person',
      message: `${name} asks another admin to apply the plan of dry run ${dry.id} of "${task.name}"`,
      metadata: {
        ...{ task_id: task.id, run_id: dry.id, task_name: task.name, by: name },
        // A proposal is looked at and applied where its version is reviewed.
        ...(task.one_off === 1 ? { one_off: true, version_id: dry.version_id } : {}),
      },
    },
  ]);
}

export async function declinePlan(ctx: Ctx, { params, body }: InputOf<Endpoints['ai_tasks.decline_plan']>): Promise<undefined> {
  const { adminId, name } = actingAdmin(ctx);
  const task = await requireTask(ctx.db, params.id);
  const dry = await lockDryRun(ctx, params.run_id);
  const asked = await lockRequest(ctx, dry.id);
  if (asked?.state !== 'waiting')
    throw new Refusal('not_applicable', `The plan of dry run ${dry.id} ${asked ? 'was declined before' : 'waits for no second person'}.`);
  await updateRequest(ctx.db, dry.id, { state: 'declined', decided_by: adminId, decided_at: ctx.now, reason: body.reason });
  ctx.audit({
    resource: { type: 'run', id: dry.id },
    changes: { second_person: ['waiting', 'declined'], reason: [null, body.reason] },
    summary: `Task "${task.name}": the plan of dry run ${dry.id} declined`,
  });
  if (asked.asked_by === adminId) return;
  await tellAdmins(ctx, [asked.asked_by], {
    type: 'ai_task_plan_declined',
    title: 'A plan was declined',
    message: `${name} declined the plan of dry run ${dry.id} of "${task.name}": ${body.reason}`,
    link: `/tasks/${task.id}/runs/${dry.id}`,
    metadata: { task_id: task.id, run_id: dry.id, task_name: task.name, by: name, reason: body.reason },
  });
}

export async function listPendingPlans(ctx: Ctx, { query }: InputOf<Endpoints['ai_tasks.list_pending_plans']>): Promise<PendingPlan[]> {
  const { adminId } = actingAdmin(ctx);
  const isPerson = ctx.actor.type === 'admin' && ctx.actor.agent === undefined;
  const shown: PendingPlan[] = [];
  for (const { one_off, version_id, lineage_id, ...plan } of await selectWaiting(ctx.db, query.limit)) {
    const isProposal = one_off === 1;
    const mayApply = isPerson && may(ctx.actor, isProposal ? 'admin_api.ai_tasks.approve' : 'admin_api.ai_tasks.write');
    const makers = await makersOf(ctx, { task: { id: plan.task_id, one_off }, dry: { version_id, lineage_id } });
    const refusal = mayApply ? (makers.includes(adminId) ? 'second_person_required' : null) : 'forbidden';
    shown.push({ ...plan, proposal_version_id: isProposal ? version_id : null, may_apply: refusal === null, refusal });
  }
  return shown;
}

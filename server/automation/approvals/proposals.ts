import type { InputOf, ResponseOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { OPEN_PROPOSALS_MAX } from '../../../contract/proposals.ts';
import type { TaskVersion } from '../../../contract/tasks.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { notFound, Refusal, refuseValue } from '../../verbs/problem.ts';
import { applyRun } from '../dry-runs/apply.ts';
import { askingGiver } from '../parameters/domain.ts';
import { openRun } from '../runs/life/start.ts';
import { closeOneOff, openOneOff, requireTask } from '../tasks/domain.ts';
import { applicablePlan } from '../tasks/evidence.ts';
import { appendVersion, findVersionRow, requireHeld } from '../tasks/versions.ts';
import { approveVersion, rejectVersion } from './domain.ts';
import * as store from './store.ts';

/** Stores a proposal as the one version of a task of its own, which waits for a person, and starts its dry run (spec MC9). */
export async function propose(
  ctx: Ctx,
  { body }: InputOf<Endpoints['proposals.create']>,
): Promise<ResponseOf<Endpoints['proposals.create']>> {
  const { why, values, parameters, ...draft } = body;
  requireHeld(ctx, draft.permissions);
  const declared = new Set(parameters.map(({ name }) => name));
  const unknown = Object.keys(values).find((name) => !declared.has(name));
  if (unknown !== undefined)
    throw refuseValue('invalid_value', '/values', `"${unknown.slice(0, 64)}" is not among the declared parameters`);
  await requireRoom(ctx);
  const withValues = parameters.map((one) => (Object.hasOwn(values, one.name) ? { ...one, default: values[one.name] } : one));
  const task = await openOneOff(ctx, `Proposal of ${actingAdmin(ctx).name}`);
  const version = { ...draft, parameters: withValues, note: why };
  const { id: version_id } = await appendVersion(ctx, task, version, [], namesNoThread);
  const giver = askingGiver(ctx);
  const asked = { parameters: {}, version_id, dry_run: true, record: false, priority: 0 };
  const { run_id } = await openRun(ctx, task.id, asked, { startedBy: `admin:${giver.adminId}`, ...giver });
  ctx.audit({
    resource: { type: 'task', id: task.id },
    changes: { name: [null, task.name], version_id: [null, version_id], dry_run_id: [null, run_id] },
    summary: `${task.name}: a script that is to run once waits for approval`,
  });
  return { task_id: task.id, version_id, run_id };
}

/** Each proposal asks a person to read a plan, so an agent that cannot stop must not fill the list in which others wait. */
async function requireRoom(ctx: Ctx): Promise<void> {
  const { adminId } = actingAdmin(ctx);
  await ctx.dialect.lockName(ctx.db, `proposals of admin ${adminId}`);
  const open = await store.selectOpenProposals(ctx.db, adminId, OPEN_PROPOSALS_MAX);
  const [oldest] = open;
  if (oldest === undefined || open.length < OPEN_PROPOSALS_MAX) return;
  throw new Refusal(
    'too_many',
    `${OPEN_PROPOSALS_MAX} proposals of this admin and their agents wait for a decision, the most that may. Wait until a person has decided on one, ` +
      `or withdraw one; the oldest is version ${oldest.id} of task ${oldest.task_id}.`,
  );
}

/** A proposal's body has no thread of the assistant. */
const namesNoThread = () => Promise.reject(new Error('a proposal names a thread'));

/** Takes back a proposal, as a rejection by its author. */
export async function withdrawProposal(ctx: Ctx, { params, body }: InputOf<Endpoints['proposals.withdraw']>): Promise<TaskVersion> {
  const { adminId, name } = actingAdmin(ctx);
  const version = await findVersionRow(ctx.db, params.id, params.version_id);
  if (!version) throw notFound('version', params.version_id);
  const { one_off } = await requireTask(ctx.db, params.id);
  const isByAgent = ctx.actor.type === 'admin' && ctx.actor.agent !== undefined;
  const isOwn = one_off === 1 && version.created_by === adminId && (!isByAgent || version.created_by_agent === name);
  if (!isOwn) throw new Refusal('forbidden', `Version ${params.version_id} is no proposal of ${isByAgent ? 'this agent' : 'yours'}.`);
  return rejectVersion(ctx, { params, body: { reason: `Withdrawn${isByAgent ? ` by ${name}` : ''}: ${body.why}` } });
}

/** Approves the proposal and carries out the plan that the approver saw, in one transaction. Nothing can run of it afterwards. */
export async function applyProposal(
  ctx: Ctx,
  { params, body }: InputOf<Endpoints['proposals.apply']>,
): Promise<ResponseOf<Endpoints['proposals.apply']>> {
  const { run_id, ...seen } = body;
  const { id, version_id } = params;
  await approveVersion(ctx, { params, body: seen }, 'proposal');
  const plan = await applicablePlan(ctx.db, version_id);
  if (plan.isAnother)
    throw new Refusal('plan_outdated', 'The plan of your dry run is another one than what was proposed; decline it, or ask for a new one.');
  if (plan.run_id !== run_id)
    throw new Refusal(
      'not_applicable',
      plan.run_id === null
        ? `Run ${run_id} cannot be applied: people were hidden from it, or it is no dry run of this proposal. Make a dry run of your own.`
        : `The plan that can be applied is that of dry run ${plan.run_id}, not of ${run_id}.`,
    );
  const applied = await applyRun(ctx, { params: { id, run_id } }, ['approve_version', 'apply_plan']);
  await closeOneOff(ctx, id);
  return applied;
}

/** Proposals that nobody applied: declined, or waiting without a decision, since before a time. */
export { deleteProposals, selectOldProposals as findOldProposals } from './store.ts';

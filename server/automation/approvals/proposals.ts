import type { InputOf, ResponseOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { Refusal, refuseValue } from '../../verbs/problem.ts';
import { applyRun } from '../dry-runs/apply.ts';
import { askingGiver } from '../parameters/domain.ts';
import { openRun } from '../runs/life/start.ts';
import { closeOneOff, openOneOff } from '../tasks/domain.ts';
import { applicablePlan } from '../tasks/evidence.ts';
import { appendVersion, requireHeld } from '../tasks/versions.ts';
import { approveVersion } from './domain.ts';

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

/** A proposal's body has no thread of the assistant. */
const namesNoThread = () => Promise.reject(new Error('a proposal names a thread'));

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
  const applied = await applyRun(ctx, { params: { id, run_id } });
  await closeOneOff(ctx, id);
  return applied;
}

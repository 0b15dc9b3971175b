import { z } from 'zod';
import { decisionActs } from '../../../contract/decisions.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { POLICY_CHANGE_DAYS, type PolicyChange } from '../../../contract/policy-changes.ts';
import { rowVersion } from '../../db/queries/row-version.ts';
import { canonicalText } from '../../values/canonical.ts';
import { actsAsOwner, type Ctx } from '../../verbs/context.ts';
import type { Decision } from '../../verbs/decision.ts';
import { notFound, Refusal } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import type { Retention } from '../../verbs/retention.ts';
import { tellAdmins } from '../notifications/domain.ts';
import { readSettings } from '../settings/domain.ts';
import { timeAfter } from '../tokens/domain.ts';
import * as store from './store.ts';

export const recordVersions = { policy_change: rowVersion('policy_changes') } satisfies RecordVersions;

/** The decisions themselves are kept for good. */
export const policyChangeRetention: Retention = { days: () => 30, deleteBatch: store.deleteOldChanges };

const DAY_MS = 86_400_000;
const WAITING_MAX = 100;
const Acts = z.array(z.enum(decisionActs));
const Decided = z.record(z.string(), z.unknown());

export async function listPolicyChanges(ctx: Ctx, { query }: InputOf<Endpoints['policy_changes.list']>): Promise<PolicyChange[]> {
  return (await store.selectChanges(ctx.db, query.state, query.limit)).map((row) => shown(ctx, row));
}

/** Keeps a request that takes two owners, with exactly what it would decide now. */
export async function proposePolicyChange(ctx: Ctx, { body }: InputOf<Endpoints['policy_changes.create']>): Promise<PolicyChange> {
  const { adminId, name } = requireOwner(ctx);
  const { method, path, comment } = body;
  const text = body.body === null ? null : JSON.stringify(body.body);
  const decision = await ctx.rehearse({ method, path, body: text }, 'two');
  if (decision === null || !(await takesTwo(ctx, decision)))
    throw new Refusal('second_person_not_needed', `${method} ${path.split('?', 1)[0]} takes no second owner: send it.`);
  if ((await store.countWaiting(ctx.db, ctx.now)) >= WAITING_MAX)
    throw new Refusal('too_many', `${WAITING_MAX} proposed changes wait; decline or apply some first.`);
  const { acts, decided } = decision;
  const subject = { type: 'policy_change', id: null } as const;
  await ctx.decide({ acts, subject, decided: { proposal: decided }, second: 'settled' });
  const id = await store.insertChange(ctx.db, {
    ...{ method, path, body: text, comment, state: 'waiting', proposed_by: adminId },
    ...{ acts: JSON.stringify(acts), decided: canonicalText(decided) },
    ...{ created_at: ctx.now, expires_at: timeAfter(ctx.now, POLICY_CHANGE_DAYS * DAY_MS) },
    ...{ decided_by: null, decided_at: null, reason: null },
  });
  ctx.audit({
    resource: { type: 'policy_change', id },
    changes: { state: [null, 'waiting'], acts: [null, acts], proposal: [null, decided], comment: [null, comment] },
    summary: `Change ${id} of the policy proposed: ${method} ${path.split('?', 1)[0]}`,
  });
  await tellAdmins(ctx, await store.selectOtherOwners(ctx.db, adminId), {
    type: 'policy_change_proposed',
    title: 'A change of the policy waits for you',
    message: `${name} proposes a change that takes two owners`,
    link: '/approvals',
    metadata: { policy_change_id: id, by: name },
  });
  return shown(ctx, await requireChange(ctx, id));
}

/** Carries out what another owner proposed, as the decision of both: if it is not exactly that now, nothing is done (spec DE9). */
export async function applyPolicyChange(ctx: Ctx, { params }: InputOf<Endpoints['policy_changes.apply']>): Promise<PolicyChange> {
  const { adminId } = requireOwner(ctx);
  const row = await requireWaiting(ctx, params.id);
  if (row.proposed_by === adminId)
    throw new Refusal('second_person_required', `Change ${row.id} is your own proposal; another owner applies it.`);
  if (row.proposer_role !== 'owner' || row.proposer_active !== 1)
    throw new Refusal('change_not_waiting', `Whoever proposed change ${row.id} is no active owner any more.`);
  let isDecided = false;
  await ctx.agree(row, async ({ acts, decided }) => {
    if (canonicalText(decided) !== row.decided || JSON.stringify(acts) !== row.acts) throw changed(row, decided);
    const subject = { type: 'policy_change', id: row.id } as const;
    const agreed = { ...decided, policy_change: { id: row.id, proposed_by: row.proposed_by } };
    await ctx.decide({ acts, subject, decided: agreed, second: 'settled' });
    isDecided = true;
  });
  if (!isDecided) throw changed(row, {});
  return settle(ctx, row, { state: 'applied', by: adminId, reason: null });
}

export async function declinePolicyChange(ctx: Ctx, { params, body }: InputOf<Endpoints['policy_changes.decline']>): Promise<PolicyChange> {
  const { adminId } = requireOwner(ctx);
  return settle(ctx, await requireWaiting(ctx, params.id), { state: 'declined', by: adminId, reason: body.reason });
}

async function settle(
  ctx: Ctx,
  { id }: store.ChangeRow,
  { state, by, reason }: { state: 'applied' | 'declined'; by: number; reason: string | null },
): Promise<PolicyChange> {
  await store.updateChange(ctx.db, id, { state, reason, decided_by: by, decided_at: ctx.now, body: null });
  ctx.audit({
    resource: { type: 'policy_change', id },
    changes: { state: ['waiting', state], ...(reason !== null && { reason: [null, reason] }) },
    summary: `Change ${id} of the policy ${state}`,
  });
  return shown(ctx, await requireChange(ctx, id));
}

/** Only a person who is an owner: no agent, and no token with a list of permissions. */
function requireOwner({ actor }: Ctx): { adminId: number; name: string } {
  if (actor.type === 'admin' && actor.agent === undefined && actsAsOwner(actor)) return actor;
  throw new Refusal('forbidden', 'Only an owner decides on the policy, by a token without a list of permissions.');
}

async function takesTwo(ctx: Ctx, { acts, second }: Decision): Promise<boolean> {
  return (second === 'needed' || acts.includes('policy')) && (await readSettings(ctx.db)).policy_four_eyes;
}

async function requireChange(ctx: Ctx, id: number): Promise<store.ChangeRow> {
  const row = await store.lockChange(ctx, id);
  if (!row) throw notFound('policy_change', id);
  return row;
}

async function requireWaiting(ctx: Ctx, id: number): Promise<store.ChangeRow> {
  const row = await requireChange(ctx, id);
  const state = stateOf(row, ctx.now);
  if (state !== 'waiting') throw new Refusal('change_not_waiting', `Change ${id} of the policy is ${state}; propose it again.`);
  return row;
}

function changed({ id }: store.ChangeRow, decided: Decision['decided']): Refusal {
  return new Refusal('decision_changed', `What change ${id} would decide is not what was proposed; propose it again.`, {
    extra: { decided },
  });
}

function stateOf({ state, expires_at }: store.ChangeRow, now: string): PolicyChange['state'] {
  return state === 'waiting' && expires_at <= now ? 'expired' : state;
}

function shown({ actor, now }: Ctx, row: store.ChangeRow): PolicyChange {
  const { id, method, path, comment, proposed_by, proposer_name, created_at, expires_at, decided_by, decided_at, reason } = row;
  const state = stateOf(row, now);
  return {
    ...{ id, method, path, comment, state, created_at, expires_at, decided_by, decided_at, reason },
    ...{ proposed_by, proposed_by_name: proposer_name },
    acts: Acts.parse(JSON.parse(row.acts)),
    decided: Decided.parse(JSON.parse(row.decided)),
    may_apply: state === 'waiting' && actsAsOwner(actor) && actor.type === 'admin' && actor.adminId !== proposed_by,
  };
}

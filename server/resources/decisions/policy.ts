import { type DecisionAct, decisionActs } from '../../../contract/decisions.ts';
import { holds, type Permission } from '../../../contract/permissions.ts';
import type { AdminRow } from '../../db/queries/admin-rows.ts';
import type { Ctx } from '../../verbs/context.ts';
import type { Decision } from '../../verbs/decision.ts';
import { Refusal } from '../../verbs/problem.ts';
import { requirePlace } from '../passkeys/place.ts';
import { readSettings, writeSettings } from '../settings/domain.ts';
import { permissionsOf } from '../tokens/domain.ts';
import { keep } from './chain.ts';
import { askingActs, payloadOf } from './rules.ts';
import * as store from './store.ts';

/** What somebody must hold to decide; access and the policy are for owners alone, and an owner can always make a token. */
const NEEDED: Readonly<Record<DecisionAct, Permission>> = {
  approve_version: 'admin_api.ai_tasks.approve',
  apply_plan: 'admin_api.ai_tasks.write',
  raise_limits: 'admin_api.ai_tasks.write',
  make_token: 'admin_api.admins.write',
  change_access: 'admin_api.admins.write',
  policy: 'admin_api.admins.write',
};

/** Each decision takes this lock, so that it sees the policy as the one before has left it, and follows it in the chain. */
export async function lockDecisions(ctx: Pick<Ctx, 'db' | 'dialect'>): Promise<void> {
  await ctx.dialect.lockName(ctx.db, 'decisions');
}

/** Refuses a policy by which nobody could decide any more: each act that asks for a gesture needs somebody who may decide it and has a passkey. */
export async function requirePasskeys(ctx: Ctx): Promise<void> {
  const settings = await readSettings(ctx.db);
  const asking = askingActs(settings.decisions, decisionActs);
  if (asking.length === 0) return;
  // The place of the settings as they are now: passkeys are of one host name.
  const { rpId } = requirePlace({ settings, services: ctx.services });
  const held = (await store.selectKeyHolders(ctx.db, rpId)).map(permissionsOf);
  const deciders = (act: DecisionAct): number => held.filter((permissions) => holds(permissions, NEEDED[act])).length;
  const missing = asking.filter((act) => deciders(act) < (act === 'policy' && settings.policy_four_eyes ? 2 : 1));
  if (missing.length === 0) return;
  throw new Refusal(
    'passkey_missing',
    `Nobody who has a passkey could decide ${missing.join(', ')}: somebody who holds ${[...new Set(missing.map((act) => NEEDED[act]))].join(', ')} has to make one first.`,
    { extra: { acts: missing } },
  );
}

/** Refuses what takes a second owner (spec DE9): what changes the policy, and what could make an owner of whoever asks. */
export async function requireOnePerson(ctx: Ctx, { acts, second }: Decision): Promise<void> {
  if (second === 'settled' || (second !== 'needed' && !acts.includes('policy'))) return;
  await lockDecisions(ctx);
  if (!(await readSettings(ctx.db)).policy_four_eyes) return;
  throw new Refusal(
    'second_person_required',
    'The shop wants two owners to decide this: propose it by POST /policy-changes, and another owner applies it.',
    { extra: { acts } },
  );
}

/** Refuses to ask for a second owner of a shop that has none. */
export function requireSecondOwner(active: readonly AdminRow[]): void {
  if (active.filter(({ role }) => role === 'owner').length >= 2) return;
  throw new Refusal('second_person_missing', 'The policy takes two active owners, and there would be one: make another one first.');
}

/** Refuses to ask for a second person for plans where nobody else could apply them. */
export function requireSecondApplier(active: readonly AdminRow[]): void {
  if (active.filter((admin) => holds(permissionsOf(admin), NEEDED.apply_plan)).length >= 2) return;
  throw new Refusal(
    'second_person_missing',
    `Plans of two persons take two active admins who hold ${NEEDED.apply_plan}, and there is one: make another one first.`,
  );
}

/**
 * Lets a token of one owner do for every act again, for whoever has the machine; returns what asked for more: acts, and `policy_four_eyes`. It
 * is kept as a decision.
 */
export async function resetPolicy(ctx: Ctx): Promise<string[]> {
  await ctx.dialect.lockName(ctx.db, 'settings');
  await lockDecisions(ctx);
  const { decisions: before, policy_four_eyes: two } = await readSettings(ctx.db);
  const asking = askingActs(before, decisionActs);
  if (asking.length === 0 && !two) return [];
  const decisions = { ...before, ...Object.fromEntries(asking.map((act) => [act, 'token' as const])) };
  const changes: Record<string, [unknown, unknown]> = {
    ...(asking.length > 0 && { decisions: [before, decisions] }),
    ...(two && { policy_four_eyes: [true, false] }),
  };
  await writeSettings(ctx.db, { ...(asking.length > 0 && { decisions }), ...(two && { policy_four_eyes: false }) });
  const decided = { settings: changes };
  await keep(ctx, {
    ...{ acts: JSON.stringify(['policy']), subject_type: 'settings', subject_id: null, admin_id: null, token_id: null, way: 'machine' },
    payload: payloadOf({ acts: ['policy'], admin: null, at: ctx.now, nonce: null, decided }),
    decided_at: ctx.now,
  });
  ctx.audit({
    resource: { type: 'settings', id: null },
    changes,
    summary: `Settings: ${Object.keys(changes).join(', ')}, by a command of the machine`,
  });
  return [...asking, ...(two ? ['policy_four_eyes'] : [])];
}

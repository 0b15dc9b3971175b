import { type DecisionAct, decisionActs } from '../../../contract/decisions.ts';
import { holds, type Permission } from '../../../contract/permissions.ts';
import type { Ctx } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import { requirePlace } from '../passkeys/place.ts';
import { readSettings, writeSettings } from '../settings/domain.ts';
import { permissionsOf } from '../tokens/domain.ts';
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

/** Refuses a policy by which nobody could decide any more: each act that asks for a gesture needs somebody who may decide it and has a passkey. */
export async function requirePasskeys(ctx: Ctx): Promise<void> {
  const settings = await readSettings(ctx.db);
  const asking = askingActs(settings.decisions, decisionActs);
  if (asking.length === 0) return;
  // The place of the settings as they are now: passkeys are of one host name.
  const { rpId } = requirePlace({ settings, services: ctx.services });
  const held = (await store.selectKeyHolders(ctx.db, rpId)).map(permissionsOf);
  const missing = asking.filter((act) => !held.some((permissions) => holds(permissions, NEEDED[act])));
  if (missing.length === 0) return;
  throw new Refusal(
    'passkey_missing',
    `Nobody who has a passkey could decide ${missing.join(', ')}: somebody who holds ${[...new Set(missing.map((act) => NEEDED[act]))].join(', ')} has to make one first.`,
    { extra: { acts: missing } },
  );
}

/** Lets a token do for every act again, for whoever has the machine; returns the acts that asked for a passkey. It is kept as a decision. */
export async function resetPolicy(ctx: Ctx): Promise<DecisionAct[]> {
  const { decisions: before } = await readSettings(ctx.db);
  const asking = askingActs(before, decisionActs);
  if (asking.length === 0) return [];
  const decisions = { ...before, ...Object.fromEntries(asking.map((act) => [act, 'token' as const])) };
  await writeSettings(ctx.db, { decisions });
  const decided = { settings: { decisions: [before, decisions] } };
  await store.insertDecision(ctx.db, {
    ...{ acts: JSON.stringify(['policy']), subject_type: 'settings', subject_id: null, admin_id: null, token_id: null, way: 'machine' },
    payload: payloadOf({ acts: ['policy'], admin: null, at: ctx.now, nonce: null, decided }),
    decided_at: ctx.now,
  });
  ctx.audit({
    resource: { type: 'settings', id: null },
    changes: { decisions: [before, decisions] },
    summary: 'Settings: decisions, by a command of the machine',
  });
  return asking;
}

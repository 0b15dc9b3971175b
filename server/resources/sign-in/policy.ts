import type { DecisionAct } from '../../../contract/decisions.ts';
import type { Ctx } from '../../verbs/context.ts';
import { lockAllAdmins } from '../admins/domain.ts';
import { requirePasskeys, requireSecondApplier, requireSecondOwner } from '../decisions/policy.ts';
import type { SettingsChange } from '../settings/domain.ts';
import { endLinksForOwners, endLinksOfTokens } from '../tokens/one-time-links.ts';
import { endInvitations, endInvitationsOfOwners } from './invitations.ts';

/** What a token made and nobody has used yet does not outlast that the act asks for a passkey: it would be a way in that nobody signed. */
export async function decisionsChanged(ctx: Ctx, { before, after }: SettingsChange): Promise<void> {
  await requirePasskeys(ctx);
  const asksNow = (act: DecisionAct): boolean => before.decisions[act] === 'token' && after.decisions[act] === 'passkey';
  if (asksNow('change_access')) await endInvitations(ctx);
  if (asksNow('make_token')) await endLinksOfTokens(ctx);
}

/** A rule of two persons is one that can be fulfilled. What waits to make or to be another owner ends, as one person made it. */
export async function personsChanged(ctx: Ctx, { before, after }: SettingsChange): Promise<void> {
  const active = (await lockAllAdmins(ctx)).filter((admin) => admin.active === 1);
  const { writes_over, kinds } = after.four_eyes;
  if (before.four_eyes !== after.four_eyes && (writes_over !== null || kinds.length > 0)) requireSecondApplier(active);
  if (before.policy_four_eyes || !after.policy_four_eyes) return;
  requireSecondOwner(active);
  await requirePasskeys(ctx);
  await endInvitationsOfOwners(ctx);
  await endLinksForOwners(ctx);
}

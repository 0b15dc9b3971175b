import type { DecisionAct } from '../../../contract/decisions.ts';
import type { Ctx } from '../../verbs/context.ts';
import { requirePasskeys } from '../decisions/policy.ts';
import type { SettingsChange } from '../settings/domain.ts';
import { endLinksOfTokens } from '../tokens/one-time-links.ts';
import { endInvitations } from './invitations.ts';

/** What a token made and nobody has used yet does not outlast that the act asks for a passkey: it would be a way in that nobody signed. */
export async function decisionsChanged(ctx: Ctx, { before, after }: SettingsChange): Promise<void> {
  await requirePasskeys(ctx);
  const asksNow = (act: DecisionAct): boolean => before.decisions[act] === 'token' && after.decisions[act] === 'passkey';
  if (asksNow('change_access')) await endInvitations(ctx);
  if (asksNow('make_token')) await endLinksOfTokens(ctx);
}

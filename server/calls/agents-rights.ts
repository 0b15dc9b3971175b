import type { NeededPermission, OwnTaskRight } from '../../contract/endpoint.ts';
import { isOwnTaskRight } from '../../contract/endpoint.ts';
import { authenticateMaker } from '../resources/tokens/domain.ts';
import type { Services } from '../services.ts';
import { may, type TaskActor } from '../verbs/context.ts';
import { Refusal, refusePermission } from '../verbs/problem.ts';

/**
 * Refuses a call of a script that an agent started once the agent has lost its access or the permission that the call needs (spec MC2).
 * What the runner reports of such a run is stored all the same.
 */
export async function requireAgentsRights(
  { store }: Pick<Services, 'store'>,
  { token, agentTokenId }: TaskActor,
  permission: NeededPermission | OwnTaskRight | null,
): Promise<void> {
  if (token === 'report' || agentTokenId === undefined) return;
  const found = await authenticateMaker(store.reader, agentTokenId, new Date().toISOString());
  if (found.outcome !== 'ok') throw new Refusal('forbidden', 'The agent that started this run has lost its access.');
  if (permission === null || isOwnTaskRight(permission) || may(found.actor, permission)) return;
  throw refusePermission('forbidden', [permission], `The agent that started this run no longer has the permission ${permission}.`);
}

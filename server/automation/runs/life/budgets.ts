import { budgetMessage } from '../../../../contract/run-budgets.ts';
import { isClaimEnded } from '../../../db/queries/claims.ts';
import type { Services } from '../../../services.ts';
import type { TaskActor } from '../../../verbs/context.ts';
import { requireTask, settingsOf } from '../../tasks/domain.ts';
import { limitsOf } from '../../tasks/rules.ts';
import { interruptWaiting } from './waiting.ts';

/** Interrupts the run of a claim that exceeded one of its budgets, in case its runner has not ended it already. */
export async function endSpentRun(
  services: Services,
  actor: TaskActor,
  { budget, limit }: { budget: string; limit: number },
): Promise<void> {
  const { store: data, settings } = services;
  const { limits_max } = await settings.get(data.reader);
  const limits = limitsOf(settingsOf(await requireTask(data.reader, actor.taskId)).limits, limits_max);
  await interruptWaiting(services, actor.runId, async ({ db }) => !(await isClaimEnded(db, actor.claimId)), {
    endReason: 'budget',
    errorMessage: budgetMessage(budget, String(limit), { limits, limits_max }),
  });
}

import { endSpentRun } from '../automation/runs/life/budgets.ts';
import { budgetOf } from '../calls/journal/budgets.ts';
import type { Services } from '../services.ts';
import type { Middleware } from './wire.ts';

/** Ends the run whose budget the refused call would have exceeded, unless its runner has already ended it. */
export function spentBudgets(services: Services): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const spent = budgetOf(error);
      const actor = ctx.state.caller?.actor;
      if (spent && actor?.type === 'task') await endSpentRun(services, actor, spent);
      throw error;
    }
  };
}

import type { TaskActor } from '../../verbs/context.ts';
import type { Executor } from '../call.ts';
import { countCall } from '../journal/budgets.ts';
import { holdClaim } from '../journal/claims.ts';

/** File contents are sent outside of transactions. Before that, this checks that the run's claim is in force, and counts the call. */
export async function countContentRead({ services, usage }: Executor, actor: TaskActor, permission: string | null): Promise<void> {
  const remember = await services.store.write(async (db) => {
    await holdClaim(db, actor, false);
    const remembered = await usage.record(db, actor.runId, permission);
    if (actor.token === 'call') await countCall(db, actor, 0);
    return remembered;
  });
  remember();
}

import { readsOf } from '../../../db/open.ts';
import { writeLog } from '../../../resources/audit/domain.ts';
import type { Services } from '../../../services.ts';
import { requireTask } from '../../tasks/domain.ts';
import * as store from '../rows/store.ts';
import { endRun, FINISHED } from './end.ts';
import { noteInLog } from './waiting.ts';

const AT_A_TIME = 100;

/** Ends the runs that no runner has taken within the `ttl` of what started them; any number of servers may do it. */
export async function endExpired(services: Services): Promise<void> {
  const { store: data, stopping } = services;
  for (const id of await store.selectExpired(readsOf(data), AT_A_TIME)) {
    if (stopping.aborted) return;
    await services.transact(FINISHED, async (ctx) => {
      const run = await store.lockRun(ctx.db, id);
      if (run?.status !== 'running' || run.claim_id !== null || run.start_by_ms === null) return;
      const task = await requireTask(ctx.db, run.task_id);
      await noteInLog(ctx, id, 'no runner has taken the run within its ttl');
      const logged = await store.lockRun(ctx.db, id);
      if (logged) await endRun(ctx, task, logged, { status: 'cancelled', errorMessage: null, endReason: 'expired', result: null });
      const summary = `Task "${task.name}": run ${id} was not started, because no runner has taken it within its ttl`;
      const detail = { task_id: task.id, run_id: id, reason_code: 'expired' };
      await writeLog(ctx, { source: 'ai_task', action: 'run.skipped', status: 'skipped', summary, detail });
    });
  }
}

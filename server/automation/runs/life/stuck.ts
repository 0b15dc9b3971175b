import { readsOf } from '../../../db/open.ts';
import { storeEvents } from '../../../resources/audit/domain.ts';
import type { Services } from '../../../services.ts';
import { requireTask, settingsOf } from '../../tasks/domain.ts';
import { FINISHED } from './end.ts';
import * as store from './stuck-store.ts';
import { notifyOfTask } from './task-notices.ts';

const AT_A_TIME = 100;

/**
 * Notifies admins of runs without any sign of progress for the `stuck_minutes` of their task, once for each time that a run falls silent.
 * Several servers may do it at once: the one that marks the run sends the notice. The run goes on.
 */
export async function tellStuck(services: Services): Promise<void> {
  for (const id of await store.selectStuck(readsOf(services.store), AT_A_TIME)) await tellOne(services, id);
}

async function tellOne(services: Services, id: number): Promise<void> {
  await services.transact(FINISHED, async (ctx) => {
    const run = await store.takeStuck(ctx, id);
    if (!run) return;
    const task = await requireTask(ctx.db, run.task_id);
    const minutes = settingsOf(task).stuck_minutes;
    const data = { task_id: task.id, run_id: run.id, quiet_since: new Date(run.since_ms).toISOString() };
    await storeEvents(ctx, [{ type: 'task.run_stuck', data }], run.lineage_id);
    const message = `Run ${run.id} of "${task.name}" is running, but has given no sign of progress for ${minutes === 1 ? 'a minute' : `${minutes} minutes`}`;
    await notifyOfTask(ctx, {
      event: 'task.run_stuck',
      task,
      versionId: run.version_id,
      type: 'ai_task_run_stuck',
      title: 'A task run may be stuck',
      message,
      metadata: { ...data, minutes },
      runId: run.id,
      reason: null,
    });
  });
}

import type { JsonObject } from '../../../contract/run-events.ts';
import { savepoint } from '../../db/savepoint.ts';
import { isEntitled } from '../../resources/admins/domain.ts';
import { writeLog } from '../../resources/audit/domain.ts';
import { notify } from '../../resources/notifications/domain.ts';
import type { Ctx } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import { findTask } from '../tasks/domain.ts';
import { openRun } from './start.ts';

/** The columns of a schedule, trigger or hook that opening a run needs. */
export type Opener = {
  kind: 'schedule' | 'trigger' | 'hook';
  id: number;
  task_id: number;
  acts_for: number;
  reads_files: number;
  /** Why no run was opened the last time; null if one was. */
  last_error: string | null;
};

/** `isFault`: somebody has to mend something. Otherwise the settings of the task or schedule asked for no run. */
export type NotOpened = { reason: string; isFault: boolean };

/** Opens a run for a schedule, trigger or hook. There is no caller who could get a refusal, so it is returned with its reason. */
export async function openUnattended(ctx: Ctx, opener: Opener, parameters: JsonObject): Promise<{ runId: number } | NotOpened> {
  const { kind, id, task_id, acts_for: adminId } = opener;
  if (!(await isEntitled(ctx.db, adminId, 'admin_api.ai_tasks.write'))) {
    return { reason: `admin ${adminId}, whom the ${kind} acts for, is deactivated or may not start tasks any more`, isFault: true };
  }
  const readsFiles = opener.reads_files === 1 && (await isEntitled(ctx.db, adminId, 'admin_api.files.read'));
  try {
    const opened = await savepoint(ctx.db, () =>
      openRun(ctx, task_id, { parameters, record: false, priority: 0 }, { startedBy: `${kind}:${id}`, adminId, readsFiles }),
    );
    return { runId: opened.run_id };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { reason: error.message, isFault: error.code !== 'concurrency_limit' };
  }
}

/**
 * Writes into the admins' log that no run was opened. A fault is also a notification, but only the first time: until a run is
 * opened again or the reason changes.
 */
export async function tellNotOpened(
  ctx: Ctx,
  opener: Opener,
  { reason, isFault }: NotOpened,
  detail: Record<string, unknown>,
): Promise<void> {
  const task = await findTask(ctx.db, opener.task_id);
  const summary = `Task "${task?.name ?? ''}": ${opener.kind} ${opener.id} opened no run: ${reason}`;
  const metadata = { task_id: opener.task_id, [`${opener.kind}_id`]: opener.id, ...detail, reason };
  const status = isFault ? 'failed' : 'skipped';
  await writeLog(ctx, { source: 'ai_task', action: `${opener.kind}.${status}`, status, summary, detail: metadata });
  if (isFault && opener.last_error !== reason) {
    await notify(ctx, [{ type: 'ai_task_not_started', title: 'A task did not start', message: summary, metadata }]);
  }
}

import type { ErrorCode } from '../../../../contract/errors.ts';
import type { JsonObject } from '../../../../contract/run-events.ts';
import { savepoint } from '../../../db/queries/savepoint.ts';
import { isEntitled } from '../../../resources/admins/domain.ts';
import { storeEvents, writeLog } from '../../../resources/audit/domain.ts';
import type { Ctx } from '../../../verbs/context.ts';
import { Refusal } from '../../../verbs/problem.ts';
import { findTask } from '../../tasks/domain.ts';
import { type Origin, openRun } from './start.ts';
import { notifyOfTask } from './task-notices.ts';

/**
 * The columns of a schedule, trigger or hook that opening a run needs; of an error handler, `id` is the run that it handles, and of a start by
 * a run, that run.
 */
export type Opener = {
  kind: 'schedule' | 'trigger' | 'hook' | 'handler' | 'run';
  id: number;
  task_id: number;
  acts_for: number;
  reads_files: number;
  /** Why no run was opened the last time; null if one was. */
  last_error: string | null;
  /** Of a hook, the parameter that gets what was sent; null: none does. */
  parameter?: string | null;
  /** Of a start by a run, that run. */
  parent?: Origin['parent'];
  /** When no runner takes the run any more, by the database's clock. */
  startByMs?: number | null;
};

/** Why no run was opened, for programs: the code of a refusal, or what only a start by itself meets. */
type Reason = ErrorCode | 'not_entitled' | 'queue_full' | 'still_open' | 'switched_off' | 'expired' | 'over_rate' | 'dropped';
/** `isFault`: somebody has to mend something. Otherwise the settings of the task or schedule asked for no run. */
export type NotOpened = { reason: string; code: Reason; isFault: boolean };

/** Opens a run for a schedule, trigger, hook or error handler. There is no caller who could get a refusal, so it is returned with its reason. */
export async function openUnattended(ctx: Ctx, opener: Opener, parameters: JsonObject): Promise<{ runId: number } | NotOpened> {
  const { kind, id, task_id, acts_for: adminId } = opener;
  if (!(await isEntitled(ctx.db, adminId, 'admin_api.ai_tasks.write'))) {
    const reason = `admin ${adminId}, whom the ${kind} acts for, is deactivated or may not start tasks any more`;
    return { reason, code: 'not_entitled', isFault: true };
  }
  const readsFiles = opener.reads_files === 1 && (await isEntitled(ctx.db, adminId, 'admin_api.files.read'));
  try {
    const opened = await savepoint(ctx.db, () =>
      openRun(
        ctx,
        task_id,
        { parameters, record: false, priority: 0 },
        {
          ...{ startedBy: `${kind}:${id}`, adminId, readsFiles, startByMs: opener.startByMs ?? null },
          ...(typeof opener.parameter === 'string' && { contentOf: id }),
          ...(opener.parent && { parent: opener.parent }),
        },
      ),
    );
    return { runId: opened.run_id };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { reason: error.message, code: error.code, isFault: error.code !== 'concurrency_limit' };
  }
}

/**
 * Writes into the admins' log that no run was opened. A fault is also a notification, but only the first time: until a run is
 * opened again or the reason changes. `lineageId`: of the run that caused the event of a trigger.
 */
export async function tellNotOpened(
  ctx: Ctx,
  opener: Opener,
  { reason, code, isFault }: NotOpened,
  detail: { at: string | null } | { event_id: number; event: string; gathered?: number } | { gathered?: number },
  lineageId: string | null = null,
): Promise<void> {
  const task = await findTask(ctx.db, { id: opener.task_id });
  const name = NAMES[opener.kind](opener.id);
  const summary = `Task "${task?.name ?? ''}": ${name} opened no run: ${reason}`;
  const own = {
    [opener.kind === 'handler' ? 'handled_run_id' : opener.kind === 'run' ? 'started_by_run_id' : `${opener.kind}_id`]: opener.id,
  };
  const metadata = { task_id: opener.task_id, ...own, ...detail, reason, reason_code: code };
  const status = isFault ? 'failed' : 'skipped';
  await writeLog(ctx, { source: 'ai_task', action: `${opener.kind}.${status}`, status, summary, detail: metadata });
  // A missed start of a trigger for missed starts raises no such event, because that would start the trigger again.
  if (isFault && !('event' in detail && detail.event === 'task.missed')) {
    const due_at = 'at' in detail ? (detail.at ?? null) : null;
    await storeEvents(ctx, [{ type: 'task.missed', data: missedData(opener, due_at, reason) }], lineageId);
  }
  if (isFault && opener.last_error !== reason) {
    await tellMissedStart(
      ctx,
      { id: opener.task_id, name: task?.name ?? '', versionId: task?.current_version_id ?? null },
      summary,
      metadata,
      name,
    );
  }
}

const NAMES: Readonly<Record<Opener['kind'], (id: number) => string>> = {
  schedule: (id) => `schedule ${id}`,
  trigger: (id) => `trigger ${id}`,
  hook: (id) => `hook ${id}`,
  handler: (id) => `handler of run ${id}`,
  run: (id) => `start by run ${id}`,
};

/** Tells the admins of a start that did not happen. */
export async function tellMissedStart(
  ctx: Ctx,
  { versionId, ...task }: { id: number; name: string; versionId: number | null },
  message: string,
  metadata: Record<string, unknown> & { reason: string },
  about: string,
): Promise<void> {
  await notifyOfTask(ctx, {
    event: 'task.missed',
    task,
    versionId,
    type: 'ai_task_not_started',
    title: 'A task did not start',
    message,
    metadata,
    runId: null,
    reason: metadata.reason,
    about,
  });
}

/** The data of the event for a start that did not happen. */
export function missedData({ kind, id, task_id }: Pick<Opener, 'kind' | 'id' | 'task_id'>, due_at: string | null, reason: string) {
  const opener = (one: Opener['kind']) => (kind === one ? id : null);
  return { task_id, schedule_id: opener('schedule'), trigger_id: opener('trigger'), hook_id: opener('hook'), due_at, reason };
}

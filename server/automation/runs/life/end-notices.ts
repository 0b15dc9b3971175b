import type { JsonObject } from '../../../../contract/run-events.ts';
import type { Row } from '../../../db/tables.ts';
import { storeEvents } from '../../../resources/audit/domain.ts';
import { notify } from '../../../resources/notifications/domain.ts';
import type { Ctx } from '../../../verbs/context.ts';
import { isProposed } from '../../tasks/evidence.ts';
import type { CountedError } from '../errors/counting.ts';
import { type EndEvent, eventOfEnd, noticeOfEnd } from '../rows/rules.ts';
import type { RunRow } from '../rows/store.ts';
import type { End } from './end.ts';
import { notifyOfTask } from './task-notices.ts';

/** The event of an end that is neither a success nor what a person asked for. */
export type ToldEnd = { id: number; type: EndEvent; at: string; data: JsonObject };

/**
 * Tells admins, webhooks and triggers of a run's end, in the transaction that ends the run; returns the event of a bad end. Of an error
 * admins are told when it is new or has come back (spec RU15).
 */
export async function tellEnd(
  ctx: Pick<Ctx, 'db' | 'dialect' | 'now' | 'settings' | 'requestId' | 'after' | 'services'>,
  task: Pick<Row<'tasks'>, 'id' | 'name' | 'one_off'>,
  run: RunRow,
  { status, endReason }: End,
  error: CountedError | null,
): Promise<ToldEnd | null> {
  if (task.one_off === 1 && (await isProposed(ctx.db, run))) await tellProposal(ctx, task, run);
  // The admin who starts a dry run or a replay looks at its result; nobody else needs to know.
  if (run.dry_run === 1 || run.replay_of_run_id !== null) return null;
  const metadata = { task_id: task.id, run_id: run.id, status, end_reason: endReason };
  const type = eventOfEnd(status, endReason);
  if (type === null) return null;
  const [id = 0] = await storeEvents(ctx, [{ type, data: metadata }], run.lineage_id);
  const notice = noticeOfEnd(status, endReason);
  if (!notice) return null;
  const told = { id, type, at: ctx.now, data: metadata };
  if (error?.isTold === false) return told;
  const reason = endReason === null ? '' : ` (${endReason})`;
  // The error message is left out, because every admin sees notifications and not every admin may read the script's output.
  await notifyOfTask(ctx, {
    ...notice,
    event: type === 'task.run_interrupted' ? type : 'task.run_failed',
    task,
    versionId: run.version_id,
    message: `Run ${run.id} of "${task.name}" ended ${status}${reason}`,
    metadata: error ? { ...metadata, error_id: error.id } : metadata,
    runId: run.id,
    reason: endReason ?? status,
  });
  return told;
}

/** A proposal waits for a person from the end of its dry run on, as a version does once it is stored. */
async function tellProposal(ctx: Pick<Ctx, 'db' | 'now'>, task: Pick<Row<'tasks'>, 'id' | 'name'>, run: RunRow): Promise<void> {
  const message = `"${task.name}" ran dry: its plan is applied or declined in its review`;
  const metadata = { task_id: task.id, version_id: run.version_id, task_name: task.name, one_off: true };
  await notify(ctx, [{ type: 'ai_task_version_pending', title: 'A proposal waits for a decision', message, metadata }]);
}

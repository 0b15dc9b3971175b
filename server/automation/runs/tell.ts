import type { Row } from '../../db/tables.ts';
import { storeEvents } from '../../resources/audit/domain.ts';
import { notify } from '../../resources/notifications/domain.ts';
import type { Ctx } from '../../verbs/context.ts';
import type { End } from './end.ts';
import { isFailure, newsOfEnd } from './rules.ts';
import type { RunRow } from './store.ts';

/** Notifies the admins of a run's end, and of a failure the webhooks and triggers too, in the transaction that ends the run. */
export async function tellEnd(
  ctx: Pick<Ctx, 'db' | 'dialect' | 'now' | 'requestId'>,
  task: Pick<Row<'tasks'>, 'id' | 'name'>,
  run: RunRow,
  { status, endReason }: End,
): Promise<void> {
  // The admin who starts a dry run or a replay looks at its result; nobody else needs to know.
  if (run.dry_run === 1 || run.replay_of_run_id !== null) return;
  const news = newsOfEnd(status, endReason);
  if (!news) return;
  const metadata = { task_id: task.id, run_id: run.id, status, end_reason: endReason };
  const reason = endReason === null ? '' : ` (${endReason})`;
  // The error message is left out, because every admin sees notifications and not every admin may read the script's output.
  await notify(ctx, [{ ...news, message: `Run ${run.id} of "${task.name}" ended ${status}${reason}`, metadata }]);
  if (isFailure(status)) await storeEvents(ctx, [{ type: 'task.run_failed', data: metadata }], run.lineage_id);
}

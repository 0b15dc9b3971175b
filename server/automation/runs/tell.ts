import type { Row } from '../../db/tables.ts';
import { storeEvents } from '../../resources/audit/domain.ts';
import { notify } from '../../resources/notifications/domain.ts';
import type { Ctx } from '../../verbs/context.ts';
import type { End } from './end.ts';
import { isFailure, newsOfEnd } from './rules.ts';
import type { RunRow } from './store.ts';

/** Tells the admins, and of a failure the webhooks and triggers, in the transaction that ends the run. */
export async function tellEnd(
  ctx: Pick<Ctx, 'db' | 'dialect' | 'now' | 'requestId'>,
  task: Pick<Row<'tasks'>, 'id' | 'name'>,
  run: RunRow,
  { status, endReason }: End,
): Promise<void> {
  // Whoever makes a dry run or a replay looks at it; nothing else comes of one.
  if (run.dry_run === 1 || run.replay_of_run_id !== null) return;
  const news = newsOfEnd(status, endReason);
  if (!news) return;
  const metadata = { task_id: task.id, run_id: run.id, status, end_reason: endReason };
  const reason = endReason === null ? '' : ` (${endReason})`;
  // Not its error message: every admin sees the news, and not everybody may read what the script tells.
  await notify(ctx, [{ ...news, message: `Run ${run.id} of "${task.name}" ended ${status}${reason}`, metadata }]);
  if (isFailure(status)) await storeEvents(ctx, [{ type: 'task.run_failed', data: metadata }], run.lineage_id);
}

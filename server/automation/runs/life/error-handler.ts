import type { JsonObject } from '../../../../contract/run-events.ts';
import type { Row } from '../../../db/tables.ts';
import type { Ctx } from '../../../verbs/context.ts';
import { settingsOf } from '../../tasks/domain.ts';
import { insertCauses, isCause } from '../../trigger-queue/domain.ts';
import type { RunRow } from '../rows/store.ts';
import { openUnattended, tellNotOpened } from './unattended.ts';

type Handled = Pick<Row<'tasks'>, 'settings' | 'handler_acts_for' | 'handler_reads_files'>;
/** The event as triggers give it to their runs. */
type Event = { id: number; type: string; at: string; data: JsonObject };

/**
 * Opens a run of the task's error handler for a run that ended badly, in the transaction of its end. A handler handles neither its own bad
 * ends nor those of runs that it led to, so that tasks which handle each other end at last.
 */
export async function startHandler(ctx: Ctx, task: Handled, run: RunRow, event: Event): Promise<void> {
  const handler = settingsOf(task).error_handler;
  if (handler === null || task.handler_acts_for === null || isOfHandler(run)) return;
  if (await isCause(ctx.db, run.lineage_id, handler.task_id)) return;
  const opener = {
    kind: 'handler' as const,
    id: run.id,
    task_id: handler.task_id,
    acts_for: task.handler_acts_for,
    reads_files: task.handler_reads_files,
    last_error: null,
  };
  const outcome = await openUnattended(ctx, opener, { event });
  if ('runId' in outcome) await insertCauses(ctx.db, outcome.runId, run.lineage_id);
  else await tellNotOpened(ctx, opener, outcome, { event_id: event.id, event: event.type }, run.lineage_id);
}

function isOfHandler({ started_by }: RunRow): boolean {
  return started_by.startsWith('handler:');
}

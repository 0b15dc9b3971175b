import type { BulkAction } from '../../../../contract/run-bulk.ts';
import type { RunRow } from '../../../../contract/runs.ts';

export const bulkActs = ['cancel', 'resume', 'retry', 'replay'] as const satisfies readonly BulkAction[];

/** Whether the act is for a run as the list shows it; the server decides anew. */
export function isFor(act: BulkAction, { status, record, replay_of_run_id, undo_of_run_id }: RunRow): boolean {
  const isOver = status !== 'running';
  switch (act) {
    case 'cancel':
      return !isOver;
    case 'resume':
      return status === 'interrupted';
    case 'retry':
      return isOver && status !== 'resumed' && replay_of_run_id === null && undo_of_run_id === null;
    case 'replay':
      return isOver && record;
  }
}

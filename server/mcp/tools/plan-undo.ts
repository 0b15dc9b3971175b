import { z } from 'zod';
import { UndoRow } from '../../../contract/undo.ts';
import { bounds, mostBytes } from '../answer.ts';
import { Id, toolOf } from '../tool.ts';

const Planned = z.object({ run_id: Id, rows: z.record(z.string(), z.number()) });

/** At most so many rows of a plan are told; `run` with part "undo" tells the others. */
const SHOWN = 20;
/** What the answer has besides rows is not longer. */
const AROUND_ROWS = 600;

export const planUndoTool = toolOf({
  name: 'plan_undo',
  description:
    'Plans to take back what a run did; a person applies it, at apply_at. Rows are ready, a conflict (values before, of the run, now) or irreversible with its reason; those behind `after` by run, part undo.',
  input: z.object({
    task_id: Id,
    run_id: Id,
    lineage: z.boolean().optional().describe('Of its whole lineage'),
    effects: z.array(z.number()).optional().describe('Only these, by `call`'),
    max_bytes: bounds.max_bytes,
  }),
  readOnly: false,
  run: async ({ task_id, run_id, lineage, effects, max_bytes }, caller) => {
    const body = { ...(lineage !== undefined && { lineage }), ...(effects && { effects }) };
    const path = `/ai-tasks/${task_id}/runs`;
    const plan = Planned.parse(await caller.request('POST', `${path}/${run_id}/undo`, body));
    const rows = z.array(UndoRow).parse(await caller.request('GET', `${path}/${plan.run_id}/undo?limit=${SHOWN}`));
    const first = fitting(rows, mostBytes(max_bytes) - AROUND_ROWS);
    const all = Object.values(plan.rows).reduce((sum, many) => sum + many, 0);
    return {
      ...{ ...plan, task_id, undo_of_run_id: run_id, apply_at: await caller.pageOf(`/tasks/${task_id}/runs/${plan.run_id}`) },
      ...{ first, after: first.length < all ? first.length : null },
    };
  },
});

/** As many rows as the answer has room for: a part of it would be asked for by another call, which makes another plan. */
function fitting(rows: readonly UndoRow[], bytes: number): UndoRow[] {
  let used = 0;
  const end = rows.findIndex((row) => {
    used += JSON.stringify(row).length + 1;
    return used > bytes;
  });
  return rows.slice(0, end === -1 ? rows.length : end);
}

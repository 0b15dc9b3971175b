import { z } from 'zod';
import { UndoRow } from '../../../contract/undo.ts';
import { bounds } from '../answer.ts';
import { Id, toolOf } from '../tool.ts';

const Planned = z.object({ run_id: Id, rows: z.record(z.string(), z.number()) });

/** So many rows of a plan are told; `run` with part "undo" tells the others. */
const SHOWN = 20;

export const planUndoTool = toolOf({
  name: 'plan_undo',
  description:
    'Plans to take back what a run did; a person applies it, at apply_at. Rows are ready, a conflict (values before, of the run, now) or irreversible with its reason; more of them by run, part undo.',
  input: z.object({
    task_id: Id,
    run_id: Id,
    lineage: z.boolean().optional().describe('Of its whole lineage'),
    effects: z.array(z.number()).optional().describe('Only these, by `call`'),
    ...bounds,
  }),
  readOnly: false,
  run: async ({ task_id, run_id, lineage, effects }, caller) => {
    const body = { ...(lineage !== undefined && { lineage }), ...(effects && { effects }) };
    const path = `/ai-tasks/${task_id}/runs`;
    const plan = Planned.parse(await caller.request('POST', `${path}/${run_id}/undo`, body));
    const first = z.array(UndoRow).parse(await caller.request('GET', `${path}/${plan.run_id}/undo?limit=${SHOWN}`));
    return { ...plan, task_id, undo_of_run_id: run_id, apply_at: await caller.pageOf(`/tasks/${task_id}/runs/${plan.run_id}`), first };
  },
});

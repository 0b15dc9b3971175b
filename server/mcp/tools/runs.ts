import { z } from 'zod';
import { WholeRun } from '../../../contract/runs.ts';
import { bounds } from '../answer.ts';
import { Id, toolOf } from '../tool.ts';

export const runsTool = toolOf({
  name: 'runs',
  description: 'Lists runs, newest first; with `errors`, groups of their errors.',
  input: z.object({
    task_id: Id.optional(),
    status: z.string().max(32).optional().describe('running, success, failed, interrupted, cancelled'),
    end_reason: z.string().max(32).optional(),
    dry_run: z.boolean().optional(),
    errors: z.boolean().optional(),
    limit: z.number().min(1).max(100).default(20),
    ...bounds,
  }),
  readOnly: true,
  run: async ({ max_bytes: _, from: __, errors, ...filter }, caller) => {
    const query = new URLSearchParams(
      Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    );
    return await caller.request('GET', `${errors === true ? '/errors' : '/runs'}?${query}`);
  },
});

const PARTS = { log: 'lines', effects: 'effects', timeline: 'timeline', calls: 'calls', undo: 'undo' } as const;

export const runTool = toolOf({
  name: 'run',
  description:
    'Why a run ended, its result and end of log; with `part`, its log, effects (of a dry run: its plan), timeline, calls, or rows of an undo plan.',
  input: z.object({
    task_id: Id,
    run_id: Id,
    part: z.enum(['log', 'effects', 'timeline', 'calls', 'undo']).optional(),
    after: z.number().min(0).default(0).describe('Go on behind this number'),
    ...bounds,
  }),
  readOnly: true,
  run: async ({ task_id, run_id, part, after }, caller) => {
    const path = `/ai-tasks/${task_id}/runs/${run_id}`;
    if (part === undefined) return shortRun(WholeRun.parse(await caller.request('GET', path)));
    const query = part === 'timeline' || after === 0 ? '' : `?after=${after}`;
    return await caller.request('GET', `${path}/${PARTS[part]}${query}`);
  },
});

const LOG_TAIL = 4000;

/** A run as an agent needs it: its log ends, and what only machines need is left out. */
export function shortRun(run: WholeRun) {
  const { isolation: _, claimed_by: __, claimed_at: ___, executor: ____, ...shown } = run;
  return { ...shown, log: run.log.length > LOG_TAIL ? `…${run.log.slice(-LOG_TAIL)}` : run.log };
}

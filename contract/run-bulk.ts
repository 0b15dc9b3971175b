import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { RunFilter } from './runs.ts';
import { Id, listOf } from './values.ts';

/** Counts of runs of all tasks, and acts on many of them. */

/** The most runs that are counted; of more, the newest. */
export const COUNTED_RUNS = 100_000;
export const MAX_BULK_RUNS = 1000;

const bulkActions = ['cancel', 'resume', 'retry', 'replay'] as const;
export const BulkAction = z.enum(bulkActions).meta({
  description:
    '`cancel`: open runs. `resume`: interrupted ones. `retry`: ended ones, started again with the same version and parameters. `replay`: ended ones that were recorded',
});
export type BulkAction = z.infer<typeof BulkAction>;

const Ids = listOf(Id, MAX_BULK_RUNS).min(1);
const selection = {
  action: BulkAction,
  ids: Ids.optional().meta({ description: 'The runs; or `filter`' }),
  filter: RunFilter.optional().meta({ description: 'All matching runs that the act is for, oldest first; or `ids`' }),
};

/** One of the two ways to say which runs. */
function chosen<T extends z.ZodObject<typeof selection>>(schema: T) {
  return schema.superRefine(({ ids, filter }, ctx) => {
    const refuse = (name: string, code: string, message: string) =>
      ctx.addIssue({ code: 'custom', path: [name], message, params: { code } });
    if (ids === undefined && filter === undefined) refuse('ids', 'required', 'is required, or a filter');
    if (ids !== undefined && filter !== undefined) refuse('filter', 'invalid_value', 'cannot be given together with ids');
  });
}

export const runBulkEndpoints = endpointsOf(
  {
    id: 'ai_tasks.count_runs',
    method: 'GET',
    path: '/runs/counts',
    summary: `Count the runs that match, by status; of more than ${COUNTED_RUNS} matching runs, the newest are counted`,
    permission: 'admin_api.ai_tasks.read',
    query: RunFilter,
    response: z
      .object({
        counts: z.array(z.object({ status: z.string(), count: z.int() })),
        total: z.int(),
        is_complete: z.boolean().meta({ description: 'Whether all matching runs were counted; with `q`, whether all logs were searched' }),
      })
      .meta({ id: 'RunCounts' }),
  },
  {
    id: 'ai_tasks.preview_bulk_runs',
    method: 'POST',
    path: '/runs/bulk/preview',
    summary: 'Count the runs that an act on many runs would be tried on',
    permission: 'admin_api.ai_tasks.read',
    body: chosen(z.object(selection)),
    writes: false,
    response: z.object({
      count: z.int(),
      is_complete: z.boolean().meta({ description: `false: there are more than ${MAX_BULK_RUNS}, or \`q\` left logs unsearched` }),
    }),
  },
  {
    id: 'ai_tasks.bulk_runs',
    method: 'POST',
    path: '/runs/bulk',
    summary: `Cancel, resume, retry or replay up to ${MAX_BULK_RUNS} runs; each has an outcome of its own`,
    permission: 'admin_api.ai_tasks.write',
    body: chosen(
      z.object({
        ...selection,
        expected_count: z.int().min(0).optional().meta({ description: 'If another number of runs is found, nothing is done: 409' }),
      }),
    ),
    response: z
      .object({
        results: z.array(
          z.object({
            run_id: Id,
            code: z.string().nullable().meta({ description: 'null: it is done; else the code of the refusal' }),
            detail: z.string().nullable().meta({ description: 'What the refusal says' }),
            new_run_id: Id.nullable().meta({ description: 'The run that was opened' }),
          }),
        ),
        done: z.int(),
      })
      .meta({ id: 'BulkRunResults' }),
    refusals: ['selection_changed', 'too_many_matches'],
  },
);

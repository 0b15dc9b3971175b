import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { NextCursor } from './paging.ts';
import { JsonObject } from './run-events.ts';
import { RunCall } from './run-lines.ts';
import { RunEffect, RunRow } from './runs.ts';
import { Id } from './values.ts';

/** So many of a run's calls, effects and results are compared: the first ones. */
export const COMPARED_MAX = 5000;
/** Of a run's effects, the first whose changes take so many bytes as JSON together, but at least one. */
export const COMPARED_EFFECT_BYTES = 8 * 1024 ** 2;

const ComparedResult = z.object({ item: z.string(), status: z.string(), details: JsonObject }).meta({ id: 'ComparedResult' });
export type ComparedResult = z.infer<typeof ComparedResult>;

const outcomes = ['same', 'changed', 'only_a', 'only_b'] as const;
export const Outcome = z.enum(outcomes);
export type Outcome = z.infer<typeof Outcome>;

/** What the runs have of one kind, side by side. The numbers count all that was compared, `data` is one page of it. */
function sideBySide<T extends z.ZodType>(item: T, changed: string) {
  return z.object({
    same: z.int(),
    changed: z.int().meta({ description: changed }),
    only_a: z.int(),
    only_b: z.int(),
    is_complete: z.boolean().meta({
      description: `false: a run has more than ${COMPARED_MAX} of them, or effects with more than ${COMPARED_EFFECT_BYTES / 1024 ** 2} MiB of changes, of which only the first were compared`,
    }),
    data: z.array(z.object({ outcome: Outcome, a: item.nullable(), b: item.nullable() })),
  });
}

export const RunComparison = z
  .object({
    a: RunRow,
    b: RunRow,
    result: Outcome.extract(['same', 'changed']).meta({ description: 'Whether the runs returned the same' }),
    calls: sideBySide(RunCall, 'Calls of the same method and path, and of the same request to another system, with another status'),
    effects: sideBySide(RunEffect, 'Effects of the same method, path and type of record with another status, record or change'),
    results: sideBySide(ComparedResult, 'Results for the same item with another status or other details'),
    next_cursor: NextCursor,
  })
  .meta({ id: 'RunComparison' });
export type RunComparison = z.infer<typeof RunComparison>;

export const runComparisonEndpoints = endpointsOf({
  id: 'ai_tasks.compare_runs',
  method: 'GET',
  path: '/runs/compare',
  summary:
    'Show the calls, effects and results of two runs side by side, whichever tasks they are of. The nth call of a method and path, and of a request to another system, stands beside the nth of the same in the other run',
  permission: 'admin_api.ai_tasks.read',
  query: z.object({
    a: Id.meta({ description: 'Id of one run' }),
    b: Id.meta({ description: 'Id of the other' }),
    cursor: z
      .string()
      .regex(/^\d{1,6}$/, 'must be next_cursor of the previous page')
      .optional()
      .meta({ description: '`next_cursor` of the previous page; a page goes on in each of the three lists' }),
    limit: z.int().min(1).max(500).default(200).meta({ description: 'Most rows of each list' }),
  }),
  response: RunComparison,
  refusals: ['run_not_found', 'forbidden'],
});

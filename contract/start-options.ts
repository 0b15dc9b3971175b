import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { Id, Timestamp, text } from './values.ts';

/** How the starts of a trigger, of a hook or by a run are gathered, put off, limited and given up (spec GS1). */

/** The longest time for which starts are gathered. */
export const MAX_GATHER_MS = 24 * 3_600_000;
/** A start that is postponed by further ones opens at the latest after so many times `ms`, counted from the first. */
export const DEBOUNCE_TIMES = 10;
export const MAX_BATCH = 1000;
/** What was given for one batch takes at most so many bytes as JSON; the one that would exceed it begins the next batch. */
export const MAX_BATCH_BYTES = 256 * 1024;
export const MAX_DELAY_MS = 30 * 86_400_000;
export const MAX_STARTS_PER_MINUTE = 600;
/** So many starts of one trigger or hook, or of one task by another, may wait. */
export const MAX_WAITING_STARTS = 10_000;

const Key = text({ min: 1, max: 200 }).nullable().meta({
  description:
    'Starts with the same value of this field count together: of a trigger a field of the event’s data, of a hook `body.<field>`, `query.<field>` or `headers.<field>`, of `tasks.start` a parameter. null: all do',
});
const GatherMs = z.int().min(1).max(MAX_GATHER_MS);

export const StartOptions = z
  .object({
    debounce: z
      .object({ key: Key.default(null), ms: GatherMs })
      .optional()
      .meta({
        description: `One run for the last of those that follow each other within \`ms\`, after \`ms\` without a further one, and at the latest ${DEBOUNCE_TIMES} times \`ms\` after the first`,
      }),
    batch: z
      .object({ max: z.int().min(2).max(MAX_BATCH), ms: GatherMs })
      .optional()
      .meta({
        description: `One run with the list of them, when there are \`max\` or when \`ms\` have passed since the first. Together they have at most ${MAX_BATCH_BYTES} bytes`,
      }),
    delay: z.int().min(1).max(MAX_DELAY_MS).optional().meta({ description: 'So many milliseconds later' }),
    ttl: z
      .int()
      .min(1000)
      .max(MAX_DELAY_MS)
      .optional()
      .meta({ description: 'What has not been taken by a runner so many milliseconds after it happened is not started any more' }),
    rate: z
      .object({
        key: Key.default(null),
        per_minute: z.int().min(1).max(MAX_STARTS_PER_MINUTE),
        overflow: z
          .enum(['queue', 'skip'])
          .default('queue')
          .meta({ description: 'What is too much waits in order, or is left out and logged' }),
      })
      .optional()
      .meta({ description: 'At most so many runs in any 60 seconds' }),
  })
  .meta({ id: 'StartOptions', description: '`debounce` and `batch` exclude each other; the others go with everything' });
export type StartOptions = z.infer<typeof StartOptions>;

/** What a trigger or hook shows of starts that wait. */
export const Gathered = z
  .object({
    starts: z.int().meta({ description: 'How many runs will open' }),
    items: z.int().meta({ description: 'How many events or calls these have gathered' }),
    next_due_at: Timestamp.nullable(),
  })
  .meta({ id: 'Gathered' });
export type Gathered = z.infer<typeof Gathered>;

export const gatheredStartKinds = ['trigger', 'hook', 'run'] as const;

export const GatheredStart = z
  .object({
    id: Id,
    task_id: Id,
    kind: z.enum(gatheredStartKinds),
    trigger_id: Id.nullable(),
    hook_id: Id.nullable(),
    started_by_task_id: Id.nullable().meta({ description: 'The task whose run asked for the start' }),
    how: z.enum(['single', 'debounce', 'batch']),
    key: z.string().nullable().meta({ description: 'The value of the key as JSON; null: none, or not to be shown' }),
    items: z.int().meta({ description: 'How many events, calls or starts were gathered' }),
    first_at: Timestamp,
    last_at: Timestamp,
    due_at: Timestamp.nullable().meta({ description: 'null: others wait before it for their turn' }),
    expires_at: Timestamp.nullable(),
    waits_for: z.enum(['time', 'rate']),
  })
  .meta({ id: 'GatheredStart' });
export type GatheredStart = z.infer<typeof GatheredStart>;

/** A list shows so many. */
export const SHOWN_STARTS = 100;

export const gatheredStartsEndpoints = endpointsOf(
  {
    id: 'ai_tasks.list_gathered_starts',
    method: 'GET',
    path: '/ai-tasks/{id}/gathered-starts',
    summary: 'List the starts of a task that wait for their time, soonest first',
    permission: 'admin_api.ai_tasks.read',
    record: 'task',
    response: z.object({ starts: z.array(GatheredStart), total: z.int() }).meta({ id: 'GatheredStarts' }),
  },
  {
    id: 'ai_tasks.open_gathered_start',
    method: 'POST',
    path: '/ai-tasks/{id}/gathered-starts/{start_id}/open',
    summary: 'Open the run of a start that waits now, whatever its time',
    permission: 'admin_api.ai_tasks.write',
    record: 'task',
    status: 201,
    response: z.object({ run_id: Id }).meta({ id: 'OpenedGatheredStart' }),
    refusals: ['run_not_opened'],
  },
  {
    id: 'ai_tasks.drop_gathered_start',
    method: 'DELETE',
    path: '/ai-tasks/{id}/gathered-starts/{start_id}',
    summary: 'Leave out a start that waits; the log says so',
    permission: 'admin_api.ai_tasks.write',
    record: 'task',
    status: 204,
  },
);

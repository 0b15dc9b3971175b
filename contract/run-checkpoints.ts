import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { JsonObject } from './run-events.ts';
import { RunEffect } from './runs.ts';
import { Id, Timestamp } from './values.ts';

/** The states of so many last checkpoints of a lineage are kept, and of these so many bytes; the oldest go first. */
export const KEPT_CHECKPOINTS = 20;
export const KEPT_CHECKPOINT_BYTES = 16 * 1024 * 1024;

/** So many effects, and so many bytes of their changes, are shown of those after a checkpoint. */
export const EFFECTS_AFTER_MAX = 100;
export const EFFECTS_AFTER_BYTES = 1024 * 1024;

/** That a checkpoint was stored; the run itself shows the state of the last one. */
export const RunCheckpoint = z
  .object({
    epoch: z.int().meta({ description: 'Number of the checkpoint, from 1, counted over all runs that continue one another' }),
    at: Timestamp,
    bytes: z.int().meta({ description: 'Size of its state as JSON' }),
    run_id: Id,
    attempt: z.int(),
    kept: z
      .boolean()
      .meta({ description: `Whether its state is kept, so that a run may restart from it: the last ${KEPT_CHECKPOINTS} are` }),
    effects_after: z.int().nullable().meta({
      description: 'How many effects came after it, also of runs that were resumed; 0 for a dry run; null: its state is not kept',
    }),
  })
  .meta({ id: 'RunCheckpoint' });
export type RunCheckpoint = z.infer<typeof RunCheckpoint>;

/** What a run, and those that were resumed from it, had written after a checkpoint. */
export const EffectsAfter = z
  .object({
    total: z.int(),
    data: z.array(RunEffect).meta({ description: `The first ones, in their order, at most ${EFFECTS_AFTER_MAX}` }),
  })
  .meta({ id: 'EffectsAfter', description: 'What was written after the checkpoint, and might be written a second time' });
export type EffectsAfter = z.infer<typeof EffectsAfter>;

export const runCheckpointsEndpoints = endpointsOf(
  {
    id: 'ai_tasks.list_checkpoints',
    method: 'GET',
    path: '/ai-tasks/{id}/runs/{run_id}/checkpoints',
    summary: 'List the checkpoints of the run and of the runs that it was resumed from, in order',
    permission: 'admin_api.ai_tasks.read',
    record: 'run',
    query: z.object({
      after: z.int().min(0).default(0).meta({ description: 'Only checkpoints after the one with this number' }),
      limit: z.int().min(1).max(1000).default(500),
    }),
    response: z.array(RunCheckpoint),
  },
  {
    id: 'ai_tasks.get_checkpoint_state',
    method: 'GET',
    path: '/ai-tasks/{id}/runs/{run_id}/checkpoints/{checkpoint_id}/state',
    summary: 'Get the state of a checkpoint, and what was written after it; `checkpoint_id` is its number',
    permission: 'admin_api.ai_tasks.read',
    record: 'run',
    response: RunCheckpoint.extend({
      state: z.string().meta({ description: 'A JSON object' }),
      effects: EffectsAfter,
    }).meta({ id: 'CheckpointState' }),
    refusals: ['checkpoint_expired'],
  },
  {
    id: 'ai_tasks.restart_run',
    method: 'POST',
    path: '/ai-tasks/{id}/runs/{run_id}/restart',
    summary: 'Start again from a checkpoint of an ended run, as a new run whose writes are new',
    permission: 'admin_api.ai_tasks.write',
    record: 'run',
    body: z.object({
      checkpoint: z.int().min(1).meta({ description: 'Number of the checkpoint, whose state must be kept' }),
      parameters: JsonObject.optional().meta({ description: 'Default: those of the run' }),
      version: z
        .union([z.literal('current'), Id])
        .optional()
        .meta({ description: '`current`: the current version of the task; or the id of a version. Default: the version of the run' }),
      dry_run: z.boolean().optional().meta({ description: '`true` shows what the run would do. Default: whether the run is a dry run' }),
      executor: z.enum(['runner', 'external']).optional(),
      record: z.boolean().default(false),
      priority: z.int().min(-1000).max(1000).default(0),
    }),
    status: 201,
    response: z
      .object({ run_id: Id, version_id: Id, effects_after: EffectsAfter })
      .meta({ id: 'RestartedRun', description: 'The new run, and what the old one had written after the checkpoint' }),
    location: '/ai-tasks/{id}/runs/{run_id}',
    refusals: [
      'task_deleted',
      'run_not_ended',
      'not_applicable',
      'checkpoint_expired',
      'checkpoint_not_found',
      'version_not_approved',
      'version_not_found',
      'task_paused',
      'concurrency_limit',
      'permission_not_held',
    ],
  },
);

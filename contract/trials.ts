import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { Id, Timestamp, text } from './values.ts';

/** A new version is watched while it is new, and pauses its task if it does worse than the one before it (spec TV1). */

/** So many runs must have ended before anything is compared, of each version. */
export const TRIAL_LEAST_RUNS = 5;

export const Trial = z.object({
  /** So many of the first runs of a newly approved version are watched. */
  runs: z.int().min(TRIAL_LEAST_RUNS).max(1000),
  /** By so many percentage points the share of runs that fail must be higher. null: it is not looked at. */
  failure_points: z.int().min(1).max(100).nullable(),
  /** So many times more or fewer effects a run must have. null: they are not looked at. */
  effects_factor: z.number().min(1.1).max(100).nullable(),
});
export type Trial = z.infer<typeof Trial>;

export const defaultTrial: Trial = { runs: 20, failure_points: 20, effects_factor: 2 };

/** What was counted of a version's runs that ended with success or an error. */
export const TrialFigures = z
  .object({
    runs: z.int(),
    failures: z.int(),
    effects: z
      .number()
      .nullable()
      .meta({
        description: `How many effects the run in the middle has, of those that succeeded; null: fewer than ${TRIAL_LEAST_RUNS} did`,
      }),
  })
  .meta({ id: 'TrialFigures' });
export type TrialFigures = z.infer<typeof TrialFigures>;

export const trialStates = ['watching', 'passed', 'paused', 'continued'] as const;
export const trialReasons = ['failures', 'more_effects', 'fewer_effects'] as const;

/** The trial of the current version. */
export const VersionTrial = z
  .object({
    version_id: Id,
    state: z.enum(trialStates).meta({
      description: '`paused`: it did worse, and the task opens no run of it; `continued`: somebody let it go on all the same',
    }),
    figures: TrialFigures,
    before: TrialFigures.extend({ version_id: Id, version: z.int() }).meta({ description: 'The version that it is compared with' }),
    reason: z.enum(trialReasons).nullable().meta({ description: 'Why it was paused' }),
    run_id: Id.nullable().meta({ description: 'The run at whose end it was paused' }),
    decided_at: Timestamp.nullable(),
  })
  .meta({ id: 'VersionTrial' });
export type VersionTrial = z.infer<typeof VersionTrial>;

export const trialsEndpoints = endpointsOf({
  id: 'ai_tasks.continue_version',
  method: 'POST',
  path: '/ai-tasks/{id}/versions/{version_id}/continue',
  summary: 'Let a version go on that was paused in its trial',
  decides: true,
  permission: 'admin_api.ai_tasks.approve',
  record: 'task_version',
  body: z.object({ comment: text({ max: 2000, trim: true }).optional() }),
  status: 204,
  refusals: ['not_paused', 'task_deleted'],
});

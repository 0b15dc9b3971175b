import { type Routes, read, stream, write } from '../../verbs/route.ts';
import { cancelRun, cancelRuns } from './cancel.ts';
import { appendRunEvents } from './events.ts';
import { remember } from './memory.ts';
import { getRun, listEffects, listRuns } from './read.ts';
import { startRun } from './start.ts';
import { streamRun } from './stream.ts';

export const runRoutes = {
  'ai_tasks.list_runs': read(listRuns),
  'ai_tasks.start_run': write((ctx, input) => startRun(ctx.services.work)(ctx, input)),
  'ai_tasks.get_run': read(getRun),
  'ai_tasks.append_run_events': write((ctx, input) =>
    appendRunEvents(ctx.services.config.leaseSeconds * 1000, ctx.services.ending)(ctx, input),
  ),
  'ai_tasks.cancel_run': write((ctx, input) => cancelRun(ctx.services.ending)(ctx, input)),
  'ai_tasks.cancel_runs': write((ctx, input) => cancelRuns(ctx.services.ending)(ctx, input)),
  'ai_tasks.list_effects': read(listEffects),
  'ai_tasks.stream_run': stream(streamRun),
  'runner.remember': write(remember),
} satisfies Partial<Routes>;

import type { Handlers } from '../../http/handlers.ts';
import type { Services } from '../../services.ts';
import { cancelRun, cancelRuns } from './cancel.ts';
import type { Ending } from './end.ts';
import { appendRunEvents } from './events.ts';
import { remember } from './memory.ts';
import { getRun, listEffects, listRuns } from './read.ts';
import { startRun } from './start.ts';

export function runRoutes({ config, work }: Services, ending: Ending): Handlers {
  return {
    'ai_tasks.list_runs': listRuns,
    'ai_tasks.start_run': startRun(work),
    'ai_tasks.get_run': getRun,
    'ai_tasks.append_run_events': appendRunEvents(config.leaseSeconds * 1000, ending),
    'ai_tasks.cancel_run': cancelRun(ending),
    'ai_tasks.cancel_runs': cancelRuns(ending),
    'ai_tasks.list_effects': listEffects,
    'runner.remember': remember,
  };
}

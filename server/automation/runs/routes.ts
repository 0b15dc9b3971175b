import { type Routes, read, stream, write } from '../../verbs/route.ts';
import { prepareDraft } from '../tasks/prepare.ts';
import { getError, listErrors, updateError } from './errors/domain.ts';
import { getHealth } from './health/domain.ts';
import { cancelRun, cancelRuns } from './life/cancel.ts';
import { appendRunEvents } from './life/events.ts';
import { restartRun } from './life/restart.ts';
import { startRun, tryDraft } from './life/start.ts';
import { remember } from './log/memory.ts';
import { streamRun } from './log/stream.ts';
import { getCheckpointState, listCheckpoints } from './views/checkpoints.ts';
import { compareRuns } from './views/comparison.ts';
import { listCalls, listRunLines } from './views/lines.ts';
import { countRuns, getRun, listAllRuns, listEffects, listRuns } from './views/runs.ts';
import { getTimeline } from './views/timeline.ts';

export const runRoutes = {
  'ai_tasks.list_runs': read(listRuns),
  'ai_tasks.list_all_runs': read(listAllRuns, { isHeavy: ({ q }) => q !== undefined }),
  'ai_tasks.count_runs': read(countRuns, { isHeavy: () => true }),
  'ai_tasks.start_run': write(startRun, { prepare: prepareDraft }),
  'ai_tasks.try_draft': write(tryDraft, { prepare: prepareDraft }),
  'ai_tasks.get_run': read(getRun),
  'ai_tasks.append_run_events': write(appendRunEvents),
  'ai_tasks.cancel_run': write(cancelRun),
  'ai_tasks.cancel_runs': write(cancelRuns),
  'ai_tasks.list_effects': read(listEffects),
  'ai_tasks.list_run_lines': read(listRunLines),
  'ai_tasks.list_calls': read(listCalls),
  'ai_tasks.get_timeline': read(getTimeline, { isHeavy: () => true }),
  'ai_tasks.compare_runs': read(compareRuns, { isHeavy: () => true }),
  'ai_tasks.list_checkpoints': read(listCheckpoints),
  'ai_tasks.list_errors': read(listErrors, { isHeavy: ({ q }) => q !== undefined }),
  'ai_tasks.get_error': read(getError),
  'ai_tasks.update_error': write(updateError),
  'ai_tasks.get_checkpoint_state': read(getCheckpointState),
  'ai_tasks.restart_run': write(restartRun),
  'ai_tasks.get_health': read(getHealth, { isHeavy: () => true }),
  'ai_tasks.stream_run': stream(streamRun),
  'runner.remember': write(remember),
} satisfies Partial<Routes>;

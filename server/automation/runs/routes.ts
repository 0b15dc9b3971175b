import type { Services } from '../../services.ts';
import { NOTHING_PREPARED, type Prepared } from '../../verbs/context.ts';
import { type Routes, read, stream, write } from '../../verbs/route.ts';
import { cancelRun, cancelRuns } from './cancel.ts';
import { compareRuns } from './compare.ts';
import { appendRunEvents } from './events.ts';
import { listCalls, listCheckpoints, listRunLines } from './lines.ts';
import { remember } from './memory.ts';
import { countRuns, getRun, listAllRuns, listEffects, listRuns } from './read.ts';
import { startRun } from './start.ts';
import { streamRun } from './stream.ts';
import { getTimeline } from './timeline.ts';

/** Compiles the source of a draft. */
const compileDraft = async ({ checker }: Services, { draft }: Readonly<Record<string, unknown>>): Promise<Prepared> => {
  const isObject = typeof draft === 'object' && draft !== null && 'source_code' in draft;
  return isObject && typeof draft.source_code === 'string' ? checker.check(draft.source_code) : NOTHING_PREPARED;
};

export const runRoutes = {
  'ai_tasks.list_runs': read(listRuns),
  'ai_tasks.list_all_runs': read(listAllRuns, { isHeavy: ({ q }) => q !== undefined }),
  'ai_tasks.count_runs': read(countRuns, { isHeavy: () => true }),
  'ai_tasks.start_run': write(startRun, { prepare: compileDraft }),
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
  'ai_tasks.stream_run': stream(streamRun),
  'runner.remember': write(remember),
} satisfies Partial<Routes>;

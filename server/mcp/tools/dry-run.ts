import { z } from 'zod';
import { WholeRun } from '../../../contract/runs.ts';
import { countsOf } from '../../values/counts.ts';
import { refuseValue } from '../../verbs/problem.ts';
import { bounds } from '../answer.ts';
import type { Caller } from '../caller.ts';
import { Id, Seconds, toolOf } from '../tool.ts';
import { shortRun } from './runs.ts';
import { Draft, FreeObject } from './source.ts';

const Started = z.object({ run_id: Id, task_id: Id.optional() });
const Effects = z.array(z.object({ resource: z.object({ type: z.string() }) }).loose());

/** So many changes of a plan are told; `run` with part "effects" tells the others. */
const SHOWN = 50;

export const dryRunTool = toolOf({
  name: 'dry_run',
  description:
    'Runs a draft, or a version of a task, with real reads; nothing is kept. Answers how it ended, its log and result, and its plan: what it would change.',
  input: z.object({
    task_id: Id.optional().describe('Leave out for a draft that has no task yet'),
    version_id: Id.optional().describe('Default: the current version, unless a draft is given'),
    draft: Draft.optional(),
    values: FreeObject.default({}).describe('Values of the parameters'),
    wait_seconds: Seconds,
    ...bounds,
  }),
  readOnly: false,
  run: async ({ task_id, version_id, draft, values, wait_seconds }, caller) => {
    if (task_id === undefined && !draft) throw refuseValue('required', '/draft', 'is missing: give a draft, or the task_id of a task');
    const started =
      task_id === undefined
        ? await caller.request('POST', '/task-drafts/runs', { draft, parameters: values })
        : await caller.request('POST', `/ai-tasks/${task_id}/runs`, {
            ...{ parameters: values, dry_run: true },
            ...(draft && { draft }),
            ...(version_id !== undefined && { version_id }),
          });
    const { run_id, task_id: drafts } = Started.parse(started);
    return await endedDryRun(caller, `/ai-tasks/${task_id ?? drafts}/runs/${run_id}`, { run_id, wait_seconds });
  },
});

/** How a dry run ended, and its plan. */
export async function endedDryRun(caller: Caller, path: string, { run_id, wait_seconds }: { run_id: number; wait_seconds: number }) {
  await caller.untilEnded(run_id, wait_seconds);
  const run = WholeRun.parse(await caller.request('GET', path));
  const effects = run.withheld.length > 0 ? [] : Effects.parse(await caller.request('GET', `${path}/effects?limit=1000`));
  const plan = { changes: effects.length, by_kind: countsOf(effects.map(({ resource }) => resource.type)), first: effects.slice(0, SHOWN) };
  return { ...shortRun(run), plan };
}

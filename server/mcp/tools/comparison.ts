import { z } from 'zod';
import { WholeRun } from '../../../contract/runs.ts';
import { bounds } from '../answer.ts';
import { Id, Seconds, toolOf } from '../tool.ts';
import { shortRun } from './runs.ts';
import { Draft } from './source.ts';

const Started = z.object({ run_id: Id });

export const compareTool = toolOf({
  name: 'compare',
  description: 'Calls, effects and results of two runs side by side, whichever tasks they are of.',
  input: z.object({ run_id: Id, with_run_id: Id, ...bounds }),
  readOnly: true,
  run: async ({ run_id, with_run_id }, caller) => await caller.request('GET', `/runs/compare?a=${run_id}&b=${with_run_id}`),
});

export const replayTool = toolOf({
  name: 'replay',
  description:
    'Runs a version or a draft again on the recorded answers of a run (started with record) and tells what differs; nothing is read or changed.',
  input: z.object({
    task_id: Id,
    run_id: Id,
    version_id: Id.optional().describe('Such as one that you submitted; default: the version of the run'),
    draft: Draft.optional(),
    wait_seconds: Seconds,
    ...bounds,
  }),
  readOnly: false,
  run: async ({ task_id, run_id, version_id, draft, wait_seconds }, caller) => {
    const path = `/ai-tasks/${task_id}/runs`;
    const body = { ...(version_id !== undefined && { version_id }), ...(draft && { draft }) };
    const { run_id: replay } = Started.parse(await caller.request('POST', `${path}/${run_id}/replay`, body));
    await caller.untilEnded(replay, wait_seconds);
    const run = WholeRun.parse(await caller.request('GET', `${path}/${replay}`));
    const report = run.status === 'running' ? null : await caller.request('GET', `${path}/${replay}/replay`);
    return { run: shortRun(run), report };
  },
});

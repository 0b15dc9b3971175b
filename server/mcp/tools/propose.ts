import { z } from 'zod';
import { refuseValue } from '../../verbs/problem.ts';
import { bounds } from '../answer.ts';
import { Id, readBy, Seconds, toolOf } from '../tool.ts';
import { endedDryRun } from './dry-run.ts';
import { Draft, FreeObject } from './source.ts';

const Named = z.object({ task_id: Id, version_id: Id });
const Proposed = z.object({ task_id: Id, version_id: Id, run_id: Id });

export const proposeTool = toolOf({
  name: 'propose',
  description:
    'Proposes a script to run once. It runs dry; if that ends well, its plan waits until a person applies exactly it or declines: read that with tasks (task_id, version_id).',
  input: z.object({
    draft: Draft.optional(),
    values: FreeObject.default({}),
    why: z.string().max(1000),
    withdraw: FreeObject.optional().describe('Instead of a draft: {task_id, version_id} of yours to take back'),
    wait_seconds: Seconds,
    ...bounds,
  }),
  readOnly: false,
  run: async ({ draft, values, why, withdraw, wait_seconds }, caller) => {
    if ((draft === undefined) === (withdraw === undefined)) throw refuseValue('required', '/draft', 'or withdraw: give one of the two');
    if (withdraw) {
      const named = readBy(Named, withdraw);
      return await caller.request('POST', `/ai-tasks/${named.task_id}/versions/${named.version_id}/withdraw`, { why });
    }
    const proposed = Proposed.parse(await caller.request('POST', '/proposals', { ...draft, values, why }));
    const { task_id, run_id } = proposed;
    return { ...proposed, run: await endedDryRun(caller, `/ai-tasks/${task_id}/runs/${run_id}`, { run_id, wait_seconds }) };
  },
});

import { z } from 'zod';
import { refuseValue } from '../../verbs/problem.ts';
import { Id, toolOf } from '../tool.ts';
import { Source } from './source.ts';

export const submitTool = toolOf({
  name: 'submit',
  description:
    'Hands in a new version of a task (task_id), or a new task (name). It waits until a person approves it, whatever the policy. Give the dry runs of exactly this source as evidence.',
  input: Source.extend({
    task_id: Id.optional(),
    name: z.string().min(1).max(200).optional(),
    description: z.string().max(10_000).default(''),
    base_version_id: Id.optional().describe('The version that you started from'),
    note: z.string().max(1000).describe('What changes and why, for the person who decides'),
    evidence: z.array(Id).max(5).default([]).describe('Ids of dry runs'),
  }),
  readOnly: false,
  run: async ({ task_id, name, description, base_version_id, ...version }, caller) => {
    if ((task_id === undefined) === (name === undefined)) throw refuseValue('required', '/task_id', 'or name: give one of the two');
    const made =
      task_id === undefined
        ? await caller.request('POST', '/ai-tasks', { name, description, ...version })
        : await caller.request('POST', `/ai-tasks/${task_id}/versions`, {
            ...version,
            ...(base_version_id !== undefined && { base_version_id }),
          });
    return made;
  },
});

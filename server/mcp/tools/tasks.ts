import { z } from 'zod';
import { bounds } from '../answer.ts';
import { Id, toolOf } from '../tool.ts';

export const tasksTool = toolOf({
  name: 'tasks',
  description: 'Lists tasks; with task_id, that task with its versions and current source; with version_id too, that version.',
  input: z.object({ search: z.string().max(200).optional(), task_id: Id.optional(), version_id: Id.optional(), ...bounds }),
  readOnly: true,
  run: async ({ search, task_id, version_id }, caller) => {
    const query = new URLSearchParams(search === undefined ? {} : { search });
    const path =
      task_id === undefined ? `/ai-tasks?${query}` : `/ai-tasks/${task_id}${version_id === undefined ? '' : `/versions/${version_id}`}`;
    return await caller.request('GET', path);
  },
});

import { z } from 'zod';
import { bounds } from '../answer.ts';
import { Id, toolOf } from '../tool.ts';
import { FreeObject } from './source.ts';

const Comments = z.object({ data: z.array(FreeObject) });

export const tasksTool = toolOf({
  name: 'tasks',
  description:
    'Lists tasks; with task_id, that task with its versions and current source; with version_id too, that version, decisions on it, and open comments on its lines.',
  input: z.object({ search: z.string().max(200).optional(), task_id: Id.optional(), version_id: Id.optional(), ...bounds }),
  readOnly: true,
  run: async ({ search, task_id, version_id }, caller) => {
    const query = new URLSearchParams(search === undefined ? {} : { search });
    if (task_id === undefined) return await caller.request('GET', `/ai-tasks?${query}`);
    if (version_id === undefined) return await caller.request('GET', `/ai-tasks/${task_id}`);
    const path = `/ai-tasks/${task_id}/versions/${version_id}`;
    const version = FreeObject.parse(await caller.request('GET', path));
    const decisions = await caller.request('GET', `${path}/approvals`);
    const comments = await caller.request('GET', `/ai-tasks/${task_id}/comments?version_id=${version_id}&open=true&per_page=100`);
    return { ...version, decisions, comments: Comments.parse(comments).data };
  },
});

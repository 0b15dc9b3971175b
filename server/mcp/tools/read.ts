import { z } from 'zod';
import { isTaskPermission } from '../../../contract/permissions.ts';
import { Run } from '../../../contract/runs.ts';
import { bounds } from '../answer.ts';
import type { Caller } from '../caller.ts';
import { Id, Seconds, toolOf } from '../tool.ts';

const Started = z.object({ run_id: Id, task_id: Id });
const LOG_TAIL = 2000;

export const readTool = toolOf({
  name: 'read',
  description:
    'Runs a script that only reads, instead of many calls: "export default async () => { … return answer; }", with admin.* as search_api tells. Answers its result.',
  input: z.object({ source_code: z.string(), wait_seconds: Seconds, ...bounds }),
  readOnly: true,
  run: async ({ source_code, wait_seconds }, caller) => {
    const draft = { source_code, permissions: readsOf(caller), parameters: [] };
    const { run_id, task_id } = Started.parse(await caller.request('POST', '/task-drafts/runs', { draft }));
    await caller.untilEnded(run_id, wait_seconds);
    const { status, result, error_message, log } = Run.parse(await caller.request('GET', `/ai-tasks/${task_id}/runs/${run_id}`));
    return { run_id, task_id, status, result, error_message, log: log.slice(-LOG_TAIL) };
  },
});

/** What the agent may read, and nothing else: a script that only reads gets no right to change anything, not even in a plan. */
function readsOf({ permissions }: Caller): string[] {
  const reads = [...permissions].map((one) => one.replace(/\.write$/, '.read')).filter((one) => one.endsWith('.read'));
  return [...new Set(reads)].filter(isTaskPermission);
}

import type { JsonObject } from '../../../contract/run-events.ts';
import { api } from '../../api/client.ts';

export { openPrompts, pendingVersions } from '../../parts/waiting.tsx';

type Place = { task_id: number; run_id: number; id: number };

export function answerPrompt({ task_id, run_id, id }: Place, answers: JsonObject, options: { headers?: Record<string, string> }) {
  return api.ai_tasks.answer_prompt(task_id, run_id, id, { answers }, options);
}

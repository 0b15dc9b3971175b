import { JsonObject, type LoggedEvent } from '../contract/run-events.ts';
import type { RemoteShop } from './remote-shop.ts';

/**
 * Returns a function that must be called with every event of a run and answers the run's questions. `given` has the values by
 * the names of the fields. A question for which no value is given, or which has a required field without a value, is left
 * open, and `leave` is called with its fields.
 */
export function answerQuestions(
  shop: RemoteShop,
  { taskId, runId }: { taskId: number; runId: number },
  given: JsonObject,
  leave: (names: string, promptId: number) => void,
): (event: LoggedEvent) => Promise<void> {
  const seen = new Set<number>();
  return async (event) => {
    if (event.kind !== 'log' || !/^prompt \d+ waits for an answer/.test(event.line)) return;
    for (const { id, fields, answered_at } of await shop.client.ai_tasks.list_prompts(taskId, runId)) {
      if (answered_at !== null || seen.has(id)) continue;
      seen.add(id);
      const answers = JsonObject.parse(
        Object.fromEntries(Object.entries(given).filter(([name]) => fields.some((field) => field.name === name))),
      );
      const isMeant = Object.keys(answers).length > 0;
      if (isMeant && fields.every(({ name, required }) => required !== true || Object.hasOwn(answers, name))) {
        await shop.client.ai_tasks.answer_prompt(taskId, runId, id, { answers });
      } else {
        leave(fields.map(({ name, kind }) => `${name} (${kind})`).join(', '), id);
      }
    }
  };
}

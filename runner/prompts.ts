import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { promptsEndpoints } from '../contract/prompts.ts';
import { JsonObject } from '../contract/run-events.ts';
import { refusalOf } from './admin-call.ts';
import { callFingerprint } from './call-key.ts';
import { ParsedJson } from './parsed-json.ts';
import { type Answer, advanceClock, type RunContext } from './run-context.ts';

/** The server checks the question itself. */
export const PromptPayload = z.object({ label: z.string(), fields: z.array(ParsedJson).max(1000) });
const Asked = z.object({ id: z.int(), answers: JsonObject.nullable(), answered_at: z.string().nullable() });

const LOOK_FIRST_MS = 200;
const LOOK_MAX_MS = 1000;

/** Asks a person and polls until the answer is there. The key identifies the question, so that a later attempt does not ask again. */
export async function askPrompt(run: RunContext, question: z.infer<typeof PromptPayload>): Promise<Answer | null> {
  const key = run.keys.next(callFingerprint('PROMPT', '/prompts', question));
  const report = { to: run.reports.target(promptsEndpoints['runner.ask_prompt']), body: JSON.stringify({ ...question, key }) };
  let answered: (() => void) | undefined;
  try {
    for (let lookMs = LOOK_FIRST_MS; ; lookMs = Math.min(lookMs * 2, LOOK_MAX_MS)) {
      const reply = await run.reports.untilAnswered(report, run.alive);
      if (reply === null) return null;
      if (reply.status !== 200) return refusalOf(run, { to: report.to, what: 'prompt' }, reply);
      const { id, answers, answered_at } = Asked.parse(JSON.parse(reply.text));
      if (answers !== null && answered_at !== null) {
        return { value: JSON.stringify(answers), now_ms: advanceClock(run, Date.parse(answered_at)) };
      }
      answered ??= run.waiting.forPerson(id);
      await delay(lookMs);
    }
  } finally {
    answered?.();
  }
}

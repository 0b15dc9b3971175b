import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { promptsEndpoints } from '../contract/prompts.ts';
import { type Json, JsonObject } from '../contract/run-events.ts';
import { TaskRunEnd, taskRunsEndpoints } from '../contract/task-runs.ts';
import { refusalOf } from './admin-call.ts';
import type { ReportTarget } from './claim-clients.ts';
import { ParsedJson } from './parsed-json.ts';
import type { Answer, RunContext } from './run-context.ts';

/** The server checks the question itself. */
export const PromptPayload = z.object({ label: z.string(), fields: z.array(ParsedJson).max(1000) });
const Asked = z
  .object({ id: z.int(), answers: JsonObject.nullable(), answered_at: z.string().nullable() })
  .transform(({ id, answers, answered_at }) => ({ id, value: answers, at: answered_at }));

/** `sample`: the result that the script gets in a dry run. */
export const TaskEndPayload = z.object({ run_id: z.int().min(1), sample: ParsedJson.optional() });
const Awaited = z
  .object({ id: z.int(), end: TaskRunEnd.nullable(), ended_at: z.string().nullable() })
  .transform(({ id, end, ended_at }) => ({ id, value: end, at: ended_at }));

const LOOK_FIRST_MS = 200;
const LOOK_MAX_MS = 1000;
/** A task that was started may need this run's place at the runner, so the worker is given back soon. */
const TASK_HOLD_MS = 1000;

/** Asks a person and polls until the answer is there. The key identifies the question, so that a later attempt does not ask again. */
export function askPrompt(run: RunContext, question: z.infer<typeof PromptPayload>, key: string): Promise<Answer | null> {
  const to = run.reports.target(promptsEndpoints['runner.ask_prompt']);
  return untilThere(run, { to, what: 'prompt', body: { ...question, key }, reply: Asked });
}

/** Waits in the same way for the end of a run that the script has started. */
export function awaitTask(run: RunContext, { run_id, ...sample }: z.infer<typeof TaskEndPayload>, key: string): Promise<Answer | null> {
  const to = run.reports.target(taskRunsEndpoints['runner.await_run']);
  return untilThere(run, { to, what: 'tasks.run', body: { started_run_id: run_id, ...sample, key }, reply: Awaited, holdMs: TASK_HOLD_MS });
}

type Wait = {
  to: ReportTarget;
  what: string;
  body: object;
  reply: z.ZodType<{ id: number; value: Json | null; at: string | null }>;
  holdMs?: number;
};

async function untilThere(run: RunContext, { to, what, body, reply: Reply, holdMs }: Wait): Promise<Answer | null> {
  const report = { to, body: JSON.stringify(body) };
  let answered: (() => void) | undefined;
  // The server logs what the run waits for, which belongs after what the script has said before.
  run.log.flush();
  await run.sender.flush();
  try {
    for (let lookMs = LOOK_FIRST_MS; ; lookMs = Math.min(lookMs * 2, LOOK_MAX_MS)) {
      const reply = await run.reports.untilAnswered(report, run.alive);
      if (reply === null) return null;
      if (reply.status !== 200) return refusalOf(run, { to, what }, reply);
      const { id, value, at } = Reply.parse(JSON.parse(reply.text));
      if (value !== null && at !== null) return { value: JSON.stringify(value), movesTo: Date.parse(at) };
      if (answered === undefined) {
        answered = run.waiting.forAnswer(id, holdMs);
        run.gate.look();
      }
      await delay(lookMs);
    }
  } finally {
    answered?.();
  }
}

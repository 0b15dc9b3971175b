import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { promptsEndpoints } from '../contract/prompts.ts';
import { Json, JsonObject } from '../contract/run-events.ts';
import { TaskRunEnd, taskRunsEndpoints } from '../contract/task-runs.ts';
import { waitsEndpoints } from '../contract/waits.ts';
import { refusalOf } from './admin-call.ts';
import type { ReportTarget } from './claim-clients.ts';
import { ParsedJson, ParsedObject } from './parsed-json.ts';
import type { Answer, RunContext } from './run-context.ts';
import type { Wait } from './waiting.ts';

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

/** The server checks what is waited for. `sample`: the event that the script gets in a dry run. */
export const EventPayload = z.object({
  event: z.string(),
  match: ParsedObject,
  timeout_ms: z.int().min(0),
  since: z.literal('start').optional(),
  sample: ParsedJson.optional(),
});
const Waited = z
  .object({ id: z.int(), value: Json, ended_at: z.string().nullable(), left_ms: z.int(), again: z.boolean() })
  .transform(({ id, value, ended_at, left_ms: leftMs, again }) => ({ id, value, at: ended_at, leftMs, again }));

const LOOK_FIRST_MS = 200;
const LOOK_MAX_MS = 1000;
/** A task that was started may need this run's place at the runner, so the worker is given back soon. */
const TASK_HOLD_MS = 1000;
/**
 * What it takes at most to come back to a call: the script gets the answers of all calls since its last checkpoint again. A shorter wait keeps
 * its worker.
 */
const MS_A_CALL = 50;
/** Of a sleep of a second, a little has passed when the server answers. */
const SOON_MS = 900;
/** After a checkpoint, coming back is no repetition of the same way: the script begins at its top with another `last_checkpoint`. */
const SOON_AFTER_CHECKPOINT_MS = 60_000;

/** Asks a person and polls until the answer is there. The key identifies the question, so that a later attempt does not ask again. */
export function askPrompt(run: RunContext, question: z.infer<typeof PromptPayload>, key: string): Promise<Answer | null> {
  const to = run.reports.target(promptsEndpoints['runner.ask_prompt']);
  return untilThere(run, { to, what: 'prompt', body: { ...question, key }, reply: Asked, marked: () => ({}) });
}

/** Waits in the same way for the end of a run that the script has started. */
export function awaitTask(run: RunContext, { run_id, ...sample }: z.infer<typeof TaskEndPayload>, key: string): Promise<Answer | null> {
  const to = run.reports.target(taskRunsEndpoints['runner.await_run']);
  const body = { started_run_id: run_id, ...sample, key };
  return untilThere(run, { to, what: 'tasks.run', body, reply: Awaited, marked: () => ({ holdMs: TASK_HOLD_MS }) });
}

/** `known`: called when the server has stored the wait, which it takes only before the checkpoint that ends the epoch of the key. */
type Stored = { key: string; known: () => void };

/** Waits for an event, or until its time is up. Nothing is kept for it but what the server stores. */
export async function awaitEvent(run: RunContext, wait: z.infer<typeof EventPayload>, { key, known }: Stored): Promise<Answer | null> {
  const to = run.reports.target(waitsEndpoints['runner.wait']);
  const marked = (leftMs: number): Omit<Wait, 'id'> => ({ holdMs: keptMs(run, leftMs), afterRest: true });
  return settling(run, await untilThere(run, { to, what: 'waitFor', body: { ...wait, key }, reply: Waited, marked, known }));
}

/** Waits for a time, which the server stores, so that a later attempt does not wait anew. */
export async function awaitTime(run: RunContext, ms: number, { key, known }: Stored): Promise<Answer | null> {
  const to = run.reports.target(waitsEndpoints['runner.wait']);
  const marked = (leftMs: number): Omit<Wait, 'id'> => ({ holdMs: keptMs(run, leftMs), afterRest: true });
  const answer = await untilThere(run, { to, what: 'sleep', body: { key, timeout_ms: ms }, reply: Waited, marked, known, looks: false });
  return settling(run, answer);
}

/** How long the worker is kept for a wait that ends in `leftMs` at the latest. */
function keptMs({ keys, firstEpoch }: RunContext, leftMs: number): number {
  const soonMs = keys.epoch === firstEpoch ? SOON_MS : SOON_AFTER_CHECKPOINT_MS;
  return leftMs < Math.max(soonMs, keys.count() * MS_A_CALL) ? Number.POSITIVE_INFINITY : 0;
}

/** A wait that an earlier claim has begun costs nothing more. */
function settling(run: RunContext, answer: (Answer & { repeated?: boolean }) | null): Answer | null {
  run.budgets.host_calls.settle(answer?.repeated ? 'refunded' : 'spent');
  return answer;
}

/** `at`: when it ended; null: the wait goes on. `leftMs`: how long at most. `again`: an earlier claim has begun it. */
type Reached = { id: number; value: Json | null; at: string | null; leftMs?: number; again?: boolean };
/** `marked`: how long the worker is kept. `looks`: whether it may end before its time. */
type Awaits = {
  to: ReportTarget;
  what: string;
  body: object;
  reply: z.ZodType<Reached>;
  marked(leftMs: number): Omit<Wait, 'id'>;
  known?: () => void;
  looks?: boolean;
};

async function untilThere(
  run: RunContext,
  { to, what, body, reply: Reply, marked, known, looks = true }: Awaits,
): Promise<(Answer & { repeated?: boolean }) | null> {
  const report = { to, body: JSON.stringify(body) };
  let answered: (() => void) | undefined;
  // The server logs what the run waits for, which belongs after what the script has said before.
  run.log.tell();
  await run.sender.flush();
  try {
    for (let lookMs = LOOK_FIRST_MS; ; lookMs = Math.min(lookMs * 2, LOOK_MAX_MS)) {
      const reply = await run.reports.untilAnswered(report, run.alive);
      if (reply === null) return null;
      if (reply.status !== 200) return refusalOf(run, { to, what }, reply);
      const { id, value, at, leftMs = Number.POSITIVE_INFINITY, again } = Reply.parse(JSON.parse(reply.text));
      if (at !== null) {
        const onGiven = (): void => run.log.gotAnswer(id);
        return { value: JSON.stringify(value), movesTo: Date.parse(at), onGiven, ...(again && { repeated: true }) };
      }
      if (answered === undefined) {
        // First, so that a checkpoint which follows has begun before it is asked whether the run does nothing but wait.
        known?.();
        answered = run.waiting.forAnswer({ id, ...marked(leftMs) });
        run.gate.look();
      }
      await pause(run, looks ? Math.min(lookMs, leftMs) : leftMs);
    }
  } finally {
    answered?.();
  }
}

/** A run that ends meanwhile must not keep a timer for hours. */
export async function pause({ alive }: Pick<RunContext, 'alive'>, ms: number, over?: AbortSignal): Promise<void> {
  const untilMs = performance.now() + ms;
  for (let leftMs = ms; alive() && !over?.aborted && leftMs > 0; leftMs = untilMs - performance.now()) await delay(Math.min(500, leftMs));
}

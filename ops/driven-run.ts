import { answerQuestions } from '../cli/answers.ts';
import { type Effects, readEffects } from '../cli/effects.ts';
import type { RemoteShop } from '../cli/remote-shop.ts';
import type { JsonObject, LoggedEvent } from '../contract/run-events.ts';
import type { WholeRun } from '../contract/runs.ts';

export type DrivenRun = { run: WholeRun; events: LoggedEvent[]; effects: Effects };

type StartRun = Parameters<RemoteShop['client']['ai_tasks']['start_run']>[1];
type Options = {
  /** The answers to the run's questions. A question without all its answers here throws. Without `answers` questions stay open. */
  answers?: JsonObject | undefined;
  /** Called once, when the run has been opened. */
  meanwhile?: ((runId: number) => Promise<void>) | undefined;
};

/** Opens a run and waits until it ends, with success or not. */
export async function driveRun(shop: RemoteShop, taskId: number, start: StartRun, options: Options = {}): Promise<DrivenRun> {
  const { run_id: runId } = await shop.client.ai_tasks.start_run(taskId, start);
  return followToEnd(shop, { taskId, runId }, options);
}

/** Waits until an open run ends. */
export async function followToEnd(
  shop: RemoteShop,
  { taskId, runId }: { taskId: number; runId: number },
  { answers, meanwhile }: Options = {},
): Promise<DrivenRun> {
  const events: LoggedEvent[] = [];
  const fail = (names: string): never => {
    throw new Error(`the run asks for ${names}, and \`answers\` does not have a value for each required field`);
  };
  const answer = answers && answerQuestions(shop, { taskId, runId }, answers, fail);
  const followed = shop.followRun(taskId, runId, (event) => {
    events.push(event);
    return answer?.(event);
  });
  try {
    await Promise.all([followed, meanwhile?.(runId)]);
  } catch (error) {
    // The run is cancelled, because its runner could not stop quickly while it goes on.
    await shop.client.ai_tasks.cancel_run(taskId, runId).catch(() => undefined);
    throw error;
  }
  return { run: await shop.client.ai_tasks.get_run(taskId, runId), events, effects: await readEffects(shop, taskId, runId) };
}

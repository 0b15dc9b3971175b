import { answerQuestions } from '../cli/answers.ts';
import type { RemoteShop } from '../cli/remote-shop.ts';
import type { ResponseOf } from '../contract/endpoint.ts';
import type { JsonObject, LoggedEvent } from '../contract/run-events.ts';
import type { aiTasksListEffects, Run } from '../contract/tasks.ts';

export type Effects = ResponseOf<typeof aiTasksListEffects>;
export type DrivenRun = { run: Run; events: LoggedEvent[]; effects: Effects };

type StartRun = Parameters<RemoteShop['client']['ai_tasks']['start_run']>[1];
type Options = {
  /** What is answered to its questions; one that asks for more throws. Left out: they stay open. */
  answers?: JsonObject | undefined;
  /** Called while the run goes on. */
  meanwhile?: ((runId: number) => Promise<void>) | undefined;
};

const PAGE = 1000;

/** Opens a run and waits for its end, whatever that is. */
export async function driveRun(
  shop: RemoteShop,
  taskId: number,
  start: StartRun,
  { answers, meanwhile }: Options = {},
): Promise<DrivenRun> {
  const { run_id: runId } = await shop.client.ai_tasks.start_run(taskId, start);
  const events: LoggedEvent[] = [];
  const fail = (text: string): never => {
    throw new Error(text);
  };
  const answer = answers && answerQuestions(shop, { taskId, runId }, answers, fail);
  const followed = shop.followRun(taskId, runId, (event) => {
    events.push(event);
    return answer?.(event);
  });
  try {
    await Promise.all([followed, meanwhile?.(runId)]);
  } catch (error) {
    // A run that nobody waits for would hold up its runner's end.
    await shop.client.ai_tasks.cancel_run(taskId, runId).catch(() => undefined);
    throw error;
  }
  return { run: await shop.client.ai_tasks.get_run(taskId, runId), events, effects: await readEffects(shop, taskId, runId) };
}

async function readEffects({ client }: RemoteShop, taskId: number, runId: number): Promise<Effects> {
  const effects: Effects = [];
  for (;;) {
    const page = await client.ai_tasks.list_effects(taskId, runId, { after: effects.at(-1)?.call ?? 0, limit: PAGE });
    effects.push(...page);
    if (page.length < PAGE) return effects;
  }
}

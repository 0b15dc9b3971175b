import type { ResponseOf } from '../contract/endpoint.ts';
import type { Endpoints } from '../contract/index.ts';
import type { RemoteShop } from './remote-shop.ts';

export type Effects = ResponseOf<Endpoints['ai_tasks.list_effects']>;

const PAGE = 1000;

/** Reads all writes of a run with the values before and after; for a dry run, the writes that it would make. */
export async function readEffects({ client }: RemoteShop, taskId: number, runId: number): Promise<Effects> {
  const effects: Effects = [];
  for (;;) {
    const page = await client.ai_tasks.list_effects(taskId, runId, { after: effects.at(-1)?.call ?? 0, limit: PAGE });
    effects.push(...page);
    if (page.length < PAGE) return effects;
  }
}

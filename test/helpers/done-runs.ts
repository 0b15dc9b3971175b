import assert from 'node:assert/strict';
import type { Permission } from '../../contract/permissions.ts';
import type { Json } from '../../contract/run-events.ts';
import type { TestApp } from './app.ts';
import { claimedRun, field, makeTask } from './runs.ts';

export type Call = readonly [method: string, path: string | ((made: number[]) => string), body?: Json];

/** A run of these calls that has ended, and the ids that their answers have. */
export async function ran(
  app: TestApp,
  calls: readonly Call[],
  { taskId: given, permissions, ...options }: { dry_run?: boolean; taskId?: number; permissions: readonly Permission[] },
): Promise<{ taskId: number; runId: number; made: number[] }> {
  const taskId = given ?? (await makeTask(app, { permissions: [...permissions] }));
  const run = await claimedRun(app, options, taskId);
  const made: number[] = [];
  for (const [n, [method, path, body]] of calls.entries()) {
    const answer = await run.call(method, typeof path === 'string' ? path : path(made), body, { occurrence: n });
    assert.ok(answer.status < 300, `${method} ${answer.status} ${JSON.stringify(answer.body)}`);
    const hasId = typeof answer.body === 'object' && answer.body !== null && 'id' in answer.body;
    made.push(hasId ? Number(field(answer.body, 'id')) : 0);
  }
  await run.report([{ kind: 'finalize', status: 'success', end_reason: 'completed', result: {} }]);
  return { taskId, runId: run.runId, made };
}

/** Plans to take a run back and carries it out; returns the run that did it. */
export async function takenBack({ client }: TestApp, taskId: number, runId: number): Promise<number> {
  const plan = await client.ai_tasks.undo_run(taskId, runId, {});
  return (await client.ai_tasks.apply_run(taskId, plan.run_id)).run_id;
}

import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Run } from '../../contract/runs.ts';
import type { TestApp } from './app.ts';
import { type Fate, type InProcessRunner, openInProcessRunner } from './in-process-runner.ts';
import { until } from './machines.ts';
import { emptyQueue, field, makeTask, openRun } from './runs.ts';

type Values = Parameters<typeof makeTask>[1];
type Going = { reason: 'event' | 'signal' | 'sleep'; meanwhile(parked: Run): Promise<unknown> };

/** Runs of scripts that wait; a runner in this process carries them out until the tests of the suite have ended. */
export function waitingRuns(app: () => TestApp) {
  let runner: InProcessRunner | undefined;
  const inProcess = () => (runner ??= openInProcessRunner(app()));
  after(() => runner?.close());

  const taskOf = (source_code: string, values: Values = {}) =>
    makeTask(app(), { source_code, permissions: ['admin_api.customers.write'], ...values }, { on_interrupt: 'resume', max_attempts: 100 });

  /** Opens a run and carries it out; `meanwhile` is called when it has no worker and waits for this reason. */
  async function outcome(
    source: string,
    { body = {}, values = {}, fate, reason, meanwhile }: Partial<Going> & { body?: object; values?: Values; fate?: Fate } = {},
  ): Promise<Run & { lines: string[] }> {
    await emptyQueue(app());
    const taskId = await taskOf(source, values);
    const { runId } = await openRun(app(), { priority: 1000, ...body }, taskId);
    const [run] = await Promise.all([
      inProcess().finish(taskId, runId, fate),
      meanwhile &&
        until('it waits', async () => {
          const parked = await app().client.ai_tasks.get_run(taskId, runId);
          return parked.waiting_reason === (reason ?? 'event') && parked;
        }).then(meanwhile),
    ]);
    const lines = run.log.split('\n').flatMap((line) => (line === '' ? [] : [String(field(JSON.parse(line), 'line'))]));
    return { ...run, lines };
  }
  return { inProcess, taskOf, outcome };
}

export const success = (run: Run) => assert.equal(run.status, 'success', `${run.end_reason} ${run.error_message}\n${run.log}`);

import { setTimeout as delay } from 'node:timers/promises';

import { connectShop, type RemoteShop } from '../../cli/remote-shop.ts';
import type { JsonObject } from '../../contract/run-events.ts';
import type { TaskSettings } from '../../contract/tasks.ts';
import { type DrivenRun, driveRun } from '../../ops/driven-run.ts';
import { pushExample } from '../../ops/example-tasks.ts';
import { type PartProcess, startPart } from '../../ops/processes.ts';
import { OWNER_TOKEN, RUNNER_TOKEN, type TestApp } from './app.ts';
import { lapse } from './runs.ts';

export type FinishedRun = DrivenRun & { taskId: number };
export type RunOptions = {
  parameters?: JsonObject;
  /** The task's settings for this run; settings that are not given get their default. */
  settings?: Partial<TaskSettings>;
  /** The id of the run to resume. */
  resume?: number;
  dryRun?: boolean;
  /** The answers to the run's prompts, by the names of their fields. */
  answers?: JsonObject;
  /** `act` is called once, when the run has made `count` writes; the run goes on meanwhile. */
  afterWrites?: { count: number; act: (at: { taskId: number; runId: number }) => Promise<unknown> };
};

export type TaskRuns = {
  shop: RemoteShop;
  /** Pushes an example, runs it in the real sandbox and waits for its end. */
  run(example: string, options?: RunOptions): Promise<FinishedRun>;
  /** Kills the runner of this run as a power cut would, and starts another one after the lease has lapsed. */
  replaceRunner(run: { taskId: number; runId: number }): Promise<void>;
  close(): Promise<void>;
};

/** Runs tasks with a runner process of its own beside the server. */
export function startTaskRuns(app: TestApp): TaskRuns {
  const shop = connectShop(app.url, OWNER_TOKEN);
  const { ai_tasks: tasks } = shop.client;
  let runner = startRunner(app.url);
  return {
    shop,
    async run(example, { parameters = {}, settings = {}, resume, dryRun, answers, afterWrites } = {}) {
      const { taskId } = await pushExample(shop.client, example);
      await tasks.update(taskId, { settings: { limits: {}, on_interrupt: 'hold', ...settings } });
      const start = { parameters, ...(resume === undefined ? {} : { resume_run_id: resume }), ...(dryRun ? { dry_run: true } : {}) };
      const meanwhile =
        afterWrites &&
        (async (runId: number) => {
          await untilWrites(app, runId, afterWrites.count);
          await afterWrites.act({ taskId, runId });
        });
      return { taskId, ...(await driveRun(shop, taskId, start, { answers, meanwhile })) };
    },
    async replaceRunner(run) {
      await runner.stop('SIGKILL');
      await lapse(app, run);
      runner = startRunner(app.url);
    },
    close: () => runner.stop(),
  };
}

/** The `result` events of a run, as `status item`. */
export function resultsOf({ events }: FinishedRun): string[] {
  return events.flatMap((event) => (event.kind === 'result' ? [`${event.status} ${event.item}`] : []));
}

function startRunner(url: string): PartProcess {
  const env = { SERVER_URL: url, RUNNER_TOKEN, LOG_LEVEL: 'error', PROMPT_HOLD_SECONDS: '1' };
  return startPart('runner', env, (line) => process.stderr.write(`runner: ${line}\n`));
}

async function untilWrites(app: TestApp, runId: number, count: number): Promise<void> {
  for (;;) {
    const { writes } = await app.store.reader
      .selectFrom('run_effects')
      .select((eb) => eb.fn.countAll<number>().as('writes'))
      .where('run_id', '=', runId)
      .executeTakeFirstOrThrow();
    if (Number(writes) >= count) return;
    const { status } = await app.store.reader.selectFrom('runs').select('status').where('id', '=', runId).executeTakeFirstOrThrow();
    if (status !== 'running') throw new Error(`run ${runId} ended ${status} before it had made ${count} writes`);
    await delay(5);
  }
}

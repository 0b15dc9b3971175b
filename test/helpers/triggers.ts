import { sql } from 'kysely';
import type { Run } from '../../contract/runs.ts';
import type { Trigger } from '../../contract/triggers.ts';
import { triggerOpener } from '../../server/automation/triggers/opening.ts';
import type { TestApp } from './app.ts';
import { makeOrder } from './builders.ts';
import { until } from './machines.ts';
import { makeTask } from './runs.ts';
import { servicesOf } from './services.ts';

type Body = Parameters<TestApp['client']['ai_tasks']['create_trigger']>[1];

const WITHIN_MS = 240_000;

/** Makes triggers, causes events, and reads the runs that the triggers opened. */
export function triggers(app: () => TestApp) {
  const make = async (body: Body, taskId?: number): Promise<Trigger> =>
    app().client.ai_tasks.create_trigger(taskId ?? (await makeTask(app())), body);
  const get = ({ task_id, id }: Trigger) => app().client.ai_tasks.get_trigger(task_id, id);
  const runsOf = async ({ task_id, id }: Trigger): Promise<Run[]> =>
    (await app().client.ai_tasks.list_runs(task_id)).filter(({ started_by }) => started_by === `trigger:${id}`);
  const eventIn = ({ parameters }: Run) => JSON.parse(parameters).event;
  const waiting = async (): Promise<number> => {
    const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM trigger_deliveries WHERE due_ms = 0`.execute(app().store.reader);
    return Number(rows[0]?.n);
  };
  const settled = () => until('no event waits for a trigger', async () => (await waiting()) === 0, WITHIN_MS);
  /** Runs the triggers' loop once, without waiting for the server's own loop, which runs once a second. */
  const dealtWith = async (): Promise<void> => {
    await triggerOpener(await servicesOf(app().store))();
    await settled();
  };
  const changedOrder = async (status: 'processing' | 'shipped' | 'delivered' = 'processing'): Promise<number> => {
    const { id } = await makeOrder(app());
    await app().client.orders.update_status(id, { status });
    return id;
  };
  const logsOf = async (trigger: Trigger, action: string) =>
    (await app().client.logs.list({ source: 'ai_task' })).logs.filter(
      (one) => one.action === action && JSON.parse(one.detail ?? '{}').trigger_id === trigger.id,
    );
  const switchOff = (...triggers: Trigger[]) =>
    Promise.all(triggers.map(({ task_id, id }) => app().client.ai_tasks.update_trigger(task_id, id, { enabled: false })));
  return { make, get, runsOf, eventIn, waiting, settled, dealtWith, changedOrder, logsOf, switchOff };
}

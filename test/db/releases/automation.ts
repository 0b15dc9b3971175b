import assert from 'node:assert/strict';
import { z } from 'zod';
import type { Run } from '../../../contract/runs.ts';
import type { TestApp } from '../../helpers/app.ts';
import { openInProcessRunner } from '../../helpers/in-process-runner.ts';
import { until } from '../../helpers/machines.ts';
import { makeTask } from '../../helpers/runs.ts';
import { YEARLY } from '../../helpers/schedules.ts';

type Of = { task: number; run: number };

/** What a release has left to be finished by the next one. */
export type Automation = {
  /** A run that used up its budget half-way, and may go on. */
  interrupted: Of;
  /** A dry run of an approved version, whose plan waits. */
  planned: Of;
  proposal: Of & { version: number };
  /** A run that waits for the answer of a person. */
  asking: Of;
  /** The address of a hook, and what its callers sign with. */
  hook: { address: string; secret: string };
  /** A task that may use the shop's secret at `https://api.example.com`, and the secret's value. */
  sender: { task: number; secret: string };
};

/** The notes that the interrupted run writes, one after each checkpoint; `limits.writes` lets it write two. */
export const NOTES = ['first', 'second', 'third', 'fourth'];
const IN_STEPS = `
const names = ${JSON.stringify(NOTES)};
for (let i = last_checkpoint?.i ?? 0; i < names.length; i++) {
  await checkpoint({ i });
  await admin_api.post('/customers/' + parameters.id + '/notes', { body: names[i] });
}
`;
const REPORT = `export default async () => {
  const { data } = await admin.orders.list({ per_page: 10 });
  await state.set('reports', { orders: data.length });
  await files.write('orders.csv', data.map(({ id, total }) => id + ',' + total).join('\\n'));
  log(data.length + ' orders, ' + (await variables.get('greeting')));
  result('counted', data.length + ' orders');
  return data.length;
};`;
const TAG = `export default async () => {
  await admin.customers.create_note(parameters.id, { body: parameters.note });
};`;
const ASK = `export default async () => {
  const { text } = await prompt({ label: 'Which note?', fields: [{ name: 'text', kind: 'string' }] });
  await admin.customers.create_note(parameters.id, { body: text });
};`;
export const SEND = `export default async () => {
  const { status } = await http.request({ url: 'https://api.example.com/stock', headers: { authorization: 'Bearer ' + secret('api_key') } });
  return status;
};`;

const CUSTOMERS = 'admin_api.customers.write' as const;
const parameters = [
  { name: 'id', kind: 'number' as const, required: true },
  { name: 'note', kind: 'string' as const, required: false },
];

/** Writes tasks and runs in every state in which a shop may be when its servers are stopped. */
export async function makeAutomation(app: TestApp, id: number): Promise<Automation> {
  const { client } = app;
  const runner = openInProcessRunner(app, { promptHoldMs: () => 0 });
  const start = async (task: number, body: object): Promise<Of & { ended: Run }> => {
    const { run_id: run } = await client.ai_tasks.start_run(task, body);
    return { task, run, ended: await runner.finish(task, run) };
  };
  try {
    await makeReport(app, (task) => start(task, { record: true }));

    const steps = await makeTask(
      app,
      { name: 'Notes in steps', source_code: IN_STEPS, permissions: [CUSTOMERS], parameters },
      { limits: { writes: 2 } },
    );
    const { ended, ...interrupted } = await start(steps, { parameters: { id } });
    assert.deepEqual([ended.status, ended.end_reason], ['interrupted', 'budget']);
    await client.ai_tasks.update(steps, { settings: { limits: { writes: null } } });

    const tag = await makeTask(app, { name: 'Tag', source_code: TAG, permissions: [CUSTOMERS], parameters });
    const { ended: dry, ...planned } = await start(tag, { parameters: { id, note: 'planned' }, dry_run: true });
    assert.equal(dry.status, 'success', `${dry.error_message}`);

    const once = await client.proposals.create({
      source_code: TAG,
      permissions: [CUSTOMERS],
      parameters,
      values: { id, note: 'proposed' },
      why: 'Once',
    });
    await runner.finish(once.task_id, once.run_id);

    const ask = await makeTask(app, { name: 'Ask', source_code: ASK, permissions: [CUSTOMERS, 'prompt_input'], parameters });
    const { run_id: asking } = await client.ai_tasks.start_run(ask, { parameters: { id } });
    const asked = runner.finish(ask, asking);
    // It ends when the runner is closed.
    asked.catch(() => undefined);
    await until('the run waits without a worker', async () => (await client.ai_tasks.get_run(ask, asking)).waiting_reason === 'prompt');

    return {
      interrupted,
      planned,
      proposal: { task: once.task_id, version: once.version_id, run: once.run_id },
      asking: { task: ask, run: asking },
      ...(await makeStarts(app, tag)),
    };
  } finally {
    await runner.close();
  }
}

/** A task with a finished, recorded run, and what stands around its versions. */
async function makeReport(app: TestApp, run: (task: number) => Promise<{ ended: Run }>): Promise<void> {
  const { client } = app;
  await client.task_variables.create({ name: 'greeting', value: 'good morning' });
  const permissions = ['admin_api.orders.read', 'file_download'] as const;
  const task = await makeTask(app, { name: 'Daily report', source_code: REPORT, permissions: [...permissions] });
  const { ended } = await run(task);
  assert.equal(ended.status, 'success', `${ended.error_message}`);
  const [version] = (await client.ai_tasks.get(task)).versions;
  assert.ok(version);
  await client.ai_tasks.create_comment(task, version.id, { line: 2, text: 'Are ten enough?' });
}

/** What starts tasks: a schedule, a trigger, a hook; and a task that sends a secret. */
async function makeStarts({ client }: TestApp, tag: number): Promise<Pick<Automation, 'hook' | 'sender'>> {
  await client.ai_tasks.create_schedule(tag, { ...YEARLY, parameters: { id: 1 } });
  await client.ai_tasks.create_trigger(tag, { event: 'order.refunded', parameters: { id: 1 } });
  const signing = 'what-the-caller-of-the-hook-signs-with';
  const hook = await client.ai_tasks.create_hook(tag, {
    name: 'Till',
    parameters: { id: 1 },
    verify: { preset: 'github', secret: signing },
  });
  const secret = 'sk_of_another_system';
  await client.task_secrets.create({ name: 'api_key', value: secret, hosts: ['api.example.com'] });
  const { task_id } = await client.ai_tasks.create({
    name: 'Send stock',
    description: '',
    source_code: SEND,
    permissions: ['http_request'],
    parameters: [],
    http_allow: ['GET https://api.example.com/*'],
    secrets: ['api_key'],
  });
  return { hook: { address: z.string().parse(hook.url_path), secret: signing }, sender: { task: task_id, secret } };
}

import { type ExampleShop, type ExamplesOf, ofRun } from './example.ts';
import { CATALOGUE_TASK } from './sources.ts';

/** Runs, their logs and files, questions, bulk actions and replays. */

const ended = ({ got }: ExampleShop) => ({ id: got('ai_tasks.create').task_id, run_id: got('ai_tasks.start_run').run_id });

/** A run that nobody has taken yet. */
async function open({ api, got }: ExampleShop): Promise<{ id: number; run_id: number }> {
  const id = got('ai_tasks.create').task_id;
  return { id, run_id: (await api.ai_tasks.start_run(id, {})).run_id };
}

export const runs = {
  'ai_tasks.start_run': ({ got }) => ({ params: { id: got('ai_tasks.create').task_id }, body: { record: true } }),
  'ai_tasks.get_run': async (shop) => {
    const params = ended(shop);
    await shop.finish(params.id, params.run_id);
    return { params };
  },
  'ai_tasks.stream_run': (shop) => ({
    params: ended(shop),
    note: 'The run had ended; a stream of an open run sends each event as it comes.',
  }),
  'ai_tasks.list_runs': ({ got }) => ({ params: { id: got('ai_tasks.create').task_id }, query: { limit: 1 } }),
  'ai_tasks.list_run_lines': (shop) => ({ params: ended(shop), query: { limit: 2 } }),
  'ai_tasks.list_effects': (shop) => ({ params: ended(shop), query: { limit: 1 } }),
  'ai_tasks.list_calls': (shop) => ({ params: ended(shop), query: { limit: 2 } }),
  'ai_tasks.list_checkpoints': (shop) => ({ params: ended(shop) }),
  'ai_tasks.get_checkpoint_state': async (shop) => {
    const run = await shop.claimed({ ...CATALOGUE_TASK, name: 'Stored on its way' });
    shop.runs.set('stored', run);
    const state = { next: 20 };
    await shop.as(run.claim.report_token).ai_tasks.append_run_events(run.taskId, run.runId, {
      events: [
        { kind: 'checkpoint', state, epoch: 0 },
        { kind: 'finalize', status: 'failed', end_reason: 'script_error', error_message: 'Error: the sheet has no column "sku"' },
      ],
    });
    return { params: { id: run.taskId, run_id: run.runId, checkpoint_id: 1 } };
  },
  'ai_tasks.restart_run': ({ runs }) => {
    const run = runs.get('stored');
    return { params: { id: run?.taskId ?? 0, run_id: run?.runId ?? 0 }, body: { checkpoint: 1, dry_run: true } };
  },
  'ai_tasks.get_health': ({ got }) => ({ params: { id: got('ai_tasks.create').task_id }, query: { days: 7 } }),
  'ai_tasks.get_timeline': (shop) => ({ params: ended(shop), query: { limit: 3 } }),
  'ai_tasks.list_artifacts': (shop) => ({ params: ended(shop) }),
  'ai_tasks.get_artifact_content': (shop) => ({ params: { ...ended(shop), artifact_id: shop.got('ai_tasks.list_artifacts')[0]?.id ?? 0 } }),
  'ai_tasks.list_all_runs': { query: { status: 'success', limit: 1 } },
  'ai_tasks.count_runs': ({ got }) => ({ query: { task_id: got('ai_tasks.create').task_id } }),
  'ai_tasks.try_draft': {
    body: {
      draft: {
        source_code:
          "import { admin } from 'backroom';\n\nexport default async () => (await admin.orders.list({ status: 'pending' })).total;\n",
        permissions: ['admin_api.orders.read'],
        parameters: [],
      },
    },
  },
  'ai_tasks.apply_run': async ({ api, got, finish }) => {
    const id = got('ai_tasks.create').task_id;
    const { run_id } = await api.ai_tasks.start_run(id, { dry_run: true });
    await finish(id, run_id);
    return { params: { id, run_id }, note: 'The run was a dry run, which has ended: what it would have done is its plan.' };
  },
  'ai_tasks.ask_second_person': async ({ api, got, finish }) => {
    const id = got('ai_tasks.create').task_id;
    const { run_id } = await api.ai_tasks.start_run(id, { dry_run: true });
    await finish(id, run_id);
    return {
      params: { id, run_id },
      body: { comment: 'Please look at the second note.' },
      note: 'The run was a dry run, which has ended.',
    };
  },
  'ai_tasks.list_pending_plans': {},
  'ai_tasks.decline_plan': ({ got }) => ({
    params: { id: got('ai_tasks.create').task_id, run_id: got('ai_tasks.list_pending_plans')[0]?.run_id ?? 0 },
    body: { reason: 'The second customer has moved.' },
  }),
  'ai_tasks.undo_run': async ({ api, got, finish }) => {
    const id = got('ai_tasks.create').task_id;
    const { run_id: dryRunId } = await api.ai_tasks.start_run(id, { dry_run: true });
    await finish(id, dryRunId);
    const { run_id } = await api.ai_tasks.apply_run(id, dryRunId);
    return { params: { id, run_id }, body: {}, note: 'The run carried out the plan of a dry run.' };
  },
  'ai_tasks.list_undo': ({ got }) => ({
    params: { id: got('ai_tasks.create').task_id, run_id: got('ai_tasks.undo_run').run_id },
    query: { limit: 2 },
  }),
  'ai_tasks.compare_runs': async (shop) => {
    const { id, run_id } = await open(shop);
    await shop.finish(id, run_id);
    return { query: { a: ended(shop).run_id, b: run_id, limit: 2 } };
  },
  'ai_tasks.list_errors': async ({ api }) => {
    const { task_id } = await api.ai_tasks.create({
      name: 'Late orders',
      description: '',
      source_code: "throw new Error('order 4711 has no address');",
      permissions: [],
      parameters: [],
    });
    for (const order of [4711, 4712]) {
      const { run_id } = await api.ai_tasks.start_run(task_id, { executor: 'external' });
      const error_message = `Error: order ${order} has no address\n    at task.ts:1:7`;
      await api.ai_tasks.append_run_events(task_id, run_id, { events: [{ kind: 'finalize', status: 'failed', error_message }] });
    }
    return { query: { task_id, state: 'open' }, note: 'Two runs had ended with the same error.' };
  },
  'ai_tasks.get_error': ({ got }) => ({ params: { id: got('ai_tasks.list_errors').data[0]?.id ?? 0 } }),
  'ai_tasks.update_error': ({ got }) => ({ params: { id: got('ai_tasks.get_error').id }, body: { state: 'resolved' } }),
  'ai_tasks.cancel_run': async (shop) => ({ params: await open(shop) }),
  'ai_tasks.cancel_runs': async (shop) => ({ params: { id: (await open(shop)).id } }),
  'ai_tasks.preview_bulk_runs': async (shop) => ({ body: { action: 'cancel', filter: { task_id: (await open(shop)).id } } }),
  'ai_tasks.bulk_runs': ({ got }) => ({
    body: {
      action: 'cancel',
      filter: { task_id: got('ai_tasks.create').task_id },
      expected_count: got('ai_tasks.preview_bulk_runs').count,
    },
  }),
  'ai_tasks.list_prompts': async (shop) => {
    const run = await shop.claimed({ name: 'Gifts', permissions: ['prompt_input'] });
    shop.runs.set('asking', run);
    await shop.as(run.claim.report_token).runner.ask_prompt(run.runId, {
      key: `0/${'0'.repeat(64)}/0`,
      label: 'Which gift do the best customers get?',
      fields: [{ name: 'gift', kind: 'choice', required: true, options: ['Matcha', 'Cup'] }],
    });
    return { params: { id: run.taskId, run_id: run.runId }, note: 'The script had called `prompt()`.' };
  },
  'ai_tasks.list_waits': async (shop) => {
    const run = await shop.claimed({ name: 'Reminder', permissions: ['admin_api.orders.read'] });
    await shop.as(run.claim.report_token).runner.wait(run.runId, {
      key: `0/${'0'.repeat(64)}/0`,
      event: 'order.paid',
      match: { order_id: 4711 },
      timeout_ms: 3 * 86_400_000,
    });
    return { params: { id: run.taskId, run_id: run.runId }, note: 'The script had called `waitFor()`.' };
  },
  'ai_tasks.signal_run': async (shop) => {
    const run = await shop.claimed({ name: 'Asks the warehouse', permissions: [] });
    return { params: { id: run.taskId, run_id: run.runId }, body: { key: 'packed', value: { parcels: 2 } } };
  },
  'ai_tasks.signal': async (shop) => {
    const run = await shop.claimed({ name: 'Waits for parcels', permissions: [] });
    return { params: { id: run.taskId }, body: { key: 'order-4711', value: { parcels: 2 } } };
  },
  'ai_tasks.list_open_prompts': {},
  'ai_tasks.answer_prompt': ({ got }) => {
    const [prompt] = got('ai_tasks.list_open_prompts');
    return {
      params: { id: prompt?.task_id ?? 0, run_id: prompt?.run_id ?? 0, prompt_id: prompt?.id ?? 0 },
      body: { answers: { gift: 'Cup' } },
    };
  },
  'ai_tasks.append_run_events': async ({ claimed }) => {
    const run = await claimed({ ...CATALOGUE_TASK, name: 'Reported from elsewhere' });
    return {
      params: { id: run.taskId, run_id: run.runId },
      by: ofRun(run),
      body: {
        events: [
          { kind: 'log', line: 'begun' },
          { kind: 'progress', current: 1, total: 4, label: 'customers' },
        ],
      },
      note: 'The token is that of the run, which its runner got with the claim.',
    };
  },
} satisfies Partial<ExamplesOf<'ai_tasks'>>;

export const replays: ExamplesOf<'replays'> = {
  'replays.start': (shop) => ({ params: ended(shop), body: {}, note: 'The run was started with `"record": true`.' }),
  'replays.get': async (shop) => {
    const id = shop.got('ai_tasks.create').task_id;
    const { run_id } = shop.got('replays.start');
    await shop.finish(id, run_id);
    return { params: { id, run_id } };
  },
  'replays.get_recording': (shop) => ({ params: ended(shop), note: 'The run was started with `"record": true`.' }),
};

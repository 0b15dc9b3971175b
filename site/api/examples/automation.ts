import type { ExampleShop, ExamplesOf } from './example.ts';

/** What starts runs by itself: schedules, triggers and hooks. */

export const automation = {
  'ai_tasks.preview_schedule': ({ got }) => ({
    params: { id: got('ai_tasks.create').task_id },
    query: { cron: '0 9 * * 1-5', timezone: 'Europe/Dublin', count: 3 },
  }),
  'ai_tasks.create_schedule': ({ got }) => ({
    params: { id: got('ai_tasks.create').task_id },
    body: { cron: '0 9 * * 1-5', timezone: 'Europe/Dublin', overlap: 'skip' },
  }),
  'ai_tasks.list_schedules': ({ got }) => ({ params: { id: got('ai_tasks.create').task_id } }),
  'ai_tasks.get_schedule': ({ got }) => ({
    params: { id: got('ai_tasks.create').task_id, schedule_id: got('ai_tasks.create_schedule').id },
  }),
  'ai_tasks.update_schedule': ({ got }) => ({
    params: { id: got('ai_tasks.create').task_id, schedule_id: got('ai_tasks.create_schedule').id },
    body: { enabled: false },
  }),
  'ai_tasks.list_upcoming': ({ got }) => ({
    params: { id: got('ai_tasks.create').task_id, schedule_id: got('ai_tasks.create_schedule').id },
    query: { count: 3 },
  }),
  'ai_tasks.delete_schedule': ({ got }) => ({
    params: { id: got('ai_tasks.create').task_id, schedule_id: got('ai_tasks.create_schedule').id },
  }),
  'ai_tasks.create_trigger': ({ got }) => ({
    params: { id: got('ai_tasks.create').task_id },
    body: { event: 'subscription.canceled', enabled: false },
  }),
  'ai_tasks.list_triggers': ({ got }) => ({ params: { id: got('ai_tasks.create').task_id } }),
  'ai_tasks.get_trigger': ({ got }) => ({ params: { id: got('ai_tasks.create').task_id, trigger_id: got('ai_tasks.create_trigger').id } }),
  'ai_tasks.update_trigger': ({ got }) => ({
    params: { id: got('ai_tasks.create').task_id, trigger_id: got('ai_tasks.create_trigger').id },
    body: { event: 'order.cancelled' },
  }),
  'ai_tasks.delete_trigger': ({ got }) => ({
    params: { id: got('ai_tasks.create').task_id, trigger_id: got('ai_tasks.create_trigger').id },
  }),
  'ai_tasks.list_gathered_starts': async ({ api, got }) => {
    const id = got('ai_tasks.create').task_id;
    await waitingStart(api, id);
    return { params: { id }, note: 'A trigger with a delay of an hour had taken an event.' };
  },
  'ai_tasks.open_gathered_start': ({ got }) => ({
    params: { id: got('ai_tasks.create').task_id, start_id: got('ai_tasks.list_gathered_starts').starts[0]?.id ?? 0 },
  }),
  'ai_tasks.drop_gathered_start': async ({ api, got }) => {
    const id = got('ai_tasks.create').task_id;
    return { params: { id, start_id: await waitingStart(api, id) } };
  },
  'ai_tasks.create_hook': ({ got }) => ({
    params: { id: got('ai_tasks.create').task_id },
    body: { name: 'Newsletter service', rate_per_minute: 30 },
  }),
  'ai_tasks.list_hooks': ({ got }) => ({ params: { id: got('ai_tasks.create').task_id } }),
  'ai_tasks.get_hook': ({ got }) => ({ params: { id: got('ai_tasks.create').task_id, hook_id: got('ai_tasks.create_hook').id } }),
  'ai_tasks.update_hook': ({ got }) => ({
    params: { id: got('ai_tasks.create').task_id, hook_id: got('ai_tasks.create_hook').id },
    body: { rate_per_minute: 60 },
  }),
  'ai_tasks.rotate_hook': ({ got }) => ({ params: { id: got('ai_tasks.create').task_id, hook_id: got('ai_tasks.create_hook').id } }),
  'ai_tasks.delete_hook': async ({ api, got }) => {
    const id = got('ai_tasks.create').task_id;
    return { params: { id, hook_id: (await api.ai_tasks.create_hook(id, { name: 'Old service' })).id } };
  },
} satisfies Partial<ExamplesOf<'ai_tasks'>>;

const HOUR_MS = 3_600_000;

/** Lets a trigger take an event whose run opens in an hour; returns the id of the start. */
async function waitingStart(api: ExampleShop['api'], taskId: number): Promise<number> {
  const trigger = await api.ai_tasks.create_trigger(taskId, { event: 'inquiry.received', start: { delay: HOUR_MS } });
  await api.inquiries.create({ name: 'Jonas Weber', email: 'jonas.weber@example.org', body: 'When does it arrive?' });
  for (;;) {
    const { starts } = await api.ai_tasks.list_gathered_starts(taskId);
    const start = starts.find(({ trigger_id }) => trigger_id === trigger.id);
    if (start) return start.id;
  }
}

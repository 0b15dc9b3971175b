import { colleague } from './colleague.ts';
import type { ExampleShop, ExamplesOf } from './example.ts';
import { CATALOGUE_NOTES, CATALOGUE_TASK } from './sources.ts';

/** Tasks, versions, approvals, comments, state and drafts. */

/** A version that waits for a decision, by the colleague. */
async function waiting(shop: ExampleShop): Promise<{ id: number; version_id: number; source_sha256: string }> {
  await shop.api.settings.update({ approval_policy: 'second_admin' });
  const hers = await colleague(shop);
  const id = shop.got('ai_tasks.create').task_id;
  const { version_id } = await hers.ai_tasks.create_version(id, { ...CATALOGUE_TASK, source_code: `${CATALOGUE_NOTES}// Read by two.\n` });
  const { source_sha256 } = await shop.api.ai_tasks.get_version(id, version_id);
  return { id, version_id, source_sha256 };
}

const BY_ANOTHER = 'Another admin wrote the version.';

export const tasks = {
  'ai_tasks.create': { body: { name: 'Catalogue notes', description: 'Notes who was sent the winter catalogue', ...CATALOGUE_TASK } },
  'ai_tasks.list': { query: { search: 'catalogue' } },
  'ai_tasks.get': ({ got }) => ({ params: { id: got('ai_tasks.create').task_id } }),
  'ai_tasks.update': ({ got }) => ({
    params: { id: got('ai_tasks.create').task_id },
    body: { settings: { limits: { writes: 100 }, max_attempts: 3, on_interrupt: 'resume', concurrency: { limit: 1 } } },
  }),
  'ai_tasks.create_version': ({ got }) => ({
    params: { id: got('ai_tasks.create').task_id },
    body: { ...CATALOGUE_TASK, source_code: CATALOGUE_NOTES.replace('per_page: 2', 'per_page: 5'), note: 'Five customers instead of two' },
  }),
  'ai_tasks.get_version': ({ got }) => ({
    params: { id: got('ai_tasks.create').task_id, version_id: got('ai_tasks.create_version').version_id },
  }),
  'ai_tasks.check_draft': {
    body: {
      source_code: "import { admin } from 'backroom';\n\nexport default () => admin.orders.lst({ per_page: 5 });\n",
      permissions: ['admin_api.orders.read'],
      parameters: [],
    },
  },
  'ai_tasks.create_comment': ({ got }) => ({
    params: { id: got('ai_tasks.create').task_id, version_id: got('ai_tasks.create_version').version_id },
    body: { line: 4, text: 'Why five?' },
  }),
  'ai_tasks.list_comments': ({ got }) => ({ params: { id: got('ai_tasks.create').task_id }, query: { open: true } }),
  'ai_tasks.answer_comment': ({ got }) => ({
    params: { id: got('ai_tasks.create').task_id, comment_id: got('ai_tasks.create_comment').id },
    body: { text: 'The catalogue went to five.' },
  }),
  'ai_tasks.get_comment': ({ got }) => ({ params: { id: got('ai_tasks.create').task_id, comment_id: got('ai_tasks.create_comment').id } }),
  'ai_tasks.update_comment': ({ got }) => ({
    params: { id: got('ai_tasks.create').task_id, comment_id: got('ai_tasks.create_comment').id },
    body: { resolved: true },
  }),
  'ai_tasks.set_state': ({ got }) => ({
    params: { id: got('ai_tasks.create').task_id, key: 'last-customer' },
    body: { value: { id: 400, on: '2026-11-28' } },
  }),
  'ai_tasks.list_state': ({ got }) => ({ params: { id: got('ai_tasks.create').task_id }, query: { prefix: 'last-' } }),
  'ai_tasks.get_state': ({ got }) => ({ params: { id: got('ai_tasks.create').task_id, key: 'last-customer' } }),
  'ai_tasks.delete_state': ({ got }) => ({
    params: { id: got('ai_tasks.create').task_id, key: 'last-customer' },
    query: { if_version: 1 },
  }),
  'ai_tasks.request_changes': async (shop) => {
    const { id, version_id } = await waiting(shop);
    return { params: { id, version_id }, body: { comment: 'Please say in the note which catalogue it was.' }, note: BY_ANOTHER };
  },
  'ai_tasks.reject_version': async (shop) => {
    const { id, version_id } = await waiting(shop);
    return { params: { id, version_id }, body: { reason: 'We send no catalogue this year.' }, note: BY_ANOTHER };
  },
  'ai_tasks.list_pending_versions': async (shop) => {
    await waiting(shop);
    return { note: BY_ANOTHER };
  },
  'ai_tasks.approve_version': async (shop) => {
    const { id, version_id, source_sha256 } = await waiting(shop);
    return {
      params: { id, version_id },
      body: { source_sha256, permissions: [...CATALOGUE_TASK.permissions] },
      note: `${BY_ANOTHER} The body repeats what was reviewed: the digest of the source, and each permission.`,
    };
  },
  'ai_tasks.list_approvals': ({ got }) => ({ params: { id: got('ai_tasks.create').task_id }, query: { limit: 2 } }),
  'ai_tasks.list_version_approvals': ({ got }) => ({
    params: { id: got('ai_tasks.create').task_id, version_id: got('ai_tasks.approve_version').id },
  }),
  'ai_tasks.continue_version': async ({ api }) => {
    await api.settings.update({ approval_policy: 'author' });
    const source = { source_code: 'log("late orders");', permissions: [], parameters: [] };
    const { task_id: id } = await api.ai_tasks.create({ name: 'Late orders, watched', description: '', ...source });
    await api.ai_tasks.update(id, { settings: { trial: { runs: 20 } } });
    const end = async (status: string) => {
      const { run_id } = await api.ai_tasks.start_run(id, { executor: 'external' });
      await api.ai_tasks.append_run_events(id, run_id, { events: [{ kind: 'finalize', status }] });
    };
    for (let run = 0; run < 5; run += 1) await end('success');
    const { version_id } = await api.ai_tasks.create_version(id, source);
    for (let run = 0; run < 5; run += 1) await end('failed');
    return { params: { id, version_id }, body: {}, note: 'The first five runs of the version had failed, and none of the version before.' };
  },
  'ai_tasks.revoke_version': ({ got }) => ({
    params: { id: got('ai_tasks.create').task_id, version_id: got('ai_tasks.approve_version').id },
    body: { comment: 'It noted the wrong customers.' },
  }),
  'ai_tasks.delete': async ({ api }) => {
    await api.settings.update({ approval_policy: 'author' });
    const { task_id } = await api.ai_tasks.create({ ...CATALOGUE_TASK, name: 'Old letters', description: '' });
    return { params: { id: task_id } };
  },
} satisfies Partial<ExamplesOf<'ai_tasks'>>;

export const taskExamples: ExamplesOf<'task_examples'> = {
  'task_examples.list': {},
  'task_examples.get': { params: { name: 'low-stock-report' } },
};

export const taskSecrets: ExamplesOf<'task_secrets'> = {
  'task_secrets.create': {
    body: { name: 'warehouse_key', value: 'wh_live_7e1c', hosts: ['warehouse.example'], note: 'Of the picking system' },
  },
  'task_secrets.list': {},
  'task_secrets.get': ({ got }) => ({ params: { id: got('task_secrets.create').id } }),
  'task_secrets.update': ({ got }) => ({
    params: { id: got('task_secrets.create').id },
    body: { note: 'Of the picking system; renewed yearly' },
  }),
  'task_secrets.delete': async ({ api }) => {
    const { id } = await api.task_secrets.create({ name: 'old_key', value: 'wh_test_1', hosts: ['warehouse.example'] });
    return { params: { id } };
  },
};

export const taskVariables: ExamplesOf<'task_variables'> = {
  'task_variables.create': { body: { name: 'free_shipping_from', value: 5000, note: 'In cents' } },
  'task_variables.list': {},
  'task_variables.get': ({ got }) => ({ params: { id: got('task_variables.create').id } }),
  'task_variables.resolve': ({ got }) => ({ params: { id: got('ai_tasks.create').task_id, name: 'free_shipping_from' } }),
  'task_variables.update': ({ got }) => ({ params: { id: got('task_variables.create').id }, body: { value: 4500 } }),
  'task_variables.delete': async ({ api }) => ({ params: { id: (await api.task_variables.create({ name: 'unused', value: 1 })).id } }),
};

const INVOICE_NOTE = {
  source_code:
    "import { admin } from 'backroom';\n\nexport default () => admin.customers.create_note(12, { body: 'Asked for an invoice' });\n",
  permissions: ['admin_api.customers.write'],
  parameters: [],
  why: 'The customer asked by phone.',
};

export const proposals: ExamplesOf<'proposals'> = {
  'proposals.create': { body: INVOICE_NOTE },
  'proposals.withdraw': ({ got }) => ({
    params: { id: got('proposals.create').task_id, version_id: got('proposals.create').version_id },
    body: { why: 'The customer has it already.' },
  }),
  'proposals.apply': async (shop) => {
    const { task_id: id, version_id, run_id } = await (await colleague(shop)).proposals.create(INVOICE_NOTE);
    await shop.finish(id, run_id);
    const { source_sha256 } = await shop.api.ai_tasks.get_version(id, version_id);
    return {
      params: { id, version_id },
      body: { source_sha256, permissions: INVOICE_NOTE.permissions, run_id },
      note: 'Another admin had proposed it, and its dry run had ended.',
    };
  },
};

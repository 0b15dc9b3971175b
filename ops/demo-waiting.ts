import { connectShop, type RemoteShop } from '../cli/remote-shop.ts';
import type { AdminApi } from '../contract/calls.ts';
import { loadExample, pushExample } from './example-tasks.ts';

/** What the demo leaves waiting in the console, so that each of its lists has something to try. */

const COLLEAGUE = { name: 'Eszter Kovács', email: 'eszter@example.org' };

/** A task that asks a person before it goes on. */
const QUESTION = `import { admin, prompt } from 'backroom';

/** Notes, at the best customers, which gift they get. */
export default async function () {
  const { top_customers } = await admin.dashboard.insights();
  const { gift, count } = await prompt({
    label: 'Which gift do the best customers get?',
    fields: [
      { name: 'gift', kind: 'choice', label: 'Gift', required: true, options: ['Matcha sample', 'Espresso cup', 'Voucher of 10'] },
      { name: 'count', kind: 'number', label: 'How many customers', required: true },
    ],
  });
  const chosen = top_customers.slice(0, Number(count));
  for (const { customer_id } of chosen) await admin.customers.create_note(customer_id, { body: \`Gift: \${gift}\` });
  return { gift, customers: chosen.length };
}
`;

/** The line of the example that the colleague's version adds a note to. */
const CANCELS = "await admin.orders.update_status(id, { status: 'cancelled' });";
const NOTES =
  "if (order.customer_id !== null) await admin.customers.create_note(order.customer_id, { body: 'An unpaid order was cancelled' });";

/**
 * Makes a plan by a dry run, starts a run that will ask and one that stops at a budget, records an inquiry, and lets a colleague hand in a
 * version that somebody else must approve. Returns a line about each.
 */
export async function leaveWaiting(shop: RemoteShop, serverUrl: string, interruptedTask: number): Promise<readonly string[]> {
  const { client } = shop;
  const { taskId: planned } = await pushExample(client, 'cancel-unpaid-orders');
  const { run_id: dryRun } = await client.ai_tasks.start_run(planned, { dry_run: true });
  // On a slow machine, the writes of other runs could keep the dry run from its turn until it gives up.
  const { status, error } = await shop.followRun(planned, dryRun, () => undefined);
  if (status !== 'success') throw new Error(`the dry run of the demo ended ${status}: ${error ?? ''}`);

  const { task_id: asking } = await client.ai_tasks.create({
    name: 'Gifts for the best customers',
    description: 'Asks which gift the best customers get, and notes it at them',
    source_code: QUESTION,
    permissions: ['admin_api.dashboard.read', 'admin_api.customers.write', 'prompt_input'],
    parameters: [],
  });
  await client.ai_tasks.start_run(asking, {});

  // With a budget of two writes, the run stops after the second and can be resumed when the budget is raised.
  await client.ai_tasks.update(interruptedTask, { settings: { limits: { writes: 2 } } });
  const { run_id: interrupted } = await client.ai_tasks.start_run(interruptedTask, { parameters: { days: 60 } });
  await shop.followRun(interruptedTask, interrupted, () => undefined);

  await client.inquiries.create({
    name: 'Aoife Byrne',
    email: 'aoife.byrne@example.org',
    subject: 'Engraving on a moka pot',
    body: 'Hello, can you engrave two initials on the lid before you send it? It is a present for the 12th of December. Thank you!',
  });
  await client.settings.update({ approval_policy: 'second_admin' });
  await handInVersion(client, serverUrl, planned);
  return [
    'a dry run with its plan',
    'a run that asks',
    'a run that was interrupted',
    `a version by ${COLLEAGUE.name} to approve`,
    'an inquiry to answer',
  ];
}

/** The colleague is an owner, who may declare every permission that the version has. */
async function handInVersion(client: AdminApi, serverUrl: string, taskId: number): Promise<void> {
  const { id } = await client.admins.create({ ...COLLEAGUE, role: 'owner' });
  const { token } = await client.admins.create_token(id, { name: 'demo' });
  if (token === null) throw new Error('a new token is shown once');
  const hers = connectShop(serverUrl, token);
  const example = await loadExample('cancel-unpaid-orders');
  await hers.client.ai_tasks.create_version(taskId, {
    source_code: example.source_code.replace(CANCELS, `${CANCELS}\n    ${NOTES}`),
    permissions: [...example.permissions, 'admin_api.customers.write'],
    parameters: [...example.parameters],
    note: 'Leaves a note at each customer, as we talked about',
  });
}

import type { AdminApi } from '../../../contract/calls.ts';
import { type ExamplesOf, keyOf, ofScript } from './example.ts';

/** Settings, mails, webhooks, logs and the stream of changes. */

export const settings: ExamplesOf<'settings'> = {
  'settings.get': {},
  'settings.update': { body: { low_stock_threshold: 8, download_days: 30 } },
};

export const mails: ExamplesOf<'mails'> = {
  'mails.send': async ({ claimed, api }) => {
    const run = await claimed({ name: 'Delay letters', permissions: ['mail_send'], mail_to: ['customers'] });
    const { email } = await api.customers.get(12);
    const body = { to: email, subject: 'Your order is late', text: 'It leaves on Monday. We are sorry.' };
    return {
      body,
      by: ofScript(run),
      headers: keyOf(run, 'POST', '/mails', body),
      note: 'Only runs of tasks send mails; scripts call `mail()`. A mail server on this machine took it.',
    };
  },
  'mails.list': { query: { per_page: 2 } },
  'mails.retry': async ({ failedMail }) => ({
    params: { id: await failedMail() },
    note: 'A mail server on this machine had refused the mail.',
  }),
};

export const webhooks: ExamplesOf<'webhooks'> = {
  'webhooks.create': ({ doubles }) => ({ body: { url: doubles.receiverUrl, events: ['order.created', 'order.paid'] } }),
  'webhooks.list': {},
  'webhooks.get': ({ got }) => ({ params: { id: got('webhooks.create').id } }),
  'webhooks.update': ({ got }) => ({ params: { id: got('webhooks.create').id }, body: { events: ['order.created', 'customer.created'] } }),
  'webhooks.rotate_secret': ({ got }) => ({ params: { id: got('webhooks.create').id } }),
  'webhooks.list_deliveries': async ({ api, got }) => {
    await api.customers.create({ name: 'Jonas Weber', email: 'jonas.weber@example.org' });
    return { params: { id: got('webhooks.create').id }, query: { limit: 1 }, note: 'A customer had just been created.' };
  },
  'webhooks.retry_delivery': ({ got }) => ({
    params: { id: got('webhooks.create').id, delivery_id: got('webhooks.list_deliveries')[0]?.id ?? 0 },
  }),
  'webhooks.delete': async ({ api, doubles }) => {
    const { id } = await api.webhooks.create({ url: doubles.receiverUrl, events: ['order.paid'] });
    return { params: { id } };
  },
};

export const logs: ExamplesOf<'logs'> = { 'logs.list': {} };

export const auditLog: ExamplesOf<'audit_log'> = {
  'audit_log.list': { query: { resource_type: 'order', per_page: 2 } },
  'audit_log.get_undo': async ({ api }) => ({
    params: { id: await editedCustomer(api) },
    note: 'The name and the telephone number of a customer were changed.',
  }),
  'audit_log.undo': ({ got }) => {
    const { entry_id, digest } = got('audit_log.get_undo');
    return { params: { id: entry_id }, body: { fields: ['name'], digest } };
  },
};

/** Edits a customer, and gives the entry of the audit log about it. */
async function editedCustomer(api: AdminApi): Promise<number> {
  await api.customers.update(12, { name: 'Anna Berger-Novak', phone: '+43 660 1234567' });
  const { data } = await api.audit_log.list({ resource_type: 'customer', resource_id: 12, per_page: 1 });
  return data[0]?.id ?? 0;
}

export const changes: ExamplesOf<'changes'> = {
  'changes.stream': ({ api }) => ({
    meanwhile: () => api.customers.update(12, { marketing_opt_out: true }),
    note: 'Meanwhile a customer was changed. The stream goes on.',
  }),
};

import type { ExamplesOf } from './example.ts';

export const customers: ExamplesOf<'customers'> = {
  'customers.list': { query: { q: 'rossi', sort: '-created_at', per_page: 2 } },
  'customers.create': { body: { name: 'Nora Lindqvist', email: 'nora.lindqvist@example.org', phone: '+46 8 123 456', registered: true } },
  'customers.get': ({ got }) => ({ params: { id: got('customers.create').id } }),
  'customers.update': ({ got }) => ({ params: { id: got('customers.create').id }, body: { phone: null, marketing_opt_out: true } }),
  'customers.create_address': ({ got }) => ({
    params: { id: got('customers.create').id },
    body: { label: 'Home', line1: 'Götgatan 1', city: 'Stockholm', postal_code: '116 46', country: 'SE', is_default: true },
  }),
  'customers.list_addresses': ({ got }) => ({ params: { id: got('customers.create').id } }),
  'customers.update_address': ({ got }) => ({
    params: { id: got('customers.create').id, address_id: got('customers.create_address').id },
    body: { line2: 'c/o Berg' },
  }),
  'customers.delete_address': ({ got }) => ({ params: { id: got('customers.create').id, address_id: got('customers.create_address').id } }),
  'customers.create_note': ({ got }) => ({ params: { id: got('customers.create').id }, body: { body: 'Prefers light roasts.' } }),
  'customers.list_notes': ({ got }) => ({ params: { id: got('customers.create').id } }),
  'customers.get_note': ({ got }) => ({ params: { id: got('customers.create').id, note_id: got('customers.create_note').id } }),
  'customers.update_note': ({ got }) => ({
    params: { id: got('customers.create').id, note_id: got('customers.create_note').id },
    body: { body: 'Prefers light roasts, ground for a filter.' },
  }),
  'customers.delete_note': ({ got }) => ({ params: { id: got('customers.create').id, note_id: got('customers.create_note').id } }),
  'customers.upload_file': ({ got }) => ({
    params: { id: got('customers.create').id },
    body: {
      name: 'Contract',
      note: 'Signed in November',
      file: { filename: 'contract.txt', content: 'Twelve deliveries a year.', content_type: 'text/plain' },
    },
  }),
  'customers.list_files': ({ got }) => ({ params: { id: got('customers.create').id } }),
  'customers.get_file_content': ({ got }) => ({ params: { id: got('customers.create').id, file_id: got('customers.upload_file').id } }),
  'customers.delete_file': ({ got }) => ({ params: { id: got('customers.create').id, file_id: got('customers.upload_file').id } }),
  'customers.adjust_credits': ({ got }) => ({
    params: { id: got('customers.create').id },
    body: { delta: 500, expires_in_days: 90, note: 'Sorry for the broken lid' },
  }),
  'customers.get_credits': ({ got }) => ({ params: { id: got('customers.create').id } }),
  'customers.list_credit_transactions': ({ got }) => ({ params: { id: got('customers.create').id } }),
  'customers.update_b2b': ({ got }) => ({ params: { id: got('customers.create').id }, body: { is_b2b: true, discount_group_id: 1 } }),
  'customers.list_access_groups': { params: { id: 13 } },
  'customers.timeline': ({ got }) => ({ params: { id: got('customers.create').id }, query: { per_page: 3 } }),
  'customers.list_ids': { query: { q: 'rossi' } },
  'customers.export': { query: { ids: '12,13' } },
  'customers.preview_bulk': { body: { customer_ids: [12, 13], change: { kind: 'credits', delta: 200 } } },
  'customers.bulk_credits': { body: { customer_ids: [12, 13], delta: 200, note: 'Thank you for ten orders' } },
  'customers.bulk_discount_group': { body: { customer_ids: [12, 13], discount_group_id: 2 } },
  'customers.delete': async ({ api }) => {
    const { id } = await api.customers.create({ name: 'Twice Entered', email: 'twice@example.org' });
    return { params: { id } };
  },
};

export const inquiries: ExamplesOf<'inquiries'> = {
  'inquiries.create': {
    body: { name: 'Aoife Byrne', email: 'aoife.byrne@example.org', subject: 'Engraving', body: 'Can you engrave two initials on the lid?' },
  },
  'inquiries.list': { query: { answered: false } },
  'inquiries.get': ({ got }) => ({ params: { id: got('inquiries.create').id } }),
  'inquiries.update': ({ got }) => ({ params: { id: got('inquiries.create').id }, body: { customer_id: 12 } }),
  'inquiries.answer': ({ got }) => ({
    params: { id: got('inquiries.create').id },
    body: { body: 'Yes, within two days. It costs 8 euros.' },
    note: 'A mail server on this machine took the answer.',
  }),
  'inquiries.delete': async ({ api }) => {
    const { id } = await api.inquiries.create({ name: 'Spam', email: 'spam@example.org', body: 'Buy now!' });
    return { params: { id } };
  },
};

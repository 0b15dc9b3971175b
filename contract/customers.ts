import { z } from 'zod';
import { GroupMember } from './access-groups.ts';
import { CommentText } from './comments.ts';
import { endpointsOf } from './endpoint.ts';
import { IDS_MAX } from './orders.ts';
import { changingPageOf, changingQuery, timeSorts, updatedSince } from './paging.ts';
import { CalendarDate, Cents, Id, Search, Timestamp, text, wordsIn } from './values.ts';

export const customerSorts = ['name', '-name', 'email', '-email', ...timeSorts] as const;

export const CustomerRow = z
  .object({
    id: Id,
    name: z.string(),
    email: z.string(),
    phone: z.string().nullable(),
    registered: z.boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'CustomerRow' });
export type CustomerRow = z.infer<typeof CustomerRow>;

export const CustomerAddress = z
  .object({
    id: Id,
    address_type: z.string(),
    label: z.string(),
    line1: z.string(),
    line2: z.string().nullable(),
    city: z.string(),
    state: z.string(),
    postal_code: z.string(),
    country: z.string(),
    is_default: z.boolean(),
  })
  .meta({ id: 'CustomerAddress' });
export type CustomerAddress = z.infer<typeof CustomerAddress>;

export const CustomerDetail = CustomerRow.extend({
  register_ip: z.string(),
  last_login_ip: z.string(),
  order_count: z.int(),
  addresses: z.array(CustomerAddress),
  is_b2b: z.boolean(),
  discount_group_id: Id.nullable(),
  /** True: the customer gets no mails of the kind `marketing` from tasks. */
  marketing_opt_out: z.boolean(),
  credits: z.int(),
  total_spent: Cents,
  /** When the customer was deleted, if orders, subscriptions or inquiries still refer to the record; else null. */
  anonymised_at: Timestamp.nullable(),
}).meta({ id: 'CustomerDetail' });
export type CustomerDetail = z.infer<typeof CustomerDetail>;

export const CustomerFile = z
  .object({
    id: Id,
    customer_id: Id,
    storage_key: z.string(),
    name: z.string(),
    size_bytes: z.int(),
    content_type: z.string(),
    note: z.string().nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'CustomerFile' });
export type CustomerFile = z.infer<typeof CustomerFile>;

export const CustomerNote = z
  .object({
    id: Id,
    customer_id: Id,
    author: z.string().meta({ description: 'The name that the author had then' }),
    author_id: Id.nullable().meta({ description: 'The admin who wrote it, or whose run did; null: not known' }),
    run_id: Id.nullable().meta({ description: 'The run that wrote it; null: the admin' }),
    body: z.string().meta({ description: 'Plain text; `<@12>` mentions the admin 12' }),
    created_at: Timestamp,
    edited_at: Timestamp.nullable(),
  })
  .meta({ id: 'CustomerNote' });
export type CustomerNote = z.infer<typeof CustomerNote>;

/** So many customers at most are in one file. */
export const EXPORT_MAX = 100_000;

const listFilters = {
  search: Search.optional(),
  q: wordsIn('the name, the email, a phone number (at least three digits, whatever stands between them), or be the id'),
  registered: z.boolean().optional(),
  created_from: CalendarDate.optional(),
  created_to: CalendarDate.optional(),
};

export const customersEndpoints = endpointsOf(
  {
    id: 'customers.list',
    method: 'GET',
    path: '/customers',
    summary: 'List customers',
    permission: 'admin_api.customers.read',
    query: changingQuery(listFilters, customerSorts),
    response: changingPageOf(CustomerRow),
  },
  {
    id: 'customers.list_ids',
    method: 'GET',
    path: '/customers/ids',
    summary: `List the ids of all customers that match, at most ${IDS_MAX.toLocaleString('en')}, in the order of the list`,
    permission: 'admin_api.customers.read',
    query: z.object({ ...listFilters, updated_since: updatedSince, sort: z.enum(customerSorts).default('-created_at') }),
    response: z.object({ ids: z.array(Id), total: z.int() }),
    refusals: ['too_many_matches'],
  },
  {
    id: 'customers.export',
    method: 'GET',
    path: '/customers/export',
    summary: `Download the customers that match as CSV, at most ${EXPORT_MAX.toLocaleString('en')}, in the order of the list, with what they ordered and their credits`,
    permission: 'admin_api.customers.read',
    taskPermission: null,
    query: z.object({
      ...listFilters,
      updated_since: updatedSince,
      sort: z.enum(customerSorts).default('-created_at'),
      ids: text({ max: 120_000 })
        .refine((ids) => /^\d{1,15}(,\d{1,15}){0,9999}$/.test(ids), {
          message: 'must be ids with commas between them',
          params: { code: 'invalid_value' },
        })
        .optional()
        .meta({ description: 'In place of the filters: these customers, as at most 10,000 ids with commas between them, in this order' }),
    }),
    binary: true,
    contentType: 'text/csv',
    refusals: ['too_many_matches'],
  },
  {
    id: 'customers.get',
    method: 'GET',
    path: '/customers/{id}',
    summary: 'Get a customer with their addresses',
    permission: 'admin_api.customers.read',
    record: 'customer',
    response: CustomerDetail,
  },
  {
    id: 'customers.list_files',
    method: 'GET',
    path: '/customers/{id}/files',
    summary: 'List the files of a customer, newest first',
    permission: 'admin_api.customers.read',
    record: 'customer',
    response: z.array(CustomerFile),
  },
  {
    id: 'customers.upload_file',
    method: 'POST',
    path: '/customers/{id}/files',
    undo: { deletes: 'customers.delete_file' },
    summary: 'Upload a file for a customer',
    permission: 'admin_api.customers.write',
    record: 'customer',
    multipart: true,
    /** The text parts of the form; an empty `name` means the name of the uploaded file. */
    body: z.object({ name: text({ trim: true }).optional(), note: text({ max: 1000 }).optional() }),
    status: 201,
    response: CustomerFile,
    refusals: ['file_required', 'too_long', 'storage_cap_exceeded'],
  },
  {
    id: 'customers.delete_file',
    method: 'DELETE',
    path: '/customers/{id}/files/{file_id}',
    undo: { irreversible: 'The content of the file was deleted with it. Upload the file again.' },
    summary: 'Delete a file of a customer',
    permission: 'admin_api.customers.write',
    record: 'customer_file',
    status: 204,
  },
  {
    id: 'customers.list_access_groups',
    method: 'GET',
    path: '/customers/{id}/access-groups',
    summary: 'List the access groups that a customer has access to, one row for each group and source',
    permission: 'admin_api.customers.read',
    record: 'customer',
    response: z.array(GroupMember),
  },
  {
    id: 'customers.update_b2b',
    method: 'PUT',
    path: '/customers/{id}/b2b',
    undo: 'restore',
    summary: 'Set the B2B flag and discount group; a null or omitted group clears it',
    permission: 'admin_api.customers.write',
    record: 'customer',
    body: z.object({ is_b2b: z.boolean(), discount_group_id: Id.nullable().optional() }),
    status: 204,
    refusals: ['discount_group_not_found'],
  },
  {
    id: 'customers.list_notes',
    method: 'GET',
    path: '/customers/{id}/notes',
    summary: 'List the notes on a customer, newest first',
    permission: 'admin_api.customers.read',
    record: 'customer',
    response: z.array(CustomerNote),
  },
  {
    id: 'customers.create_note',
    method: 'POST',
    path: '/customers/{id}/notes',
    undo: 'restore',
    summary: 'Add a note; the caller is its author',
    permission: 'admin_api.customers.write',
    record: 'customer',
    body: z.object({ body: CommentText }),
    status: 201,
    response: CustomerNote,
    refusals: ['blank', 'admin_not_found', 'notification_limit_reached'],
  },
  {
    id: 'customers.get_note',
    method: 'GET',
    path: '/customers/{id}/notes/{note_id}',
    summary: 'Get a note on a customer',
    permission: 'admin_api.customers.read',
    record: 'customer_note',
    response: CustomerNote,
  },
  {
    id: 'customers.update_note',
    method: 'PATCH',
    path: '/customers/{id}/notes/{note_id}',
    undo: 'restore',
    summary: 'Change a note of the caller',
    permission: 'admin_api.customers.write',
    record: 'customer_note',
    body: z.object({ body: CommentText }),
    response: CustomerNote,
    refusals: ['blank', 'forbidden', 'admin_not_found', 'notification_limit_reached'],
  },
  {
    id: 'customers.delete_note',
    method: 'DELETE',
    path: '/customers/{id}/notes/{note_id}',
    undo: 'restore',
    summary: 'Delete a note',
    permission: 'admin_api.customers.write',
    record: 'customer_note',
    status: 204,
  },
);

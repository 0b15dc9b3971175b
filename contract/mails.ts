import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { cursorPageOf, cursorQuery } from './paging.ts';
import { Id, Timestamp } from './values.ts';

export const mailStatuses = ['queued', 'sent', 'failed'] as const;

/** A mail to a customer, without its content. */
export const Mail = z
  .object({
    id: Id,
    template: z.string(),
    to_name: z.string(),
    to_address: z.string(),
    subject: z.string(),
    status: z.enum(mailStatuses),
    attempts: z.int(),
    due_in_seconds: z.int().nullable().meta({ description: 'Seconds until the next attempt; null unless the mail is queued' }),
    last_error: z.string().nullable(),
    created_at: Timestamp,
    ended_at: Timestamp.nullable().meta({ description: 'When the mail was sent or given up' }),
  })
  .meta({ id: 'Mail' });
export type Mail = z.infer<typeof Mail>;

export const mailsEndpoints = endpointsOf(
  {
    id: 'mails.list',
    method: 'GET',
    path: '/mails',
    summary:
      'List mails to customers, newest first: queued, sent and failed. Sent and failed mails are kept for the days of the setting `mail_days`',
    permission: 'admin_api.logs.read',
    taskPermission: null,
    query: cursorQuery({ status: z.enum(mailStatuses).optional() }),
    status: 200,
    response: cursorPageOf(Mail),
    added: true,
  },
  {
    id: 'mails.retry',
    method: 'POST',
    path: '/mails/{id}/retry',
    summary: 'Send a queued or failed mail now; a mail that was sent is not sent again',
    permission: 'admin_api.settings.write',
    record: 'mail',
    status: 200,
    response: Mail,
    added: true,
  },
);

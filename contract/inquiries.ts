import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { mailStatuses } from './mails.ts';
import { changingPageOf, changingQuery, timeSorts } from './paging.ts';
import { EmailAddress } from './people.ts';
import { Id, Name, Search, Timestamp, text, wordsIn } from './values.ts';

/** A question that somebody sent to the shop (spec IQ1). */
export const Inquiry = z
  .object({
    id: Id,
    customer_id: Id.nullable(),
    name: z.string(),
    email: z.string(),
    subject: z.string(),
    body: z.string(),
    answer: z.string().nullable(),
    answered_at: Timestamp.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Inquiry' });
export type Inquiry = z.infer<typeof Inquiry>;

export const InquiryDetail = Inquiry.extend({
  answer_mail: z
    .enum(mailStatuses)
    .nullable()
    .meta({ description: 'How it stands with the mail of the answer; null without an answer, and once the mail is no longer kept' }),
}).meta({ id: 'InquiryDetail' });
export type InquiryDetail = z.infer<typeof InquiryDetail>;

const Body = text({ min: 1, max: 10_000, trim: true });

const read = 'admin_api.inquiries.read';
const write = 'admin_api.inquiries.write';
const record = 'inquiry';

export const inquiriesEndpoints = endpointsOf(
  {
    id: 'inquiries.list',
    method: 'GET',
    path: '/inquiries',
    summary: 'List inquiries',
    permission: read,
    query: changingQuery(
      { search: Search.optional(), q: wordsIn('the name, the email, the subject, or be the id'), answered: z.boolean().optional() },
      timeSorts,
    ),
    response: changingPageOf(Inquiry),
  },
  {
    id: 'inquiries.create',
    method: 'POST',
    path: '/inquiries',
    undo: 'restore',
    summary: 'Record an inquiry; admins who subscribed to new inquiries get a mail',
    permission: write,
    body: z.object({
      customer_id: Id.nullable().optional().meta({ description: 'If omitted, the customer with this e-mail address, if there is one' }),
      name: Name,
      email: EmailAddress,
      subject: text({ trim: true }).default(''),
      body: Body,
    }),
    status: 201,
    response: InquiryDetail,
    location: '/inquiries/{id}',
    refusals: ['customer_not_found'],
  },
  {
    id: 'inquiries.get',
    method: 'GET',
    path: '/inquiries/{id}',
    summary: 'Get an inquiry',
    permission: read,
    record,
    response: InquiryDetail,
  },
  {
    id: 'inquiries.update',
    method: 'PATCH',
    path: '/inquiries/{id}',
    undo: 'restore',
    summary: 'Correct an inquiry',
    permission: write,
    record,
    body: z.object({
      customer_id: Id.nullable().optional(),
      name: Name.optional(),
      email: EmailAddress.optional(),
      subject: text({ trim: true }).optional(),
      body: Body.optional(),
    }),
    response: InquiryDetail,
    refusals: ['customer_not_found'],
  },
  {
    id: 'inquiries.delete',
    method: 'DELETE',
    path: '/inquiries/{id}',
    undo: 'restore',
    summary: 'Delete an inquiry',
    permission: write,
    record,
    status: 204,
  },
  {
    id: 'inquiries.answer',
    method: 'POST',
    path: '/inquiries/{id}/answer',
    undo: { irreversible: 'The answer was sent by mail. Write to the person again.' },
    summary: 'Answer an inquiry by mail; an inquiry can be answered only once',
    permission: write,
    record,
    body: z.object({ body: Body }),
    response: InquiryDetail,
    refusals: ['already_answered'],
  },
);

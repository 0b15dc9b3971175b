import { z } from 'zod';
import { emailKey } from './emails.ts';
import { endpointsOf } from './endpoint.ts';
import { cursorPageOf, cursorQuery } from './paging.ts';
import { Id, listOf, Timestamp, text } from './values.ts';

export const mailStatuses = ['queued', 'sent', 'failed'] as const;

/** A mail, without its content. */
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
    /** The run that wrote the mail; null: the shop itself. */
    task_id: Id.nullable(),
    run_id: Id.nullable(),
    created_at: Timestamp,
    ended_at: Timestamp.nullable().meta({ description: 'When the mail was sent or given up' }),
  })
  .meta({ id: 'Mail' });
export type Mail = z.infer<typeof Mail>;

const invalid = (message: string) => ({ message, params: { code: 'invalid_value' } });

/** One plain address: nothing in it could end a header or begin another address. */
const Address = text({ min: 1, max: 254, trim: true }).refine(
  (value) => value === '' || /^[^\s\p{Cc}@<>()[\]\\,;:"]+@[^\s\p{Cc}@<>()[\]\\,;:"]+$/u.test(value),
  invalid('must be one e-mail address such as ann@example.com'),
);

/** A text of so many bytes as UTF-8. */
function sized(maxBytes: number) {
  return text({ min: 1, max: maxBytes }).refine(
    (value) => value.length <= maxBytes / 3 || new TextEncoder().encode(value).length <= maxBytes,
    { message: `must have at most ${maxBytes} bytes`, params: { code: 'too_long' } },
  );
}

const TEXT_MAX_BYTES = 100 * 1024;
const HTML_MAX_BYTES = 500 * 1024;
/** So many addresses one call may write to; each gets a mail of its own. */
const RECIPIENTS_MAX = 50;
/** So many mails a run and all runs that resume it may write. */
export const RUN_MAILS_MAX = 100;

/** The text that stands for the recipient's own link in a mail of the kind `marketing`. */
export const UNSUBSCRIBE_PLACE = '{{unsubscribe_url}}';

export const mailKinds = ['transactional', 'marketing'] as const;

export const OutgoingMail = z
  .object({
    to: z
      .union([Address.transform((one) => [one]), listOf(Address, RECIPIENTS_MAX, emailKey)])
      .refine((list) => list.length > 0, { message: 'must name at least one address', params: { code: 'blank' } })
      .meta({ description: `One address or a list of at most ${RECIPIENTS_MAX}; each gets a mail of its own and sees no other` }),
    subject: text({ min: 1, max: 200, trim: true }).refine(
      (value) => !/[\p{Cc}\u2028\u2029]/u.test(value),
      invalid('must be one line, without control characters'),
    ),
    text: sized(TEXT_MAX_BYTES),
    html: sized(HTML_MAX_BYTES).nullable().default(null),
    reply_to: Address.nullable().default(null),
    kind: z
      .enum(mailKinds)
      .default('transactional')
      .meta({
        description: `\`marketing\`: to customers alone, not to those who have opted out, with a link to opt out in place of \`${UNSUBSCRIBE_PLACE}\``,
      }),
  })
  .superRefine(({ kind, text, html }, ctx) => {
    if (kind === 'marketing') return;
    for (const [name, value] of [
      ['text', text],
      ['html', html],
    ] as const) {
      if (value?.includes(UNSUBSCRIBE_PLACE)) {
        const message = `may contain ${UNSUBSCRIBE_PLACE} only in a mail of the kind marketing`;
        ctx.addIssue({ code: 'custom', path: [name], message, params: { code: 'invalid_value' } });
      }
    }
  })
  .meta({ id: 'OutgoingMail' });
export type OutgoingMail = z.infer<typeof OutgoingMail>;

export const WrittenMails = z
  .object({
    mails: z.array(z.object({ id: Id, to: z.string() })).meta({ description: 'The mails that wait to be sent, one for each address' }),
    left_out: z
      .array(z.object({ to: z.string(), reason: z.literal('opted_out') }))
      .meta({ description: 'Addresses that get no mail of this kind, because their customers have opted out' }),
  })
  .meta({ id: 'WrittenMails' });
export type WrittenMails = z.infer<typeof WrittenMails>;

export const mailsEndpoints = endpointsOf(
  {
    id: 'mails.send',
    method: 'POST',
    path: '/mails',
    undo: { irreversible: 'A mail cannot be called back. Write to its recipients again.' },
    summary: `Write mails to addresses that the version of the run may write to; only runs can call it. A run and those that resume it may write ${RUN_MAILS_MAX}`,
    permission: 'mail_send',
    body: OutgoingMail,
    status: 201,
    response: WrittenMails,
    refusals: ['mail_recipient_not_allowed', 'mail_limit_reached', 'daily_mail_limit_reached', 'public_url_not_set', 'duplicate'],
  },
  {
    id: 'mails.list',
    method: 'GET',
    path: '/mails',
    summary:
      'List mails to customers, newest first: queued, sent and failed. Sent and failed mails are kept for the days of the setting `mail_days`',
    permission: 'admin_api.logs.read',
    taskPermission: null,
    query: cursorQuery({ status: z.enum(mailStatuses).optional() }),
    response: cursorPageOf(Mail),
  },
  {
    id: 'mails.retry',
    method: 'POST',
    path: '/mails/{id}/retry',
    summary: 'Send a queued or failed mail now; a mail that was sent is not sent again',
    permission: 'admin_api.settings.write',
    record: 'mail',
    response: Mail,
  },
);

import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { Mail } from '../../../contract/mails.ts';
import { isEventType } from '../../../contract/preferences.ts';
import type { At } from '../../db/open.ts';
import type { Traces } from '../../db/queries/about.ts';
import type { Settings } from '../../values/settings.ts';
import type { Ctx } from '../../verbs/context.ts';
import { listPage, NEWEST_FIRST } from '../../verbs/list-pages.ts';
import { notFound } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import type { Retention } from '../../verbs/retention.ts';
import { phrasesFor } from './locales/index.ts';
import * as store from './store.ts';
import { type Content, type MailToWrite, type Recipient, writeMail } from './templates.ts';

export const recordVersions = {
  mail: async (db, { id }) => ((await store.hasMail(db, Number(id))) ? 1 : null),
} satisfies RecordVersions;

type MailCtx = Pick<Ctx, 'db' | 'now' | 'settings' | 'requestId'> & Partial<Pick<Ctx, 'actor' | 'audit'>>;

/**
 * Puts a mail in the outbox, in the transaction of what it tells. Its text is written now with the current data; it is sent
 * later. For a run the mail is an effect of its own, since it may be sent twice. Returns false if there is no address to send
 * to.
 */
export async function queueMail(ctx: MailCtx, mail: MailToWrite): Promise<boolean> {
  const address = mail.to.email.trim();
  if (address === '') return false;
  const to = { name: mail.to.name, email: address };
  const id = await insertLetter(ctx, { template: mail.template, to, ...writeMail(mail, ctx.settings), about: subjectOf(mail) });
  if (ctx.actor?.type === 'task') {
    ctx.audit?.({ resource: { type: 'mail', id }, changes: { status: [null, 'queued'] }, summary: `Mail queued: ${mail.template}` });
  }
  return true;
}

/** How many mails are due and not sent yet. In a shop without a mail account they wait for one, which is no fault: 0. */
export async function countDue({ db, dialect }: At, { smtp }: Pick<Settings, 'smtp'>): Promise<number> {
  return smtp === null ? 0 : store.countDue({ db, dialect });
}

const FOLD_MS = 3_600_000;

/**
 * Puts a mail about an event that may repeat into the outbox. The first one is sent at once. What follows within an hour joins one mail, which
 * is sent when that hour is over; so an admin gets at most one in an hour, which says how many there were. `mailOf` writes it for their number.
 * Whoever calls it has locked the notification of the same news, so that no two transactions find the same mail missing.
 */
export async function queueFolded(
  ctx: MailCtx & Pick<Ctx, 'dialect'>,
  foldKey: string,
  mailOf: (count: number) => MailToWrite,
): Promise<void> {
  const last = await store.lockLatestOf(ctx, foldKey);
  const joins = last?.status === 'queued' && last.lease === null && last.attempts === 0;
  const folded = joins ? last.folded + 1 : 1;
  const mail = mailOf(folded);
  const content = writeMail(mail, ctx.settings);
  if (joins) {
    const { subject, text: text_body, html: html_body } = content;
    return store.updateContent(ctx.db, last.id, { subject, text_body, html_body, folded });
  }
  const id = await insertLetter(ctx, { template: mail.template, to: mail.to, ...content, about: subjectOf(mail) });
  await store.planMail(ctx, id, foldKey, (last?.planned_ms ?? -FOLD_MS) + FOLD_MS);
}

/** What stands before the link by which a customer opts out. */
export function unsubscribeWords({ locale }: Ctx['settings']): string {
  return phrasesFor(locale).unsubscribe.link;
}

/** The record that a mail is about, and the customer to whom it goes; null: it goes to an admin. */
type About = { resource_type: string; resource_id: number; customer_id: number | null };

type Letter = Content & {
  template: string;
  to: Recipient;
  about: About | null;
  /** Only of a mail that a run writes. */
  written?: { replyTo: string | null; unsubscribeUrl: string | null; taskId: number; runId: number };
};

/** Puts a mail that is already written into the outbox, and returns its id. */
export function insertLetter(
  { db, now, settings, requestId }: Pick<MailCtx, 'db' | 'now' | 'settings' | 'requestId'>,
  { template, to, subject, text, html, about, written }: Letter,
): Promise<number> {
  return store.insertMail(db, {
    template,
    locale: settings.locale,
    to_name: to.name,
    to_address: to.email,
    subject,
    text_body: text,
    html_body: html,
    status: 'queued',
    attempts: 0,
    due_ms: 0,
    untold: 0,
    reply_to: written?.replyTo ?? null,
    unsubscribe_url: written?.unsubscribeUrl ?? null,
    task_id: written?.taskId ?? null,
    run_id: written?.runId ?? null,
    created_at: now,
    request_id: requestId || null,
    ...about,
  });
}

function subjectOf({ template, data }: MailToWrite): About | null {
  if ('task' in data || 'link' in data) return null;
  const to = (customerId: number | null) => (isEventType(template) ? null : customerId);
  if ('order' in data) return { resource_type: 'order', resource_id: data.order.id, customer_id: to(data.order.customer_id) };
  if ('inquiry' in data) return { resource_type: 'inquiry', resource_id: data.inquiry.id, customer_id: to(data.inquiry.customer_id) };
  return { resource_type: 'customer', resource_id: data.customer_id, customer_id: data.customer_id };
}

export const retention: Retention = { days: ({ mail_days }) => mail_days, deleteBatch: store.deleteEnded };

/** Deletes mails to a person and about a person; mails that are not sent yet are not sent any more. */
export async function forgetMails(ctx: Ctx, traces: Traces): Promise<void> {
  await store.deleteAbout(ctx, traces);
}

/** Makes mails that wait for another attempt due now: called when an admin has changed the mail account's settings. */
export async function makeWaitingMailsDue({ db }: Pick<Ctx, 'db'>): Promise<void> {
  await store.makeWaitingDue(db);
}

export function listMails(ctx: Ctx, query: InputOf<Endpoints['mails.list']>['query']) {
  return listPage(query, NEWEST_FIRST, store.mails(ctx, query));
}

/** How it stands with the mail of the answer to an inquiry; null if there is none, or none any more. */
export function answerMailStatus({ db }: Pick<Ctx, 'db'>, inquiryId: number): Promise<Mail['status'] | null> {
  return store.selectStatusAbout(db, { template: 'inquiry_answer', type: 'inquiry', id: inquiryId });
}

export async function retryMail(ctx: Ctx, id: number): Promise<Mail> {
  const before = await store.lockMail(ctx, id);
  if (!before) throw notFound('mail', id);
  if (before.status !== 'sent' && before.lease === null) await store.requeue(ctx.db, id);
  const [mail] = await store.selectMails(ctx, [id]);
  if (!mail) throw notFound('mail', id);
  ctx.audit({
    resource: { type: 'mail', id },
    changes: before.status === mail.status ? {} : { status: [before.status, mail.status] },
    summary: `Mail ${id}: to be sent again`,
  });
  return mail;
}

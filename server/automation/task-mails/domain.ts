import { emailKey } from '../../../contract/emails.ts';
import { type OutgoingMail, RUN_MAILS_MAX, type WrittenMails } from '../../../contract/mails.ts';
import { deleteOldest } from '../../db/queries/delete-oldest.ts';
import { adminAddresses } from '../../resources/admins/domain.ts';
import { holdCorrespondents } from '../../resources/customers/domain.ts';
import { insertLetter, unsubscribeWords } from '../../resources/mail/domain.ts';
import { makeUnsubscribeLink } from '../../resources/unsubscribe/domain.ts';
import { dayIn } from '../../values/dates.ts';
import type { Ctx, TaskActor } from '../../verbs/context.ts';
import { Refusal, refuseValues } from '../../verbs/problem.ts';
import type { Retention } from '../../verbs/retention.ts';
import { grantsOf } from '../tasks/grants.ts';
import { cut, inWords, isCovered, withLink } from './rules.ts';
import * as store from './store.ts';

/** Days whose number of mails nobody asks for any more. */
export const retention: Retention = { days: () => 7, deleteBatch: deleteOldest('task_mail_days', 'day', 'day') };

type Recipient = { name: string; email: string; customer: { id: number; hasOptedOut: boolean } | null };

/**
 * Puts a mail for each address into the outbox, in the transaction of the call. The addresses that its version may write to are
 * those that were approved with it; one other address, and nobody gets a mail.
 */
export async function sendMails(ctx: Ctx, mail: OutgoingMail): Promise<WrittenMails> {
  const { actor } = ctx;
  if (actor.type !== 'task') throw new Refusal('forbidden', 'Only a run can write mails, because its version says to whom.');
  const { mail_to } = await grantsOf(ctx.db, actor);
  const recipients = await recipientsOf(ctx, mail.to, mail_to);
  const isMarketing = mail.kind === 'marketing';
  if (isMarketing) refuseStrangers(recipients);
  const leftOut = recipients.filter(({ customer }) => isMarketing && customer?.hasOptedOut);
  const reached = recipients.filter((one) => !leftOut.includes(one));
  await countMails(ctx, actor, reached.length);
  const mails: WrittenMails['mails'] = [];
  for (const to of reached) mails.push({ id: await writeOne(ctx, actor, mail, to), to: to.email });
  if (mails.length === 0) ctx.audit({ resource: { type: 'mail', id: null }, changes: {}, summary: 'No mail queued: all have opted out' });
  return { mails, left_out: leftOut.map(({ email }) => ({ to: email, reason: 'opted_out' as const })) };
}

/**
 * The people behind the addresses. A customer or an admin gets the mail at the address that the shop has, because two addresses that
 * compare as equal may be two mailboxes.
 */
async function recipientsOf(ctx: Ctx, addresses: readonly string[], mailTo: readonly string[]): Promise<Recipient[]> {
  const customers = await holdCorrespondents(ctx, addresses);
  const admins = mailTo.includes('admins') ? await adminAddresses(ctx) : new Map<string, { name: string; email: string }>();
  const found = addresses.map((address): Recipient & { isAllowed: boolean } => {
    const [customer, admin] = [customers.get(emailKey(address)), admins.get(emailKey(address))];
    const isAllowed = isCovered(mailTo, address, { isCustomer: customer !== undefined, isAdmin: admin !== undefined });
    const { name, email } = customer ?? admin ?? { name: '', email: address };
    const known = customer ? { id: customer.id, hasOptedOut: customer.marketing_opt_out === 1 } : null;
    return { name, email: email.trim(), customer: known, isAllowed };
  });
  const refused = addresses.filter((_, index) => !found[index]?.isAllowed);
  if (refused.length === 0) return found.map(({ isAllowed: _, ...recipient }) => recipient);
  const detail = `The version of this run may not write to ${refused.join(', ')}; it may write to ${inWords(mailTo)}. No mail was queued.`;
  throw new Refusal('mail_recipient_not_allowed', detail, { extra: { addresses: refused, mail_to: mailTo } });
}

/** A marketing mail needs somebody who can opt out. */
function refuseStrangers(recipients: readonly Recipient[]): void {
  const errors = recipients.flatMap(({ email, customer }, index) => {
    const detail = `${email} belongs to no customer, and only customers get mails of the kind marketing`;
    return customer === null ? [{ pointer: `/to/${index}`, parameter: null, code: 'customer_not_found', detail }] : [];
  });
  if (errors.length > 0) throw refuseValues(errors);
}

async function countMails({ db, now, settings }: Ctx, { lineageId }: TaskActor, mails: number): Promise<void> {
  if (mails === 0) return;
  if ((await store.countOfLineage(db, lineageId, mails)) > RUN_MAILS_MAX) {
    throw new Refusal(
      'mail_limit_reached',
      `A run, with the runs that it resumes, may write at most ${RUN_MAILS_MAX} mails; this call would be more. No mail was queued.`,
      { extra: { limit: RUN_MAILS_MAX } },
    );
  }
  const { task_mails_per_day: limit, timezone } = settings;
  if ((await store.countOfDay(db, dayIn(now, timezone), mails)) <= limit) return;
  throw new Refusal(
    'daily_mail_limit_reached',
    `All tasks together may write at most ${limit} mails on one day (task_mails_per_day); this call would be more. No mail was queued.`,
    { extra: { limit } },
  );
}

/** What the effects of a run show in place of the token that opts a customer out. */
const HIDDEN = '…';

async function writeOne(ctx: Ctx, actor: TaskActor, mail: OutgoingMail, to: Recipient): Promise<number> {
  const { subject, reply_to, kind } = mail;
  const customerId = to.customer?.id ?? null;
  const link = kind === 'marketing' && customerId !== null ? await makeUnsubscribeLink(ctx, customerId) : null;
  const words = unsubscribeWords(ctx.settings);
  const { text, html } = link === null ? mail : withLink(mail, { url: link.url, words });
  const shown = link === null ? mail : withLink(mail, { url: link.base + HIDDEN, words });
  const id = await insertLetter(ctx, {
    ...{ template: 'task', to, subject, text, html: html ?? '' },
    about: customerId === null ? null : { resource_type: 'customer', resource_id: customerId, customer_id: customerId },
    written: { replyTo: reply_to, unsubscribeUrl: link?.url ?? null, taskId: actor.taskId, runId: actor.runId },
  });
  ctx.audit({
    resource: { type: 'mail', id },
    customerId,
    changes: { status: [null, 'queued'] },
    shown: {
      to: [null, to.email],
      subject: [null, subject],
      text: [null, cut(shown.text)],
      html: [null, cut(shown.html)],
      reply_to: [null, reply_to],
      kind: [null, kind],
    },
    summary: `Mail ${id} queued`,
  });
  return id;
}

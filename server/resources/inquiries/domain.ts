import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { InquiryDetail } from '../../../contract/inquiries.ts';
import { fold } from '../../../contract/values.ts';
import { wordsIn } from '../../values/words.ts';
import { changedPage } from '../../verbs/change-pages.ts';
import { changesBetween } from '../../verbs/changes.ts';
import type { Ctx } from '../../verbs/context.ts';
import { sortedPage, TIMES } from '../../verbs/list-pages.ts';
import { oncePerRead } from '../../verbs/once-per-read.ts';
import { Refusal, refuseValue } from '../../verbs/problem.ts';
import { getRecord, lockRecord } from '../../verbs/record-verbs.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { findCustomer, hasCustomer } from '../customers/domain.ts';
import { answerMailStatus, queueMail } from '../mail/domain.ts';
import { adminsToMail } from '../preferences/domain.ts';
import * as store from './store.ts';
import { inquiries } from './store.ts';

const answerMail = oncePerRead(answerMailStatus);

export const recordVersions = {
  inquiry: {
    version: inquiries.version,
    derived: async (ctx, { id }, answers) => (await answerMail.ofEtag(ctx, Number(id), answers)) ?? undefined,
  },
} satisfies RecordVersions;

export function listInquiries(ctx: Ctx, query: InputOf<Endpoints['inquiries.list']>['query']) {
  const words = wordsIn(query.q);
  const filter = { words, searchFolded: fold(query.search ?? ''), answered: query.answered, updatedSince: query.updated_since };
  if (query.after !== undefined) return changedPage(ctx, { ...query, after: query.after }, store.inquiryChanges(ctx, filter));
  return sortedPage(query, query.sort, TIMES, store.filteredInquiries(ctx, filter));
}

export async function getInquiry(ctx: Ctx, id: number): Promise<InquiryDetail> {
  return { ...(await getRecord(ctx, inquiries, id)), answer_mail: await answerMail.ofAnswer(ctx, id) };
}

/**
 * Stores an inquiry and queues a mail to each admin who may see inquiries and has asked for such mails
 * (spec IQ1, PR1).
 */
export async function createInquiry(ctx: Ctx, body: InputOf<Endpoints['inquiries.create']>['body']): Promise<InquiryDetail> {
  const { customer_id, name, email, subject, body: text, ...rest } = body;
  rest satisfies Record<string, never>;
  const customerId = customer_id === undefined ? await findCustomer(ctx, email) : await knownCustomer(ctx, customer_id);
  const inquiry = await inquiries.insert(ctx.db, {
    ...{ name, email, subject, body: text },
    customer_id: customerId,
    answer: null,
    answered_at: null,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  for (const to of await adminsToMail(ctx, 'inquiry_received'))
    await queueMail(ctx, { template: 'inquiry_received', to, data: { inquiry } });
  ctx.audit({
    resource: { type: 'inquiry', id: inquiry.id },
    changes: {
      customer_id: [null, customerId],
      name: [null, inquiry.name],
      email: [null, inquiry.email],
      subject: [null, inquiry.subject],
      body: [null, inquiry.body],
    },
    summary: `Inquiry ${inquiry.id} from ${inquiry.email}`,
  });
  ctx.emit({ type: 'inquiry.received', data: { inquiry_id: inquiry.id, customer_id: customerId } });
  return { ...inquiry, answer_mail: null };
}

export async function updateInquiry(ctx: Ctx, id: number, body: InputOf<Endpoints['inquiries.update']>['body']): Promise<InquiryDetail> {
  const before = await lockRecord(ctx, inquiries, id);
  if (body.customer_id !== undefined) await knownCustomer(ctx, body.customer_id);
  const { name = before.name, subject = before.subject, customer_id = before.customer_id, email, body: text, ...rest } = body;
  rest satisfies Record<string, never>;
  const wanted = { name, subject, customer_id, email: email ?? before.email, body: text ?? before.body };
  const changes = changesBetween(before, wanted);
  const isChanged = Object.keys(changes).length > 0;
  const after = { ...before, ...wanted, updated_at: isChanged ? ctx.now : before.updated_at };
  if (isChanged) await inquiries.update(ctx.db, before, after);
  ctx.audit({ resource: { type: 'inquiry', id }, changes, summary: `Inquiry ${id}: ${Object.keys(changes).join(', ') || 'no change'}` });
  return { ...after, answer_mail: await answerMailStatus(ctx, id) };
}

export async function deleteInquiry(ctx: Ctx, id: number): Promise<undefined> {
  const before = await lockRecord(ctx, inquiries, id);
  await inquiries.remove(ctx.db, id);
  const { name, email, subject, body } = before;
  ctx.audit({
    resource: { type: 'inquiry', id },
    changes: { name: [name, null], email: [email, null], subject: [subject, null], body: [body, null] },
    summary: `Inquiry ${id} deleted`,
  });
}

/** Answers an inquiry by mail. It can be answered only once, because a second mail could contradict the first. */
export async function answerInquiry(ctx: Ctx, id: number, answer: string): Promise<InquiryDetail> {
  const before = await lockRecord(ctx, inquiries, id);
  if (before.answered_at !== null) throw new Refusal('already_answered', `Inquiry ${id} was answered at ${before.answered_at}.`);
  const inquiry = { ...before, answer, answered_at: ctx.now, updated_at: ctx.now };
  await inquiries.update(ctx.db, before, inquiry);
  await queueMail(ctx, { template: 'inquiry_answer', to: before, data: { inquiry: before, answer } });
  ctx.audit({
    resource: { type: 'inquiry', id },
    changes: { answered_at: [null, ctx.now], answer: [null, answer] },
    summary: `Inquiry ${id} answered`,
  });
  return { ...inquiry, answer_mail: await answerMailStatus(ctx, id) };
}

async function knownCustomer(ctx: Ctx, id: number | null): Promise<number | null> {
  if (id === null) return null;
  if (!(await hasCustomer(ctx, id))) throw refuseValue('customer_not_found', '/customer_id', `there is no customer ${id}`);
  return id;
}

/**
 * Blanks the texts of a customer's inquiries; the rows stay, so that it is known when inquiries came and were answered.
 * Returns their ids.
 */
export function forgetInquiries(ctx: Ctx, sender: { customerId: number; email: string }): Promise<number[]> {
  return store.blankInquiries(ctx.db, sender, ctx.now);
}

export function hasInquiries(ctx: Ctx, customerId: number): Promise<boolean> {
  return store.hasInquiries(ctx.db, customerId);
}

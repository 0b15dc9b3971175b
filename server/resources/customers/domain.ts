import type { CustomerAddress, CustomerDetail } from '../../../contract/customers.ts';
import { emailKey } from '../../../contract/emails.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { IDS_MAX } from '../../../contract/orders.ts';
import { fold } from '../../../contract/values.ts';
import type { SortColumn } from '../../db/queries/keyset.ts';
import { rowVersion } from '../../db/queries/row-version.ts';
import { instantsOf } from '../../values/dates.ts';
import { foldEmail, ownEmailKey } from '../../values/stored-emails.ts';
import { digitsOf, sortKey } from '../../values/texts.ts';
import { soughtIn } from '../../values/words.ts';
import { changedPage } from '../../verbs/change-pages.ts';
import { changesBetween, given, noteChanged } from '../../verbs/changes.ts';
import type { Ctx } from '../../verbs/context.ts';
import { pageForm, readingOf, refuseTooMany, TIMES } from '../../verbs/list-pages.ts';
import { oncePerRead } from '../../verbs/once-per-read.ts';
import { notFound, type Refusal, refuseValue } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { holdDiscountGroup } from '../discount-groups/domain.ts';
import { queueMail } from '../mail/domain.ts';
import * as store from './store.ts';

const customerVersion = rowVersion('customers');
/** The figures that depend on orders and on the time. */
const figures = oncePerRead(({ db, now }, id) => store.selectFigures(db, id, now));

export const recordVersions = {
  customer: {
    version: customerVersion,
    derived: (ctx, { id }, answers) => figures.ofEtag(ctx, Number(id), answers),
  },
} satisfies RecordVersions;

const sortColumns: Record<string, SortColumn> = {
  name: { name: 'name_folded', type: 'text' },
  email: { name: 'email_folded', type: 'text' },
  ...TIMES,
};

export async function listCustomers(ctx: Ctx, query: InputOf<Endpoints['customers.list']>['query']) {
  const filter = filterOf(ctx, query);
  if (query.after !== undefined) return changedPage(ctx, { ...query, after: query.after }, store.customerChanges(ctx, filter));
  const reading = readingOf(query, query.sort, sortColumns);
  const total = await store.countCustomers(ctx, filter);
  const keys = total === 0 ? [] : await store.selectCustomerKeys(ctx, filter, reading, total);
  const rows = await store.selectCustomerRows(
    ctx.db,
    keys.map(({ id }) => id),
  );
  return pageForm(reading, total, keys, rows);
}

type ListFilters = InputOf<Endpoints['customers.list_ids']>['query'];

/** The ids of all customers that match, to start something on them. */
export async function listCustomerIds(ctx: Ctx, query: ListFilters) {
  const ids = await matchingIds(ctx, query, IDS_MAX);
  return { ids, total: ids.length };
}

/** The ids of all customers that match, in the order of the list; refuses if there are more than `most`. */
export async function matchingIds(at: InShop, query: ListFilters, most: number): Promise<number[]> {
  const filter = filterOf(at, query);
  const total = await store.countCustomers(at, filter);
  refuseTooMany('customers', total, most);
  const reading = readingOf({ per_page: most }, query.sort, sortColumns);
  const keys = total === 0 ? [] : await store.selectCustomerKeys(at, filter, reading, total);
  return keys.map(({ id }) => id);
}

type InShop = Pick<Ctx, 'db' | 'dialect' | 'settings'>;

function filterOf({ settings }: Pick<Ctx, 'settings'>, query: Omit<ListFilters, 'sort'>) {
  const created = instantsOf({ from: query.created_from, to: query.created_to, timeZone: settings.timezone });
  return {
    searchFolded: fold(query.search ?? ''),
    sought: soughtIn(query.q ?? ''),
    registered: query.registered,
    createdFrom: created.from,
    createdBefore: created.before,
    updatedSince: query.updated_since,
  };
}

export async function getCustomer(ctx: Ctx, id: number): Promise<CustomerDetail> {
  const customer = await store.selectCustomer(ctx.db, id);
  if (!customer) throw notFound('customer', id);
  const addresses = await store.selectAddresses(ctx.db, id);
  return { ...customer, ...(await figures.ofAnswer(ctx, id)), addresses };
}

export function listAddresses(ctx: Ctx, id: number): Promise<CustomerAddress[]> {
  return store.selectAddresses(ctx.db, id);
}

export async function addCustomer(ctx: Ctx, body: InputOf<Endpoints['customers.create']>['body']): Promise<CustomerDetail> {
  const { name, email, phone, registered, ...rest } = body;
  rest satisfies Record<string, never>;
  const made = await insertCustomer(ctx, { name, email, phone, registered });
  if (!made) throw refuseTaken(email);
  return getCustomer(ctx, made.id);
}

/** Changes a customer. Orders keep the name and addresses with which they were placed. */
export async function updateCustomer(ctx: Ctx, id: number, body: InputOf<Endpoints['customers.update']>['body']): Promise<CustomerDetail> {
  await lockUnraised(ctx, id);
  const before = await getCustomer(ctx, id);
  const wanted = given(body);
  const isMoving = wanted.email !== undefined && emailKey(wanted.email) !== emailKey(before.email);
  if (isMoving && (await store.selectByEmail(ctx.db, wanted.email ?? ''))) throw refuseTaken(wanted.email ?? '');
  const changes = changesBetween(before, wanted);
  if (Object.keys(changes).length > 0) {
    await lockCustomer(ctx, id);
    await store.updateCustomer(ctx.db, before, wanted);
  }
  noteChanged(ctx, 'customer', id, changes);
  return getCustomer(ctx, id);
}

function refuseTaken(email: string): Refusal {
  return refuseValue('duplicate', '/email', `there is already a customer with the email ${email}`);
}

/** Changes the B2B flag and the discount group. A group without the flag is stored and counts once the flag is set (spec CU8). */
export async function updateB2b(ctx: Ctx, id: number, body: InputOf<Endpoints['customers.update_b2b']>['body']): Promise<undefined> {
  const before = await store.lockB2b(ctx, id);
  if (!before) throw notFound('customer', id);
  const { is_b2b, discount_group_id: groupId = null, ...rest } = body;
  rest satisfies Record<string, never>;
  const wanted = { is_b2b, discount_group_id: groupId };
  if (groupId !== null && !(await holdDiscountGroup(ctx, groupId))) {
    throw refuseValue('discount_group_not_found', '/discount_group_id', `there is no discount group ${groupId}`);
  }
  const changes = changesBetween(before, wanted);
  if (Object.keys(changes).length > 0) await store.updateB2b(ctx.db, id, wanted, ctx.now);
  noteChanged(ctx, 'customer', id, changes);
}

/** The lock of a write that may turn out to change nothing; once it does change something, it calls `lockCustomer`. */
export async function lockUnraised(ctx: Ctx, id: number): Promise<void> {
  if (!(await store.lockCustomer(ctx.db, id))) throw notFound('customer', id);
}

/** Every write to a part of a customer begins with this lock; it also raises the customer's version. */
export async function lockCustomer(ctx: Ctx, id: number): Promise<void> {
  if (!(await store.touchCustomer(ctx.db, id, ctx.now))) throw notFound('customer', id);
}

/** Locks a customer whose personal data are to be deleted. */
export async function lockPerson(ctx: Ctx, id: number): Promise<{ email: string; anonymisedAt: string | null }> {
  await lockCustomer(ctx, id);
  const customer = await store.selectCustomer(ctx.db, id);
  if (!customer) throw notFound('customer', id);
  return { email: customer.email, anonymisedAt: customer.anonymised_at };
}

/** Blanks the personal data of a customer whom other records refer to. */
export async function anonymise(ctx: Ctx, person: { id: number; email: string }): Promise<void> {
  await store.blankCustomer(ctx.db, person, ctx.now);
}

export async function removeCustomer(ctx: Ctx, person: { id: number; email: string }): Promise<void> {
  await store.deleteCustomer(ctx.db, person);
}

/** Whether the customer exists; locks the row, so that the customer stays until the transaction ends. */
export function holdCustomer(ctx: Ctx, id: number): Promise<boolean> {
  return store.holdCustomer(ctx.db, id);
}

export async function hasCustomer(ctx: Ctx, id: number): Promise<boolean> {
  return (await customerVersion(ctx.db, { id })) !== null;
}

/** Finds the customers with these emails, by `emailKey`, and locks them: none is forgotten before the transaction ends. */
export async function holdCorrespondents(ctx: Ctx, emails: readonly string[]): Promise<ReadonlyMap<string, store.Correspondent>> {
  const found = await store.holdByEmails(ctx, emails);
  return new Map(found.map((customer) => [emailKey(customer.email), customer]));
}

/** Notes that the customer wants no more marketing mails; undefined if there is no such customer. Nothing changes the second time. */
export async function optOut(ctx: Ctx, id: number): Promise<void> {
  await lockUnraised(ctx, id);
  const customer = await getCustomer(ctx, id);
  const { marketing_opt_out: before } = customer;
  if (!before) {
    await lockCustomer(ctx, id);
    await store.updateCustomer(ctx.db, customer, { marketing_opt_out: true });
  }
  noteChanged(ctx, 'customer', id, changesBetween({ marketing_opt_out: before }, { marketing_opt_out: true }));
}

export type Buyer = { name: string; email: string; phone: string };

/** The id of the customer with this email, compared as spec G22 says; null if there is none (spec PH1). */
export async function findCustomer(ctx: Ctx, email: string): Promise<number | null> {
  const found = email.trim() === '' ? undefined : await store.selectByEmail(ctx.db, email);
  return found?.id ?? null;
}

/**
 * The id of the customer who orders: found by email, else created; null without an email. `register` turns a guest into a
 * registered customer.
 */
export async function customerFor(ctx: Ctx, buyer: Buyer, register: boolean): Promise<number | null> {
  if (buyer.email.trim() === '') return null;
  const known = (await store.holdByEmail(ctx, buyer.email)) ?? (await createCustomer(ctx, buyer));
  if (register && !known.registered) await registerCustomer(ctx, known);
  return known.id;
}

async function createCustomer(ctx: Ctx, { name, email, phone }: Buyer): Promise<store.KnownCustomer> {
  const made = await insertCustomer(ctx, { name, email, phone: phone === '' ? null : phone, registered: false });
  const customer = made ?? (await store.selectByEmail(ctx.db, email));
  if (!customer) throw new Error('a customer was neither made nor found');
  return customer;
}

type NewCustomer = { name: string; email: string; phone: string | null; registered: boolean };

/** Inserts a customer; returns undefined if the email is taken. */
async function insertCustomer(ctx: Ctx, shown: NewCustomer): Promise<store.KnownCustomer | undefined> {
  const { name, email } = shown;
  const made = await store.insertCustomer(ctx.db, {
    ...shown,
    registered: shown.registered ? 1 : 0,
    name_folded: sortKey(name),
    email_folded: foldEmail(email),
    email_key: ownEmailKey(email),
    phone_digits: digitsOf(shown.phone),
    is_b2b: 0,
    discount_group_id: null,
    register_ip: '',
    last_login_ip: '',
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  if (!made) return undefined;
  ctx.audit({
    resource: { type: 'customer', id: made.id },
    changes: Object.fromEntries(Object.entries(shown).map(([field, value]) => [field, [null, value]])),
    summary: `Customer ${made.id} created`,
  });
  ctx.emit({ type: 'customer.created', data: { customer_id: made.id } });
  return made;
}

async function registerCustomer(ctx: Ctx, { id, name, email }: store.KnownCustomer): Promise<void> {
  if (!(await store.markRegistered(ctx.db, id, ctx.now))) return;
  await queueMail(ctx, { template: 'set_password', to: { name, email }, data: { customer_id: id } });
  ctx.audit({
    resource: { type: 'customer', id },
    changes: { registered: [false, true] },
    summary: `Customer ${id}: registered; a mail to set a password is queued`,
  });
}

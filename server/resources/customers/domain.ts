import type { CustomerDetail, customersList } from '../../../contract/customers.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import { fold } from '../../../contract/values.ts';
import type { Ctx } from '../../context.ts';
import { instantsOf } from '../../dates.ts';
import type { SortColumn } from '../../db/keyset.ts';
import { pageForm, readingOf } from '../../pages.ts';
import { notFound } from '../../problem.ts';
import type { RecordVersions } from '../../record-versions.ts';
import * as store from './store.ts';

export const recordVersions: RecordVersions = {
  customer: (db, { id }) => store.selectCustomerVersion(db, Number(id)),
};

const sortColumns: Record<string, SortColumn> = {
  name: { name: 'name_folded', type: 'text' },
  email: { name: 'email_folded', type: 'text' },
  created_at: { name: 'created_at', type: 'text' },
};

export async function listCustomers(ctx: Ctx, query: InputOf<typeof customersList>['query']) {
  const created = instantsOf({ from: query.created_from, to: query.created_to, timeZone: ctx.settings.timezone });
  const filter = {
    searchFolded: fold(query.search ?? ''),
    registered: query.registered,
    createdFrom: created.from,
    createdBefore: created.before,
  };
  const reading = readingOf(query, query.sort, sortColumns);
  const keys = await store.selectCustomerKeys(ctx, filter, reading);
  const total = await store.countCustomers(ctx, filter);
  const rows = await store.selectCustomerRows(
    ctx.db,
    keys.map(({ id }) => id),
  );
  return pageForm(reading, total, keys, rows);
}

export async function getCustomer(ctx: Ctx, id: number): Promise<CustomerDetail> {
  const customer = await store.selectCustomer(ctx.db, id);
  if (!customer) throw notFound('customer', id);
  const addresses = await store.selectAddresses(ctx.db, id);
  const figures = await store.selectOrderFigures(ctx.db, id);
  const credits = await store.sumLiveCredits(ctx.db, id, ctx.now);
  return { ...customer, ...figures, addresses, credits };
}

/** First in every write below a customer: others wait, and the customer counts as changed. */
export async function lockCustomer(ctx: Ctx, id: number): Promise<void> {
  if (!(await store.touchCustomer(ctx.db, id, ctx.now))) throw notFound('customer', id);
}

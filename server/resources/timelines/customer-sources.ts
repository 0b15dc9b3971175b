import type { Row } from '../../db/tables.ts';
import { type By, byAdmin, type Found, made } from './entries.ts';
import { within } from './merge.ts';
import { ofMail } from './order-sources.ts';
import type { Source } from './sources.ts';
import * as store from './store.ts';

/** What a customer has been given and has done, each part as it is now. */
export const customerSources: readonly Source[] = [
  { name: 'comment', kind: 'comment', read: async ({ db }, id, window) => (await store.notesOf(db, id, window)).map(ofNote) },
  { name: 'file', kind: 'file', read: async ({ db }, id, window) => (await store.filesOf(db, id, window)).map(ofFile) },
  { name: 'credit', kind: 'credit', read: async ({ db }, id, window) => (await store.creditsOf(db, id, window)).map(ofCredit) },
  { name: 'access', kind: 'access', read: async ({ db }, id, window) => (await store.accessOf(db, id, window)).map(ofAccess) },
  { name: 'mail', kind: 'mail', isOfLogs: true, read: async ({ db }, id, window) => (await store.mailsTo(db, id, window)).map(ofMail) },
  {
    name: 'order',
    kind: 'order',
    permission: 'admin_api.orders.read',
    read: async ({ db }, id, window) => (await store.ordersOf(db, id, window)).map(ofOrder),
  },
  {
    name: 'inquiry',
    kind: 'inquiry',
    permission: 'admin_api.inquiries.read',
    read: async ({ db }, id, window) => (await store.inquiriesOf(db, id, window)).map(ofInquiry),
  },
  {
    name: 'subscription',
    kind: 'subscription',
    permission: 'admin_api.subscriptions.read',
    read: async ({ db }, id, window) => (await store.subscriptionsOf(db, id, window)).map(ofSubscription),
  },
  {
    name: 'created',
    kind: 'change',
    read: async ({ db }, id, window) => {
      const at = await store.selectCreation(db, 'customers', id);
      const by = { type: 'log', resource: 'customer', id, action: 'customers.create', at } as const;
      return within([made({ kind: 'change', id, action: 'customers.create', at }, by)], window);
    },
  },
];

function ofNote({ id, author_id, author, body, edited_at, created_at, run_id }: Row<'customer_notes'>): Found {
  const comment = { author_id, body, edited_at };
  const by: By = author_id === null ? { type: 'named', name: author } : { type: 'admin', id: author_id, runId: run_id };
  return made({ kind: 'comment', id, action: 'customers.create_note', at: created_at, comment }, by);
}

function ofFile({ id, created_at: at, name, size_bytes, note }: Row<'customer_files'>): Found {
  const action = 'customers.upload_file';
  return made(
    { kind: 'file', id, action, at, note, file: { name, size_bytes } },
    { type: 'log', resource: 'customer_file', id, action, at },
  );
}

function ofCredit({ id, created_at: at, created_by, kind, delta_credits, note }: Row<'credit_transactions'>): Found {
  const admin = /^admin:(\d+)$/.exec(created_by)?.[1];
  const by: By = admin === undefined ? { type: 'system' } : { type: 'admin', id: Number(admin) };
  return made({ kind: 'credit', id, action: 'customers.adjust_credits', at, note, credit: { kind, delta: delta_credits } }, by);
}

type AccessRow = Awaited<ReturnType<typeof store.accessOf>>[number];

/** Access that comes from an order or a subscription begins with it. */
function ofAccess(row: AccessRow): Found {
  const { id, group_id, group_name, order_id, subscription_id, expires_at, withheld, grant, starts_at } = row;
  const access = { group_id, group_name, order_id, subscription_id, expires_at, withheld };
  const by: By | null = grant ? byAdmin(grant.granted_by) : { type: 'system' };
  const action = grant ? 'access_groups.create_grant' : 'access';
  return made({ kind: 'access', id, action, at: grant?.created_at ?? starts_at, note: grant?.note ?? null, access }, by);
}

type OrderRow = Awaited<ReturnType<typeof store.ordersOf>>[number];

function ofOrder({ id, created_at: at, public_id, status, total, currency }: OrderRow): Found {
  return made({ kind: 'order', id, action: 'orders.create', at, order: { public_id, status, total, currency } }, null);
}

type InquiryRow = Awaited<ReturnType<typeof store.inquiriesOf>>[number];

function ofInquiry({ id, created_at: at, subject, answered_at }: InquiryRow): Found {
  return made({ kind: 'inquiry', id, action: 'inquiries.create', at, inquiry: { subject, answered_at } }, { type: 'customer' });
}

type SubscriptionRow = Awaited<ReturnType<typeof store.subscriptionsOf>>[number];

function ofSubscription({ id, created_at: at, product_name, status }: SubscriptionRow): Found {
  return made({ kind: 'subscription', id, action: 'subscriptions.create', at, subscription: { product_name, status } }, null);
}

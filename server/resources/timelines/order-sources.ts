import { eventTypes } from '../../../contract/preferences.ts';
import type { Row } from '../../db/tables.ts';
import { byAdmin, type Found, made } from './entries.ts';
import { within } from './merge.ts';
import type { Source } from './sources.ts';
import * as store from './store.ts';

const TO_ADMINS = Object.keys(eventTypes);

/** What an order has been given, each part as it is now. */
export const orderSources: readonly Source[] = [
  { name: 'comment', kind: 'comment', read: async ({ db }, id, window) => (await store.commentsOf(db, id, window)).map(ofComment) },
  { name: 'edit', kind: 'change', read: async ({ db }, id, window) => (await store.editsOf(db, id, window)).map(ofEdit) },
  { name: 'payment', kind: 'payment', read: async ({ db }, id, window) => (await store.paymentsOf(db, id, window)).map(ofPayment) },
  {
    name: 'provider',
    kind: 'payment',
    read: async ({ db }, id, window) => within((await store.providerPaymentsOf(db, id)).flatMap(ofProvider), window),
  },
  { name: 'shipment', kind: 'shipment', read: async ({ db }, id, window) => (await store.shipmentsOf(db, id, window)).map(ofShipment) },
  {
    name: 'mail',
    kind: 'mail',
    isOfLogs: true,
    read: async ({ db }, id, window) => (await store.mailsOf(db, id, TO_ADMINS, window)).map(ofMail),
  },
  {
    name: 'created',
    kind: 'change',
    read: async ({ db }, id, window) => {
      const at = await store.selectCreation(db, 'orders', id);
      const by = { type: 'log', resource: 'order', id, action: 'orders.create', at } as const;
      return within([made({ kind: 'change', id, action: 'orders.create', at }, by)], window);
    },
  },
];

function ofComment({ id, author_id, body, edited_at, created_at, run_id }: Row<'order_comments'>): Found {
  const comment = { author_id, body, edited_at };
  return made({ kind: 'comment', id, action: 'orders.create_comment', at: created_at, comment }, byAdmin(author_id, run_id));
}

function ofEdit(row: Row<'order_edits'>): Found {
  const { id, order_id, edited_at: at, summary } = row;
  const edit = {
    summary,
    total_before: row.total_before_cents,
    total_after: row.total_after_cents,
    customer_notified: row.customer_notified === 1,
    stock_override_used: row.stock_override_used === 1,
  };
  const by = {
    type: 'log',
    resource: 'order',
    id: order_id,
    action: 'orders.edit',
    at,
    known: byAdmin(row.edited_by_shop_owner_id),
  } as const;
  return made({ kind: 'change', id, action: 'orders.edit', at, note: row.payment_adjustment_note || null, edit }, by);
}

function ofPayment({ id, created_at: at, label, amount_cents, paid, paid_at, note }: Row<'payments'>): Found {
  const payment = { label, amount: amount_cents, paid: paid === 1, paid_at };
  const action = 'orders.create_payment';
  return made({ kind: 'payment', id, action, at, note, payment }, { type: 'log', resource: 'payment', id, action, at });
}

/** A payment by a provider, and its refund; `id` alone would not tell one from the other. */
function ofProvider(row: Row<'provider_payments'>): Found[] {
  const { id, provider, external_id, state, amount_cents, refunded_cents, told_at, refund_told_at } = row;
  const by = { type: 'provider', name: provider } as const;
  const paid = { kind: 'payment', id, action: 'provider.payment', at: told_at } as const;
  const refunded = { kind: 'payment', id, action: 'provider.refund' } as const;
  return [
    made({ ...paid, provider_payment: { state, amount: amount_cents, external_id } }, by, 2 * id),
    ...(refund_told_at === null || refunded_cents === 0
      ? []
      : [
          made(
            { ...refunded, at: refund_told_at, provider_payment: { state: 'refunded', amount: refunded_cents, external_id } },
            by,
            2 * id + 1,
          ),
        ]),
  ];
}

type ShipmentRow = Awaited<ReturnType<typeof store.shipmentsOf>>[number];

function ofShipment({ id, created_at: at, status, provider, courier_name, tracking_number }: ShipmentRow): Found {
  const shipment = { status: status === 'purchasing' ? 'rates_fetched' : status, courier_name, tracking_number };
  const action = provider === 'locker' ? 'orders.create_locker_shipment' : 'orders.create_shipment';
  return made({ kind: 'shipment', id, action, at, shipment }, { type: 'log', resource: 'shipment', id, action, at });
}

type MailRow = Awaited<ReturnType<typeof store.mailsOf>>[number];

export function ofMail({ id, created_at: at, run_id, template, subject, to_address, status, ended_at }: MailRow): Found {
  const mail = { template, subject, to_address, status, ended_at };
  const by = run_id === null ? ({ type: 'system' } as const) : ({ type: 'admin', id: null, runId: run_id } as const);
  return made({ kind: 'mail', id, action: 'mails.send', at, mail }, by);
}

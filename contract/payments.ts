import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { NoteText } from './people.ts';
import { Cents, Id, Name, Timestamp } from './values.ts';

export const Payment = z
  .object({
    id: Id,
    order_id: Id,
    label: z.string(),
    amount_cents: Cents,
    paid: z.boolean(),
    paid_at: Timestamp.nullable(),
    note: z.string().nullable(),
    sort_order: z.int(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Payment' });
export type Payment = z.infer<typeof Payment>;

/** Largest number of payment records that one reorder request takes. */
export const PAYMENTS_MAX = 1000;

export const paymentsEndpoints = endpointsOf(
  {
    id: 'orders.list_payments',
    method: 'GET',
    path: '/orders/{order_id}/payments',
    summary: 'List the partial payments of an order by sort order; empty for orders that are not paid manually',
    permission: 'admin_api.orders.read',
    record: 'order',
    response: z.array(Payment),
  },
  {
    id: 'orders.create_payment',
    method: 'POST',
    path: '/orders/{order_id}/payments',
    undo: 'restore',
    summary: 'Add a partial payment; the payment status is recomputed',
    permission: 'admin_api.orders.write',
    record: 'order',
    body: z.object({
      label: Name,
      amount_cents: z.int().min(1),
      paid: z.boolean().default(false),
      note: NoteText.nullable().optional(),
      /** Omitted: after the last one. */
      sort_order: z.int().optional(),
    }),
    status: 201,
    response: Payment,
    refusals: ['not_manual_payment'],
  },
  {
    id: 'orders.reorder_payments',
    method: 'POST',
    path: '/orders/{order_id}/payments/reorder',
    undo: 'restore',
    summary: 'Set the sort order of all partial payments',
    permission: 'admin_api.orders.write',
    record: 'order',
    body: z.object({ items: z.array(z.object({ id: Id, sort_order: z.int() })).max(PAYMENTS_MAX) }),
    status: 204,
    refusals: ['list_mismatch'],
  },
  {
    id: 'orders.update_payment',
    method: 'PATCH',
    path: '/orders/{order_id}/payments/{id}',
    undo: 'restore',
    summary: 'Change a partial payment; the payment status is recomputed',
    permission: 'admin_api.orders.write',
    record: 'payment',
    body: z.object({
      label: Name.optional(),
      amount_cents: z.int().min(1).optional(),
      paid: z.boolean().optional(),
      note: NoteText.nullable().optional(),
      sort_order: z.int().optional(),
    }),
    response: Payment,
  },
  {
    id: 'orders.delete_payment',
    method: 'DELETE',
    path: '/orders/{order_id}/payments/{id}',
    undo: 'restore',
    summary: 'Remove a partial payment; the payment status is recomputed',
    permission: 'admin_api.orders.write',
    record: 'payment',
    status: 204,
  },
);

import { z } from 'zod';
import { OrderStatus } from './orders.ts';
import { Cents, Id } from './values.ts';

const order = { order_id: Id };
const ordered = { ...order, total: Cents, currency: z.string() };
const subscription = { subscription_id: Id, order_id: Id.nullable(), customer_id: Id.nullable(), product_id: Id };

/** What happens in the shop, and what is told of it, as webhooks carry it and tasks may be started by it (automation.md §10). */
export const events = {
  'order.created': { summary: 'An order was placed', data: z.object(ordered) },
  'order.paid': { summary: 'An order is paid', data: z.object(ordered) },
  'order.refunded': { summary: 'The payment of an order was given back', data: z.object(order) },
  'order.cancelled': { summary: 'An order was cancelled', data: z.object(order) },
  'order.status_changed': {
    summary: 'An order has another status',
    data: z.object({ ...order, status: OrderStatus, previous_status: OrderStatus }),
  },
  'order.edited': {
    summary: 'The goods, the buyer or the price of an order were changed',
    data: z.object({
      ...order,
      summary: z.string(),
      total: Cents,
      previous_total: Cents,
      added_product_ids: z.array(Id),
      removed_product_ids: z.array(Id),
    }),
  },
  'shipment.label_purchased': {
    summary: 'The label of a shipment was bought',
    data: z.object({ ...order, shipment_id: Id, courier_id: z.string(), cost_cents: Cents }),
  },
  'customer.created': { summary: 'A customer was added', data: z.object({ customer_id: Id }) },
  'stock.low': {
    summary: 'The stock of a product fell to its threshold',
    data: z.object({ product_id: Id, stock: z.int(), threshold: z.int() }),
  },
  'subscription.created': { summary: 'A subscription began', data: z.object(subscription) },
  'subscription.canceled': { summary: 'A subscription ended', data: z.object(subscription) },
  'inquiry.received': {
    summary: 'Somebody asks something',
    data: z.object({ inquiry_id: Id, customer_id: Id.nullable() }),
  },
  'file.uploaded': {
    summary: 'A file that customers may download was uploaded',
    data: z.object({ file_id: Id, original_filename: z.string(), file_size: z.int() }),
  },
  'task.run_failed': {
    summary: 'A run of a task failed',
    data: z.object({ task_id: Id, run_id: Id, status: z.string(), end_reason: z.string().nullable() }),
  },
} as const satisfies Record<string, { summary: string; data: z.ZodObject }>;

export type EventType = keyof typeof events;
/** An event with what is told of it. */
export type DomainEvent = { [Type in EventType]: { type: Type; data: z.input<(typeof events)[Type]['data']> } }[EventType];

export const eventTypes = Object.keys(events).filter((name): name is EventType => name in events);

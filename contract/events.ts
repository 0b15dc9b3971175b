import { z } from 'zod';
import { OrderStatus } from './orders.ts';
import { trialReasons } from './trials.ts';
import { Cents, Id, Timestamp } from './values.ts';

const order = { order_id: Id };
const ordered = { ...order, total: Cents, currency: z.string() };
const subscription = { subscription_id: Id, order_id: Id.nullable(), customer_id: Id.nullable(), product_id: Id };

const ended = { task_id: Id, run_id: Id, status: z.string(), end_reason: z.string().nullable() };

/** The events of the shop and their data, as webhooks carry them and as triggers match them (spec WH2, TG1). */
export const events = {
  'order.created': { summary: 'An order was created', data: z.object(ordered) },
  'order.paid': { summary: 'An order is paid', data: z.object(ordered) },
  'order.refunded': { summary: 'The payment of an order was refunded', data: z.object(order) },
  'order.cancelled': { summary: 'An order was cancelled', data: z.object(order) },
  'order.status_changed': {
    summary: 'The status of an order changed',
    data: z.object({ ...order, status: OrderStatus, previous_status: OrderStatus }),
  },
  'order.edited': {
    summary: 'The items, the customer data or the price of an order were changed',
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
    summary: 'A customer or visitor sent an inquiry',
    data: z.object({ inquiry_id: Id, customer_id: Id.nullable() }),
  },
  'file.uploaded': {
    summary: 'A digital file was uploaded',
    data: z.object({ file_id: Id, original_filename: z.string(), file_size: z.int() }),
  },
  'task.run_failed': { summary: 'A run of a task ended without success, and cannot be resumed', data: z.object(ended) },
  'task.run_interrupted': { summary: 'A run of a task was interrupted', data: z.object(ended) },
  'task.run_stuck': {
    summary: 'A run of a task has given no sign of progress for the `stuck_minutes` of its task; it goes on',
    data: z.object({ task_id: Id, run_id: Id, quiet_since: Timestamp }),
  },
  'task.run_succeeded': { summary: 'A run of a task succeeded', data: z.object(ended) },
  'task.paused': {
    summary: 'The new version of a task did worse than the one before it, so the task opens no run until somebody decides',
    data: z.object({ task_id: Id, version_id: Id, run_id: Id, reason: z.enum(trialReasons) }),
  },
  'task.missed': {
    summary: 'A schedule, trigger, hook or error handler opened no run when it should have',
    data: z.object({
      task_id: Id,
      schedule_id: Id.nullable(),
      trigger_id: Id.nullable(),
      hook_id: Id.nullable(),
      due_at: Timestamp.nullable(),
      reason: z.string(),
    }),
  },
} as const satisfies Record<string, { summary: string; data: z.ZodObject }>;

export type EventType = keyof typeof events;
/** An event and its data. */
export type DomainEvent = { [Type in EventType]: { type: Type; data: z.input<(typeof events)[Type]['data']> } }[EventType];

export const eventTypes = Object.keys(events).filter((name): name is EventType => name in events);

/** What stands before the point of a type of event. */
type Area = EventType extends infer Type ? (Type extends `${infer First}.${string}` ? First : never) : never;

/** The permission to read what the events of an area are about; null: every version may know of them. */
const readsOfAreas = {
  order: 'admin_api.orders.read',
  shipment: 'admin_api.orders.read',
  customer: 'admin_api.customers.read',
  stock: 'admin_api.products.read',
  subscription: 'admin_api.subscriptions.read',
  inquiry: 'admin_api.inquiries.read',
  file: 'admin_api.files.read',
  task: null,
} as const satisfies Record<Area, string | null>;

/** The permission that a version needs to wait for events of this type. */
export function readOfEvent(type: EventType): (typeof readsOfAreas)[Area] {
  const [area] = type.split('.');
  return Object.entries(readsOfAreas).find(([name]) => name === area)?.[1] ?? null;
}

export function isEventType(name: string): name is EventType {
  return Object.hasOwn(events, name);
}

import type { EventType } from '../../contract/events.ts';
import { translated, type Words } from '../language/translated.ts';

/** The events of the shop, as people call them. */
const english = {
  'order.created': 'An order was created',
  'order.paid': 'An order is paid',
  'order.refunded': 'The payment of an order was refunded',
  'order.cancelled': 'An order was cancelled',
  'order.status_changed': 'The status of an order changed',
  'order.edited': 'An order was edited',
  'shipment.label_purchased': 'A label was bought',
  'customer.created': 'A customer was added',
  'stock.low': 'The stock of a product is low',
  'subscription.created': 'A subscription began',
  'subscription.canceled': 'A subscription ended',
  'inquiry.received': 'An inquiry came in',
  'file.uploaded': 'A digital file was uploaded',
  'task.run_failed': 'A run of a task failed',
  'task.run_interrupted': 'A run of a task was interrupted',
  'task.run_stuck': 'A run of a task gives no sign of progress',
  'task.run_succeeded': 'A run of a task succeeded',
  'task.paused': 'A task was paused in the trial of its new version',
  'task.missed': 'A task did not start when it should have',
} satisfies Record<EventType, string>;

export type EventsText = Words<typeof english>;
export const eventNames = translated('events', english);

export const eventTypes = Object.keys(eventNames).filter(isEventType);

function isEventType(name: string): name is EventType {
  return Object.hasOwn(eventNames, name);
}

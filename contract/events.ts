/** What happens in the shop, as webhooks tell it and tasks may be started by it (automation.md §10). */
export const eventTypes = [
  'order.created',
  'order.paid',
  'order.refunded',
  'order.cancelled',
  'order.status_changed',
  'order.edited',
  'shipment.label_purchased',
  'customer.created',
  'stock.low',
  'subscription.created',
  'subscription.canceled',
  'inquiry.received',
  'file.uploaded',
  'task.run_failed',
] as const;
export type EventType = (typeof eventTypes)[number];

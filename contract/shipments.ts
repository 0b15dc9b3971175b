import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { Cents, Id, Name, Timestamp, text } from './values.ts';

export const shipmentStatuses = ['created', 'rates_fetched', 'label_purchased', 'in_transit', 'delivered', 'returned', 'failed'] as const;
export const ShipmentStatus = z.enum(shipmentStatuses).meta({ id: 'ShipmentStatus' });
export type ShipmentStatus = z.infer<typeof ShipmentStatus>;

/** Grammar of a locker network's name in the path; any other text is 404 (spec C11). */
export const LOCKER_NETWORK = /^[a-z0-9][a-z0-9_-]{0,31}$/;

export const TrackingEvent = z
  .object({ at: Timestamp, status: z.string(), description: z.string(), location: z.string() })
  .meta({ id: 'TrackingEvent' });
export type TrackingEvent = z.infer<typeof TrackingEvent>;

export const Shipment = z
  .object({
    id: Id,
    order_id: Id,
    status: ShipmentStatus,
    courier_id: z.string().nullable(),
    courier_name: z.string().nullable(),
    tracking_number: z.string().nullable(),
    label_url: z.string().nullable(),
    cost_cents: Cents.nullable(),
    created_at: Timestamp,
    tracking_events: z.array(TrackingEvent),
  })
  .meta({ id: 'Shipment' });
export type Shipment = z.infer<typeof Shipment>;

export const CourierOption = z
  .object({ courier_id: z.string(), courier_name: z.string(), cost: Cents, delivery_estimate: z.string() })
  .meta({ id: 'CourierOption' });
export type CourierOption = z.infer<typeof CourierOption>;

/** Present in a dry run, in which no courier is asked and the answer is a sample. */
const sampled = { dry_run: z.literal(true).exactOptional() };

export const shipmentsEndpoints = endpointsOf(
  {
    id: 'orders.list_shipments',
    method: 'GET',
    path: '/orders/{id}/shipments',
    summary: 'List the shipments of an order',
    permission: 'admin_api.orders.read',
    record: 'order',
    response: z.array(Shipment),
  },
  {
    id: 'orders.create_shipment',
    method: 'POST',
    path: '/orders/{id}/shipments',
    undo: {
      irreversible:
        'Couriers were asked for rates, and a label may have been bought since. Delete the shipment, which asks for the price of such a label back.',
    },
    summary: 'Create a shipment and ask the couriers for rates; no label is bought',
    permission: 'admin_api.orders.write',
    record: 'order',
    status: 201,
    response: z.object({ shipment: Shipment, courier_options: z.array(CourierOption), ...sampled }),
    refusals: ['order_cancelled', 'not_shippable', 'courier_unavailable'],
  },
  {
    id: 'orders.buy_label',
    method: 'POST',
    path: '/orders/{id}/shipments/{sid}/buy-label',
    undo: { irreversible: 'The courier has sold the label. Delete the shipment, which asks for its price back.' },
    summary: 'Buy the label of one of the courier options',
    permission: 'admin_api.orders.write',
    record: 'shipment',
    body: z.object({ courier_id: Name, courier_name: text() }),
    response: Shipment.extend(sampled),
    refusals: ['label_already_purchased', 'label_letters_missing', 'courier_not_offered', 'courier_unavailable'],
  },
  {
    id: 'orders.refresh_shipment',
    method: 'POST',
    path: '/orders/{id}/shipments/{sid}/refresh',
    undo: { irreversible: 'It stores what the courier said, which is so whatever the shop does.' },
    summary: 'Ask the courier for the present status and tracking events',
    permission: 'admin_api.orders.write',
    record: 'shipment',
    response: Shipment.extend(sampled),
    refusals: ['no_label', 'courier_unavailable'],
  },
  {
    id: 'orders.delete_shipment',
    method: 'DELETE',
    path: '/orders/{id}/shipments/{sid}',
    undo: 'restore',
    summary: 'Remove a shipment; the courier is asked to refund a bought label',
    permission: 'admin_api.orders.write',
    record: 'shipment',
    status: 204,
  },
  {
    id: 'orders.create_locker_shipment',
    method: 'POST',
    path: '/orders/{order_id}/shipments/{locker_network}',
    undo: 'restore',
    summary: 'Record the shipment of an order by a locker network',
    permission: 'admin_api.orders.write',
    record: 'locker_network',
    body: z.object({ provider_shipment_id: Name }),
    status: 201,
    response: z.object({ id: Id }),
    refusals: ['shipment_exists', 'blank'],
  },
);

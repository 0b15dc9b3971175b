import { sql } from 'kysely';
import { z } from 'zod';
import { Shipment, ShipmentStatus, TrackingEvent } from '../../../contract/shipments.ts';
import type { At, Db } from '../../db/open.ts';
import { idRows } from '../../db/queries/about.ts';
import { blanked } from '../../db/queries/personal-columns.ts';
import type { NewRow, Row } from '../../db/tables.ts';
import type { Offer, Parcel } from '../../providers/courier/courier.ts';
import type { StoredStatus } from './rules.ts';

/** A shipment as stored; the API never shows the status `purchasing` (spec SH4). */
export type StoredShipment = Omit<Row<'shipments'>, 'status' | 'parcel' | 'options' | 'tracking_events'> & {
  status: StoredStatus;
  parcel: Parcel | null;
  options: Offer[];
  tracking_events: TrackingEvent[];
};

const Status = z.enum([...ShipmentStatus.options, 'purchasing']);
const Events = z.array(TrackingEvent);
const Options = z.array(
  z.object({
    courier_id: z.string(),
    courier_name: z.string(),
    cost: z.int(),
    delivery_estimate: z.string(),
    rate_id: z.string().nullable(),
  }),
);
const ParcelAddress = z.object({
  name: z.string(),
  line1: z.string(),
  line2: z.string(),
  city: z.string(),
  state: z.string(),
  postal_code: z.string(),
  country: z.string(),
  phone: z.string(),
  email: z.string(),
});
const StoredParcel = z.object({
  from: ParcelAddress.nullable(),
  to: ParcelAddress,
  weight_grams: z.int(),
  currency: z.string(),
  currency_exponent: z.int(),
});

export async function selectShipments(db: Db, orderId: number): Promise<Shipment[]> {
  const rows = await db.selectFrom('shipments').selectAll().where('order_id', '=', orderId).orderBy('id').execute();
  return rows.map((row) => toWire(toStored(row)));
}

/** What the courier is asked to carry: the recipient, the lines with physical goods, and the order's status and currency. */
export async function selectConsignment(db: Db, orderId: number) {
  const order = await db
    .selectFrom('orders')
    .select([
      'status',
      'customer_name as name',
      'shipping_line1 as line1',
      'shipping_line2 as line2',
      'shipping_city as city',
      'shipping_state as state',
      'shipping_postal_code as postal_code',
      'shipping_country as country',
      'customer_phone as phone',
      'customer_email as email',
      'currency',
    ])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
  const lines = await db
    .selectFrom('order_items')
    .innerJoin('variants', 'variants.id', 'order_items.variant_id')
    .innerJoin('products', 'products.id', 'order_items.product_id')
    .select(['order_items.product_name', 'order_items.quantity', 'order_items.subtotal', 'variants.weight_grams'])
    .where('order_items.order_id', '=', orderId)
    .where('products.kind', '<>', 'digital')
    .orderBy('order_items.position')
    .orderBy('order_items.id')
    .execute();
  const { status, currency, ...to } = order;
  return { status, currency, to, lines };
}

type NewShipment = Omit<NewRow<'shipments'>, 'parcel' | 'options' | 'tracking_events'> & { parcel: Parcel | null; options: Offer[] };

export async function insertShipment(db: Db, { parcel, options, ...row }: NewShipment): Promise<StoredShipment> {
  const values = { ...row, parcel: parcel && JSON.stringify(parcel), options: JSON.stringify(options), tracking_events: '[]' };
  return toStored(await db.insertInto('shipments').values(values).returningAll().executeTakeFirstOrThrow());
}

/** A shipment is protected by the lock on its order and has none of its own. */
export async function selectShipment(db: Db, orderId: number, id: number): Promise<StoredShipment | null> {
  const row = await db.selectFrom('shipments').selectAll().where('id', '=', id).where('order_id', '=', orderId).executeTakeFirst();
  return row ? toStored(row) : null;
}

export async function selectShipmentByKey(db: Db, key: string): Promise<StoredShipment | null> {
  const row = await db.selectFrom('shipments').selectAll().where('provider_key', '=', key).executeTakeFirst();
  return row ? toStored(row) : null;
}

export async function selectPublicId(db: Db, orderId: number): Promise<string> {
  return (await db.selectFrom('orders').select('public_id').where('id', '=', orderId).executeTakeFirstOrThrow()).public_id;
}

export async function hasShipments(db: Db, orderId: number): Promise<boolean> {
  return (await db.selectFrom('shipments').select('id').where('order_id', '=', orderId).limit(1).execute()).length > 0;
}

type Changes = Partial<Omit<StoredShipment, 'id' | 'order_id' | 'parcel' | 'options'>>;

export async function updateShipment(db: Db, id: number, { tracking_events: events, ...changes }: Changes, now: string): Promise<void> {
  await db
    .updateTable('shipments')
    .set({ ...changes, ...(events ? { tracking_events: JSON.stringify(events) } : {}), updated_at: now })
    .where('id', '=', id)
    .execute();
}

export async function deleteShipment(db: Db, id: number): Promise<void> {
  await db.deleteFrom('shipments').where('id', '=', id).execute();
}

/** Blanks the recipients, labels and tracking events of the orders' shipments. */
export async function blankRecipients({ db, dialect }: At, orderIds: readonly number[]): Promise<void> {
  await sql`UPDATE shipments SET ${blanked('shipments')} WHERE order_id IN ${idRows(dialect, orderIds)}`.execute(db);
}

/** Purchases that no request holds: their server died, or the courier did not say whether it sold. */
export async function selectOpenPurchases({ db, dialect }: At, limit: number): Promise<{ id: number; order_id: number }[]> {
  return (
    db
      .selectFrom('shipments')
      .select(['id', 'order_id'])
      // A literal in the SQL text, not a bound value: otherwise the planner could not use the partial index on this status.
      .where('status', '=', sql.lit('purchasing'))
      .where(({ not, exists, selectFrom, ref }) =>
        not(
          exists(
            selectFrom('leases')
              .select('name')
              .where('name', '=', sql<string>`'shipment/' || ${ref('shipments.id')}`)
              .where('lease_until', '>', dialect.nowMs),
          ),
        ),
      )
      .orderBy('id')
      .limit(limit)
      .execute()
  );
}

function toStored(row: Row<'shipments'>): StoredShipment {
  return {
    ...row,
    status: Status.parse(row.status),
    parcel: row.parcel === null ? null : StoredParcel.parse(JSON.parse(row.parcel)),
    options: Options.parse(JSON.parse(row.options)),
    tracking_events: Events.parse(JSON.parse(row.tracking_events)),
  };
}

export function toWire({ status, ...row }: StoredShipment): Shipment {
  return Shipment.parse({ ...row, status: status === 'purchasing' ? 'rates_fetched' : status });
}

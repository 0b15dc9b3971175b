import type { Generated } from 'kysely';

/** Payments, shipments, refunds of labels and leases, in the form that tables.ts describes. */

export type ShippingTables = {
  payments: PaymentsTable;
  shipments: ShipmentsTable;
  label_refunds: LabelRefundsTable;
  leases: LeasesTable;
};

type PaymentsTable = {
  id: Generated<number>;
  order_id: number;
  label: string;
  amount_cents: number;
  paid: number;
  paid_at: string | null;
  note: string | null;
  sort_order: number;
  created_at: string;
  updated_at: string;
};

type ShipmentsTable = {
  id: Generated<number>;
  order_id: number;
  /** A status of the API, or `purchasing` while a label is being bought. */
  status: string;
  /** The courier provider, or `locker`. */
  provider: string;
  /** Our own key at the courier, under which only one label is ever bought. Null for lockers. */
  provider_key: string | null;
  /** The courier's id of the shipment, or the id of a locker's parcel. */
  provider_shipment_id: string | null;
  courier_id: string | null;
  courier_name: string | null;
  cost_cents: number | null;
  tracking_number: string | null;
  label_url: string | null;
  /** JSON: sender, recipient and weight for which the rates were requested. */
  parcel: string | null;
  /** JSON: the offers of the couriers. */
  options: string;
  /** JSON. */
  tracking_events: string;
  /** The offer that is being bought or was bought. */
  wanted_courier_id: string | null;
  /** Scope of the Idempotency-Key of the request that began the purchase. */
  purchase_scope: string | null;
  purchase_started_at: string | null;
  created_at: string;
  updated_at: string;
};

type LabelRefundsTable = {
  id: Generated<number>;
  /** The shipment, which is already deleted. */
  shipment_id: number;
  order_id: number;
  provider: string;
  provider_key: string;
  provider_shipment_id: string | null;
  courier_name: string | null;
  tracking_number: string | null;
  /** Set if it is not known whether a label was bought: until then one may still appear. */
  perhaps_until: string | null;
  status: 'pending' | 'done' | 'failed';
  attempts: number;
  /** Milliseconds since 1970. */
  next_at: number;
  last_error: string | null;
  created_at: string;
  updated_at: string;
};

/** A name that one call of one server holds, until the call ends or its server dies. */
type LeasesTable = { name: string; holder: string; lease_until: number };

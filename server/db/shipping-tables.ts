import type { Generated } from 'kysely';

/** Payments, shipments and what stands behind them; written as tables.ts says. */

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
  /** As on the wire, and `purchasing` while a label is being bought. */
  status: string;
  /** The courier back end, or `locker`. */
  provider: string;
  /** Our own key at the courier: what is bought under it is bought once. Null for lockers. */
  provider_key: string | null;
  /** The courier's own id; a locker's parcel id. */
  provider_shipment_id: string | null;
  courier_id: string | null;
  courier_name: string | null;
  cost_cents: number | null;
  tracking_number: string | null;
  label_url: string | null;
  /** JSON: sender, recipient and weight that the rates are for. */
  parcel: string | null;
  /** JSON: what the couriers offered. */
  options: string;
  /** JSON. */
  tracking_events: string;
  /** The option that is being bought, or was. */
  wanted_courier_id: string | null;
  /** The Idempotency-Key's scope of the request that began the purchase. */
  purchase_scope: string | null;
  purchase_started_at: string | null;
  created_at: string;
  updated_at: string;
};

type LabelRefundsTable = {
  id: Generated<number>;
  /** Gone by now. */
  shipment_id: number;
  order_id: number;
  provider: string;
  provider_key: string;
  provider_shipment_id: string | null;
  courier_name: string | null;
  tracking_number: string | null;
  /** Set where it is not known whether a label was bought: one may still turn up until then. */
  perhaps_until: string | null;
  status: 'pending' | 'done' | 'failed';
  attempts: number;
  /** Milliseconds since 1970. */
  next_at: number;
  last_error: string | null;
  created_at: string;
  updated_at: string;
};

/** A name held by one call of one server, for as long as that server lives. */
type LeasesTable = { name: string; holder: string; lease_until: number };

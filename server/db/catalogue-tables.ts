import type { Generated } from 'kysely';

/** What the shop sells by; written as tables.ts says. */

export type CatalogueTables = {
  tax_rates: TaxRatesTable;
  vouchers: VouchersTable;
  voucher_uses: VoucherUsesTable;
  discount_groups: DiscountGroupsTable;
  pickup_locations: PickupLocationsTable;
  shipping_methods: ShippingMethodsTable;
};

type TaxRatesTable = {
  id: Generated<number>;
  name: string;
  name_folded: string;
  rate_bps: number;
  country: string | null;
  /** 1 in one row at most. */
  is_default: number;
  row_version: Generated<number>;
};

type VouchersTable = {
  id: Generated<number>;
  code: string;
  code_folded: string;
  kind: string;
  percent_bps: number | null;
  amount_cents: number | null;
  min_subtotal_cents: number;
  usage_limit: number | null;
  per_customer_limit: number | null;
  /** Number of its rows in `voucher_uses`. */
  used_count: Generated<number>;
  valid_from: string | null;
  valid_to: string | null;
  active: number;
  row_version: Generated<number>;
};

/** Orders that use a voucher now; a use that is given back is no row. */
type VoucherUsesTable = { voucher_id: number; order_id: number; customer_id: number | null; at: string };

type DiscountGroupsTable = {
  id: Generated<number>;
  name: string;
  name_folded: string;
  percent_bps: number;
  created_at: string;
  updated_at: string;
  row_version: Generated<number>;
};

type PickupLocationsTable = {
  id: Generated<number>;
  name: string;
  name_folded: string;
  line1: string;
  line2: string;
  city: string;
  postal_code: string;
  country: string;
  opening_hours: string;
  active: number;
  sort_order: number;
  row_version: Generated<number>;
};

type ShippingMethodsTable = {
  id: Generated<number>;
  name: string;
  name_folded: string;
  price_cents: number;
  free_over_cents: number | null;
  /** null: the default rate. */
  tax_rate_id: number | null;
  /** JSON array; empty: all. */
  countries: string;
  delivery_estimate: string;
  active: number;
  sort_order: number;
  row_version: Generated<number>;
};

import type { Generated } from 'kysely';

/** Vouchers, in the form that tables.ts describes. */

export type CatalogueTables = {
  vouchers: VouchersTable;
  voucher_uses: VoucherUsesTable;
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
  /** Number of the voucher's rows in `voucher_uses`. */
  used_count: Generated<number>;
  valid_from: string | null;
  valid_to: string | null;
  active: number;
  row_version: Generated<number>;
};

/** Orders that use a voucher now; a use that is given back loses its row. */
type VoucherUsesTable = { voucher_id: number; order_id: number; customer_id: number | null; at: string };

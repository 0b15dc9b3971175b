import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../tables.ts';

type Columns = { readonly [Table in keyof Database]?: { readonly [Column in keyof Database[Table]]?: '' | '[]' | null } };

/**
 * What the records that stay say about a person, with what is there once the person is forgotten. Of an order the country stays, because
 * taxes depend on it. `test/db/personal-columns.test.ts` holds that each text column of the store is here or is known to be harmless.
 */
const PERSONAL = {
  customers: {
    ...{ name: '', name_folded: '', email: '', email_folded: '', email_key: null },
    ...{ phone: null, phone_digits: null, register_ip: '', last_login_ip: '' },
  },
  orders: {
    ...{
      customer_name: '',
      customer_name_folded: '',
      customer_email: '',
      customer_email_folded: '',
      customer_phone: '',
      phone_digits: null,
    },
    ...{ shipping_line1: '', shipping_line2: '', shipping_city: '', shipping_state: '', shipping_postal_code: '', billing_address: null },
    ...{ notes: '', internal_notes: null, discount_reason: null, ip_address: '', invoice_url: null },
  },
  order_items: { custom_fields: '[]' },
  order_edits: { payment_adjustment_note: '' },
  payments: { label: '', note: null },
  shipments: { parcel: null, label_url: null, tracking_events: '[]' },
  subscriptions: { customer_name: '', customer_email: '' },
  subscription_invoices: { hosted_invoice_url: null },
  inquiries: { name: '', email: '', email_folded: '', subject: '', body: '', answer: '', search_folded: '' },
  credit_transactions: { note: null, reference: null },
  access_grants: { note: null },
} as const satisfies Columns;

export const PERSONAL_COLUMNS: Columns = PERSONAL;

/** The assignments of an UPDATE that blanks these columns; what is NULL stays NULL. */
export function blanked(table: keyof typeof PERSONAL): RawBuilder<unknown> {
  const columns = Object.entries(PERSONAL[table]);
  return sql.join(
    columns.map(([column, blank]) => sql`${sql.ref(column)} = CASE WHEN ${sql.ref(column)} IS NULL THEN NULL ELSE ${sql.lit(blank)} END`),
  );
}

/** Fields of log entries whose values are never personal. A field that is not in this list is taken for personal. */
export const HARMLESS_FIELDS = [
  ...['status', 'payment_status', 'total', 'paid_amount', 'delivery_date', 'is_test', 'tracking_number', 'before', 'after'],
  ...['shipping_method', 'shipping_cost', 'voucher_code', 'discount_amount', 'amount_cents', 'paid', 'paid_at', 'sort_order'],
  ...['registered', 'anonymised_at', 'is_b2b', 'marketing_opt_out', 'credits', 'address_type', 'is_default', 'size_bytes', 'expires_at'],
  'answered_at',
];

import { foldedColumns } from './folded-columns.ts';
import type { Database } from './tables.ts';

/**
 * What undo does with the rows of a table (spec UN3). `null`: its rows are not looked at, because they are no part of the shop's records
 * (runs, logs, what leaves the house), or because triggers keep them.
 */
export type Captured<T extends keyof Database> = null | {
  /** Columns that each change of a row sets: no change by themselves, and set anew where a row is put back. */
  marks?: readonly (keyof Database[T] & string)[];
  /** Sums that others change meanwhile: the difference is taken back, not the value. */
  counters?: readonly (keyof Database[T] & string)[];
  /** Columns that are computed from other rows: computed anew. */
  derived?: readonly (keyof Database[T] & string)[];
  /** Columns that are computed from another one of the row, which is named: no change by themselves, and put back along with it. */
  computed?: { readonly [C in keyof Database[T] & string]?: keyof Database[T] & string };
  /**
   * A ledger is never rewritten: its rows are answered by counter-entries (spec UN4). They go only with the record that they are of, which the
   * column names.
   */
  ledgerOf?: { column: keyof Database[T] & string; table: keyof Database };
  /** Rows that are made stay, with their counters taken back. */
  stays?: true;
  /** A row that was made tells somebody outside something that cannot be called back; only that it was made is kept. */
  told?: true;
  /** With `told`: why the write that made such a row cannot be taken back at all, and what can be done instead. */
  final?: string;
};

const versioned = { marks: ['row_version'] } as const;
const updated = { marks: ['row_version', 'updated_at'] } as const;
const followed = { marks: ['row_version', 'updated_at', 'changed_in'] } as const;
const plain = {} as const;

type Policies = { readonly [T in keyof Database]: Captured<T> };

/** One entry for each table, so that a new table cannot be forgotten. */
export const captured = {
  access_grants: plain,
  access_group_files: plain,
  access_group_members: null,
  access_group_pages: plain,
  access_groups: updated,
  addresses: plain,
  admin_invitations: null,
  admins: null,
  answer_orders: null,
  artifacts: null,
  assistant_days: null,
  assistant_items: null,
  assistant_threads: null,
  audit_log: null,
  change_numbers: null,
  compiled_sources: null,
  credit_buckets: { counters: ['remaining_credits'], stays: true },
  credit_transactions: { ledgerOf: { column: 'customer_id', table: 'customers' } },
  customer_files: null,
  customer_notes: versioned,
  customers: { ...followed, computed: { email_key: 'email' } },
  decisions: null,
  discount_groups: updated,
  domain_events: null,
  downloads: plain,
  effect_images: null,
  entitlements: plain,
  files: versioned,
  gathered_items: null,
  gathered_starts: null,
  gestures: null,
  hook_calls: null,
  hooks: null,
  idempotency: null,
  imports: null,
  inquiries: followed,
  journal: null,
  label_refunds: {
    told: true,
    final: 'The courier was asked to take a bought label back. Create the shipment again, or record it again if a locker network has it.',
  },
  leases: null,
  lineage_causes: null,
  lineage_checkpoints: null,
  lineage_memory: null,
  lineages: null,
  log_entries: null,
  mails: { told: true },
  media: versioned,
  notification_admins: null,
  notification_preferences: null,
  notification_reads: plain,
  notifications: null,
  oauth_records: null,
  one_time_links: null,
  order_comments: versioned,
  order_counts: null,
  order_edits: { ledgerOf: { column: 'order_id', table: 'orders' } },
  order_items: plain,
  order_part_counts: null,
  order_statuses: versioned,
  orders: followed,
  page_drafts: { marks: ['updated_at'] },
  page_translations: plain,
  pages: updated,
  passkey_challenges: null,
  passkey_codes: null,
  passkeys: null,
  payments: { marks: ['updated_at'] },
  pickup_locations: versioned,
  planned_writes: null,
  product_access_groups: plain,
  product_files: plain,
  product_media: plain,
  plan_requests: null,
  policy_changes: null,
  products: { marks: ['row_version', 'updated_at', 'changed_in'], derived: ['sort_price', 'sort_stock'] },
  provider_payments: null,
  recorded_answers: null,
  recorded_epochs: null,
  recovery_codes: null,
  replay_calls: null,
  roles: null,
  run_chains: null,
  run_checkpoints: null,
  run_claims: null,
  run_details: null,
  run_effects: null,
  run_events: null,
  run_figures: null,
  run_permissions: null,
  run_prompts: null,
  run_results: null,
  run_signals: null,
  runners: null,
  runs: null,
  saved_views: null,
  schedules: null,
  session_tokens: null,
  sessions: null,
  settings: null,
  shipments: { marks: ['updated_at'] },
  shipping_methods: versioned,
  start_times: null,
  started_calls: null,
  stock_movements: { ledgerOf: { column: 'variant_id', table: 'variants' } },
  storage_use: null,
  stored_objects: null,
  subscription_invoices: null,
  subscriptions: followed,
  task_error_counts: null,
  task_errors: null,
  task_mail_days: null,
  task_secrets: null,
  task_state: { marks: ['updated_at', 'updated_by_run_id', 'version'], computed: { size_bytes: 'value' } },
  task_state_marks: null,
  task_variables: null,
  task_versions: null,
  tasks: null,
  tax_rates: versioned,
  theme_templates: updated,
  themes: versioned,
  tokens: null,
  trigger_deliveries: null,
  triggers: null,
  unsubscribe_links: null,
  variants: { marks: ['row_version'], counters: ['stock'] },
  version_approvals: null,
  version_comments: null,
  version_trials: null,
  voucher_uses: plain,
  vouchers: { marks: ['row_version'], counters: ['used_count'] },
  webhook_deliveries: null,
  webhook_endpoints: null,
  webhook_events: null,
  webhook_subscriptions: null,
} as const satisfies Policies;

/** What undo does with the rows of a table, without the types of its columns. */
export type TablePolicy = {
  marks: readonly string[];
  counters: readonly string[];
  derived: readonly string[];
  computed: Readonly<Record<string, string>>;
  /** All columns whose change is none by itself: marks, and what is computed, folded texts among them (`folded-columns.ts`). */
  silent: ReadonlySet<string>;
  ledgerOf: { column: string; table: string } | null;
  stays: boolean;
  told: boolean;
  final: string | null;
};

const widened: Readonly<Record<string, Partial<Omit<TablePolicy, 'silent'>> | null>> = captured;
const nothing = { marks: [], counters: [], derived: [], computed: {}, ledgerOf: null, stays: false, told: false, final: null };

export const policies: ReadonlyMap<string, TablePolicy> = new Map(
  Object.entries(widened).flatMap(([table, given]) => {
    if (given === null) return [];
    const policy = { ...nothing, ...given };
    const silent = new Set([...policy.marks, ...policy.derived, ...Object.keys(policy.computed), ...foldedColumns(table)]);
    return [[table, { ...policy, silent }] as const];
  }),
);

/** The policy of a table whose rows are captured. */
export function policyOf(table: string): TablePolicy {
  const found = policies.get(table);
  if (!found) throw new Error(`rows of ${table} are not captured`);
  return found;
}

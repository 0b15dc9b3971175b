import type { Insertable, Selectable } from 'kysely';
import type {
  AccessGrantsTable,
  AccessGroupFilesTable,
  AccessGroupMembersTable,
  AccessGroupPagesTable,
  AccessGroupsTable,
  EntitlementsTable,
  ProductAccessGroupsTable,
} from './access-tables.ts';
import type { LineageCausesTable, SchedulesTable, TriggerDeliveriesTable, TriggersTable } from './automation-tables.ts';
import type {
  DiscountGroupsTable,
  PickupLocationsTable,
  ShippingMethodsTable,
  TaxRatesTable,
  VouchersTable,
  VoucherUsesTable,
} from './catalogue-tables.ts';
import type {
  DownloadsTable,
  FilesTable,
  MediaTable,
  ProductFilesTable,
  ProductMediaTable,
  StorageUseTable,
  StoredObjectsTable,
} from './file-tables.ts';
import type { MailsTable } from './mail-tables.ts';
import type { PagesTable, PageTranslationsTable, ThemesTable, ThemeTemplatesTable } from './page-tables.ts';
import type { LabelRefundsTable, LeasesTable, PaymentsTable, ShipmentsTable } from './shipping-tables.ts';
import type {
  AddressesTable,
  AdminsTable,
  AuditLogTable,
  CreditBucketsTable,
  CreditTransactionsTable,
  CustomerFilesTable,
  CustomerNotesTable,
  CustomersTable,
  DomainEventsTable,
  IdempotencyTable,
  ImportsTable,
  InquiriesTable,
  LogEntriesTable,
  NotificationPreferencesTable,
  NotificationReadsTable,
  NotificationsTable,
  OrderCountsTable,
  OrderEditsTable,
  OrderItemsTable,
  OrderPartCountsTable,
  OrderStatusesTable,
  OrdersTable,
  ProductsTable,
  SettingsTable,
  StockMovementsTable,
  TokensTable,
  VariantsTable,
} from './shop-tables.ts';
import type { ProviderPaymentsTable, SubscriptionInvoicesTable, SubscriptionsTable, WebhookEventsTable } from './subscription-tables.ts';
import type {
  ArtifactsTable,
  JournalTable,
  LineageMemoryTable,
  LineagesTable,
  PlannedWritesTable,
  RecordedAnswersTable,
  RecordedEpochsTable,
  ReplayCallsTable,
  RunClaimsTable,
  RunEffectsTable,
  RunEventsTable,
  RunnersTable,
  RunPermissionsTable,
  RunPromptsTable,
  RunResultsTable,
  RunsTable,
  StartedCallsTable,
  TasksTable,
  TaskVersionsTable,
  VersionApprovalsTable,
} from './task-tables.ts';
import type { WebhookDeliveriesTable, WebhookEndpointsTable, WebhookSubscriptionsTable } from './webhook-tables.ts';

/**
 * The one description of both stores: text for timestamps (ISO, UTC) and JSON, integers for money and booleans (0/1).
 * `*_folded` columns hold `fold()` of their namesake, for search and sort.
 */
export type Database = {
  admins: AdminsTable;
  tokens: TokensTable;
  settings: SettingsTable;
  audit_log: AuditLogTable;
  log_entries: LogEntriesTable;
  domain_events: DomainEventsTable;
  notifications: NotificationsTable;
  notification_reads: NotificationReadsTable;
  notification_preferences: NotificationPreferencesTable;
  idempotency: IdempotencyTable;
  products: ProductsTable;
  variants: VariantsTable;
  stock_movements: StockMovementsTable;
  tax_rates: TaxRatesTable;
  vouchers: VouchersTable;
  voucher_uses: VoucherUsesTable;
  discount_groups: DiscountGroupsTable;
  pickup_locations: PickupLocationsTable;
  shipping_methods: ShippingMethodsTable;
  customers: CustomersTable;
  addresses: AddressesTable;
  customer_notes: CustomerNotesTable;
  credit_buckets: CreditBucketsTable;
  credit_transactions: CreditTransactionsTable;
  order_statuses: OrderStatusesTable;
  orders: OrdersTable;
  order_counts: OrderCountsTable;
  order_items: OrderItemsTable;
  order_part_counts: OrderPartCountsTable;
  stored_objects: StoredObjectsTable;
  storage_use: StorageUseTable;
  media: MediaTable;
  files: FilesTable;
  product_media: ProductMediaTable;
  product_files: ProductFilesTable;
  downloads: DownloadsTable;
  order_edits: OrderEditsTable;
  payments: PaymentsTable;
  shipments: ShipmentsTable;
  label_refunds: LabelRefundsTable;
  leases: LeasesTable;
  subscriptions: SubscriptionsTable;
  subscription_invoices: SubscriptionInvoicesTable;
  provider_payments: ProviderPaymentsTable;
  webhook_events: WebhookEventsTable;
  tasks: TasksTable;
  task_versions: TaskVersionsTable;
  version_approvals: VersionApprovalsTable;
  lineages: LineagesTable;
  runs: RunsTable;
  run_events: RunEventsTable;
  run_claims: RunClaimsTable;
  run_results: RunResultsTable;
  journal: JournalTable;
  run_effects: RunEffectsTable;
  planned_writes: PlannedWritesTable;
  run_permissions: RunPermissionsTable;
  started_calls: StartedCallsTable;
  lineage_memory: LineageMemoryTable;
  artifacts: ArtifactsTable;
  run_prompts: RunPromptsTable;
  recorded_epochs: RecordedEpochsTable;
  recorded_answers: RecordedAnswersTable;
  replay_calls: ReplayCallsTable;
  runners: RunnersTable;
  schedules: SchedulesTable;
  triggers: TriggersTable;
  trigger_deliveries: TriggerDeliveriesTable;
  lineage_causes: LineageCausesTable;
  customer_files: CustomerFilesTable;
  inquiries: InquiriesTable;
  webhook_endpoints: WebhookEndpointsTable;
  webhook_subscriptions: WebhookSubscriptionsTable;
  webhook_deliveries: WebhookDeliveriesTable;
  access_groups: AccessGroupsTable;
  access_group_files: AccessGroupFilesTable;
  access_group_pages: AccessGroupPagesTable;
  access_group_members: AccessGroupMembersTable;
  product_access_groups: ProductAccessGroupsTable;
  access_grants: AccessGrantsTable;
  entitlements: EntitlementsTable;
  imports: ImportsTable;
  mails: MailsTable;
  pages: PagesTable;
  page_translations: PageTranslationsTable;
  themes: ThemesTable;
  theme_templates: ThemeTemplatesTable;
};

export type Row<T extends keyof Database> = Selectable<Database[T]>;
export type NewRow<T extends keyof Database> = Insertable<Database[T]>;

/** Names of the tables whose rows have all these columns. */
export type TableWith<Columns extends string> = {
  [T in keyof Database]: [Columns] extends [keyof Database[T]] ? T : never;
}[keyof Database];

/** Names of the tables whose rows count their changes. */
export type VersionedTable = TableWith<'id' | 'row_version'>;

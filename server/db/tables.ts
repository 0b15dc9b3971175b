import type { Insertable, Selectable } from 'kysely';
import type { AccessTables } from './tables/access-tables.ts';
import type { AssistantTables } from './tables/assistant-tables.ts';
import type { AutomationTables } from './tables/automation-tables.ts';
import type { CatalogueTables } from './tables/catalogue-tables.ts';
import type { DecisionTables } from './tables/decision-tables.ts';
import type { FileTables } from './tables/file-tables.ts';
import type { LineageTables } from './tables/lineage-tables.ts';
import type { MailTables } from './tables/mail-tables.ts';
import type { OrderTables } from './tables/order-tables.ts';
import type { PageTables } from './tables/page-tables.ts';
import type { PasskeyTables } from './tables/passkey-tables.ts';
import type { ShippingTables } from './tables/shipping-tables.ts';
import type { ShopTables } from './tables/shop-tables.ts';
import type { SubscriptionTables } from './tables/subscription-tables.ts';
import type { TaskTables } from './tables/task-tables.ts';
import type { TrialTables } from './tables/trial-tables.ts';
import type { WebhookTables } from './tables/webhook-tables.ts';

/**
 * The schema of both stores. Timestamps (ISO, UTC) and JSON are text; money and booleans (0 or 1) are integers. A column `*_folded` holds
 * `sortKey()` of the column without the suffix, for search and sorting. A table whose rows are records of the contract is declared beside its
 * `recordTable`, which adds it to this interface.
 */
export interface Database
  extends AccessTables,
    AssistantTables,
    AutomationTables,
    CatalogueTables,
    DecisionTables,
    FileTables,
    LineageTables,
    MailTables,
    OrderTables,
    PageTables,
    PasskeyTables,
    ShippingTables,
    ShopTables,
    SubscriptionTables,
    TaskTables,
    TrialTables,
    WebhookTables {}

export type Row<T extends keyof Database> = Selectable<Database[T]>;
export type NewRow<T extends keyof Database> = Insertable<Database[T]>;

/** Names of the tables that have all these columns. */
export type TableWith<Columns extends string> = {
  [T in keyof Database]: [Columns] extends [keyof Database[T]] ? T : never;
}[keyof Database];

/** Names of the tables with a row version. */
export type VersionedTable = TableWith<'id' | 'row_version'>;

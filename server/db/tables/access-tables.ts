import type { Generated } from 'kysely';

/** Access groups and the reasons for access to them, in the form that tables.ts describes. */

export type AccessTables = {
  access_groups: AccessGroupsTable;
  access_group_files: AccessGroupFilesTable;
  access_group_pages: AccessGroupPagesTable;
  access_group_members: AccessGroupMembersTable;
  product_access_groups: ProductAccessGroupsTable;
  access_grants: AccessGrantsTable;
  entitlements: EntitlementsTable;
};

type AccessGroupsTable = {
  id: Generated<number>;
  slug: string;
  name: string;
  name_folded: string;
  description: string | null;
  created_at: string;
  updated_at: string;
  row_version: Generated<number>;
};

type AccessGroupFilesTable = { group_id: number; file_id: number; sort_order: number };

type AccessGroupPagesTable = { group_id: number; page_id: number; sort_order: number };

/** The access groups that a product grants; `duration_days` null: for life. */
type ProductAccessGroupsTable = { product_id: number; group_id: number; duration_days: number | null };

/** Manual grants; each also has a row in `entitlements`. */
type AccessGrantsTable = {
  id: Generated<number>;
  group_id: number;
  customer_id: number;
  expires_at: string | null;
  granted_by: number;
  note: string | null;
  created_at: string;
};

/** Why a customer has access to a group: exactly one of an order, a subscription or a grant. */
type EntitlementsTable = {
  id: Generated<number>;
  group_id: number;
  customer_id: number;
  order_id: number | null;
  /** The product of the order that grants the access. */
  product_id: number | null;
  subscription_id: number | null;
  grant_id: number | null;
  starts_at: string;
  /** null: the access does not expire. */
  expires_at: string | null;
  /** Why the row gives no access at present, regardless of time; null: it gives access. */
  withheld: 'cancelled' | 'unpaid' | 'subscribed' | 'ended' | null;
};

/** Until when a customer has access to a group: derived from `entitlements`, one row for each pair that ever had an entitlement. */
type AccessGroupMembersTable = {
  group_id: number;
  customer_id: number;
  /** A date far in the future means for life; the empty string means no access. */
  until: string;
};

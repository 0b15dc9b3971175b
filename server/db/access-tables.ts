import type { Generated } from 'kysely';

/** Access groups and what gives access to them; written as tables.ts says. */

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

/** What whoever buys the product gets; null: for life. */
type ProductAccessGroupsTable = { product_id: number; group_id: number; duration_days: number | null };

/** Given by hand; each has its row in `entitlements`. */
type AccessGrantsTable = {
  id: Generated<number>;
  group_id: number;
  customer_id: number;
  expires_at: string | null;
  granted_by: number;
  note: string | null;
  created_at: string;
};

/** Why a customer has access to a group: an order, a subscription or a grant, one of the three. */
type EntitlementsTable = {
  id: Generated<number>;
  group_id: number;
  customer_id: number;
  order_id: number | null;
  /** The product of an order that gives it. */
  product_id: number | null;
  subscription_id: number | null;
  grant_id: number | null;
  starts_at: string;
  /** null: never. */
  expires_at: string | null;
  /** Why it gives no access, whatever the time; null: it does. */
  withheld: 'cancelled' | 'unpaid' | 'subscribed' | 'ended' | null;
};

/** Kept from the entitlements, one row a pair that ever had one: until when a customer has access to a group. */
type AccessGroupMembersTable = {
  group_id: number;
  customer_id: number;
  /** Far away: for life. Empty: no access. */
  until: string;
};

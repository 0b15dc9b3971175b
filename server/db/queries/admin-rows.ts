import { sql } from 'kysely';
import type { Row } from '../tables.ts';

/** An admin with what the named role says: its permissions are then theirs, at each read. */
export type AdminRow = Row<'admins'> & { role_name: string | null; role_permissions: string | null };

/** Columns beside those of `admins`, in a query from that table. As subqueries, they can be read from rows that the query locks. */
export const roleColumns = [
  sql<string | null>`(SELECT name FROM roles WHERE roles.id = admins.role_id)`.as('role_name'),
  sql<string | null>`(SELECT permissions FROM roles WHERE roles.id = admins.role_id)`.as('role_permissions'),
] as const;

import { sql } from 'kysely';
import type { At, Db } from '../../db/open.ts';
import { deleteOldest } from '../../db/queries/delete-oldest.ts';
import { insertInto, updateVersioned } from '../../db/queries/statement.ts';
import type { Row } from '../../db/tables.ts';

/** An invitation with what it says of others: its role, and whoever sent it. */
export type InvitationRow = Row<'admin_invitations'> & {
  role_name: string | null;
  role_permissions: string | null;
  inviter_name: string;
  inviter_email: string;
  inviter_role: 'owner' | 'staff';
  inviter_active: number;
};

const rows = sql`
    SELECT i.*, r.name AS role_name, r.permissions AS role_permissions, a.name AS inviter_name, a.email AS inviter_email,
      a.role AS inviter_role, a.active AS inviter_active
    FROM admin_invitations i JOIN admins a ON a.id = i.invited_by LEFT JOIN roles r ON r.id = i.role_id`;

/** All invitations (a few rows), newest first. */
export async function selectInvitations(db: Db): Promise<InvitationRow[]> {
  return (await sql<InvitationRow>`${rows} ORDER BY i.id DESC`.execute(db)).rows;
}

export async function selectInvitation(db: Db, id: number): Promise<InvitationRow | undefined> {
  return (await sql<InvitationRow>`${rows} WHERE i.id = ${id}`.execute(db)).rows[0];
}

/** Locks an invitation; false if it does not exist. */
export async function lockInvitation({ db, dialect }: At, id: number): Promise<boolean> {
  const row = await db.selectFrom('admin_invitations').select('id').where('id', '=', id).modifyEnd(dialect.forUpdate).executeTakeFirst();
  return row !== undefined;
}

const insertRow = insertInto('admin_invitations', sql<Row<'admin_invitations'>>`*`);

/** Returns the id; null if an invitation of this email exists. */
export async function insertInvitation(db: Db, row: Omit<Row<'admin_invitations'>, 'id' | 'row_version'>): Promise<number | null> {
  const [made] = await insertRow(db, row, 'email_folded');
  return made?.id ?? null;
}

export const updateInvitation = updateVersioned('admin_invitations');

export async function deleteInvitation(db: Db, id: number): Promise<void> {
  await db.deleteFrom('admin_invitations').where('id', '=', id).execute();
}

export const deleteOldInvitations = deleteOldest('admin_invitations', 'expires_at');

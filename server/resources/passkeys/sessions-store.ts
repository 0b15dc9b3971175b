import { sql } from 'kysely';
import type { At, Db } from '../../db/open.ts';
import { deleteOldest } from '../../db/queries/delete-oldest.ts';
import type { NewRow, Row } from '../../db/tables.ts';

/** A session with its token, its admin, and the name of the passkey that opened it. */
export type SessionRow = Row<'sessions'> & {
  device: string | null;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
  admin_id: number;
  admin_name: string;
  admin_email: string;
  admin_active: number;
  passkey_name: string;
};

const rows = sql`
    SELECT s.*, t.device, t.created_at, t.last_used_at, t.revoked_at, a.id AS admin_id, a.name AS admin_name, a.email AS admin_email,
      a.active AS admin_active, p.name AS passkey_name
    FROM sessions s JOIN tokens t ON t.id = s.id JOIN admins a ON a.id = t.admin_id JOIN passkeys p ON p.id = s.passkey_id`;

/** Finds a session by the unique index on secret_hash, whether or not it has ended. */
export async function selectBySecret(db: Db, secretHash: string): Promise<SessionRow | undefined> {
  return (await sql<SessionRow>`${rows} WHERE s.secret_hash = ${secretHash}`.execute(db)).rows[0];
}

/** A session ends when `expires_at` is not after `now`, or `renewed_at` not after `idleSince`. */
export type Times = { now: string; idleSince: string };

/** The sessions of an admin that have not ended, the latest first. */
export async function selectSessionsOf(db: Db, adminId: number, { now, idleSince }: Times): Promise<SessionRow[]> {
  const { rows: found } = await sql<SessionRow>`${rows}
    WHERE t.admin_id = ${adminId} AND t.kind = 'session' AND t.revoked_at IS NULL AND s.expires_at > ${now} AND s.renewed_at > ${idleSince}
    ORDER BY s.id DESC`.execute(db);
  return found;
}

export async function insertSession(db: Db, row: NewRow<'sessions'>): Promise<void> {
  await db.insertInto('sessions').values(row).execute();
}

export async function noteRenewal(db: Db, id: number, renewed: { renewed_at: string; address: string }): Promise<void> {
  await db.updateTable('sessions').set(renewed).where('id', '=', id).execute();
}

export async function insertSessionToken(db: Db, row: NewRow<'session_tokens'>): Promise<void> {
  await db.insertInto('session_tokens').values(row).execute();
}

/** Sessions that nobody renewed in time, and that nobody has ended. Those of which the last day has passed end with what comes from them. */
const idle = ({ now, idleSince }: Times) => sql`
    SELECT s.id, t.admin_id FROM sessions s JOIN tokens t ON t.id = s.id
    WHERE s.expires_at > ${now} AND s.renewed_at <= ${idleSince} AND t.revoked_at IS NULL`;

/** The ids of at most `limit` of them, found among the sessions of the last days by the index on expires_at. */
export async function selectIdle(db: Db, times: Times, limit: number): Promise<number[]> {
  const { rows: found } = await sql<{ id: number }>`${idle(times)} ORDER BY s.expires_at LIMIT ${limit}`.execute(db);
  return found.map(({ id }) => id);
}

/** Locks one of them, so that another server or a renewal comes before or after; undefined: it is none any more. */
export async function holdIdle({ db, dialect }: At, id: number, times: Times): Promise<{ admin_id: number } | undefined> {
  return (await sql<{ admin_id: number }>`${idle(times)} AND s.id = ${id} ${dialect.forUpdate}`.execute(db)).rows[0];
}

/** The ids of the sessions of an admin that have not ended: those of one passkey, or all. */
export async function selectOpenIds(db: Db, of: { adminId: number } | { passkeyId: number }, { now, idleSince }: Times): Promise<number[]> {
  const open = db
    .selectFrom('sessions')
    .innerJoin('tokens', 'tokens.id', 'sessions.id')
    .select('sessions.id')
    .where('revoked_at', 'is', null)
    .where('sessions.expires_at', '>', now)
    .where('renewed_at', '>', idleSince);
  const some = 'adminId' in of ? open.where('tokens.admin_id', '=', of.adminId) : open.where('sessions.passkey_id', '=', of.passkeyId);
  return (await some.orderBy('sessions.id').execute()).map(({ id }) => id);
}

export const deleteOldSessions = deleteOldest('sessions', 'expires_at');
export const deleteOldSessionTokens = deleteOldest('session_tokens', 'expires_at', 'token_hash');

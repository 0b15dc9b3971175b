import { sql } from 'kysely';
import { emailKey } from '../../../contract/emails.ts';
import type { At, Db } from '../../db/open.ts';
import { type AdminRow, roleColumns } from '../../db/queries/admin-rows.ts';
import { statement } from '../../db/queries/statement.ts';
import type { NewRow, Row } from '../../db/tables.ts';
import type { TaskActor } from '../../verbs/context.ts';

export type TokenWithAdmin = {
  id: number;
  admin_id: number | null;
  token_hash: string;
  permissions: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  name: string;
  kind: Row<'tokens'>['kind'];
  sees_personal_data: number;
  single_use: number;
  admin_name: string | null;
  admin_email: string | null;
  admin_role: 'owner' | 'staff' | null;
  /** Those of the admin's named role, else the admin's own list. */
  admin_permissions: string | null;
  admin_active: number | null;
};

const withAdmin = sql`
    SELECT t.id, t.admin_id, t.token_hash, t.permissions, t.expires_at, t.revoked_at, t.last_used_at, t.name, t.kind, t.sees_personal_data, t.single_use,
      a.name AS admin_name, a.email AS admin_email, a.role AS admin_role, a.active AS admin_active,
      COALESCE(r.permissions, a.permissions) AS admin_permissions
    FROM tokens t LEFT JOIN admins a ON a.id = t.admin_id LEFT JOIN roles r ON r.id = a.role_id`;
const byHash = statement<{ tokenHash: string }, TokenWithAdmin>((value) => sql`${withAdmin} WHERE t.token_hash = ${value('tokenHash')}`);
const byId = statement<{ id: number }, TokenWithAdmin>((value) => sql`${withAdmin} WHERE t.id = ${value('id')}`);

/** Finds a token by the unique index on token_hash, with its admin. */
export async function selectByHash(db: Db, tokenHash: string): Promise<TokenWithAdmin | undefined> {
  const [row] = await byHash(db, { tokenHash });
  return row;
}

export async function selectWithAdmin(db: Db, id: number): Promise<TokenWithAdmin | undefined> {
  const [row] = await byId(db, { id });
  return row;
}

const byAccess = statement<{ keyHash: string; now: string }, TokenWithAdmin>(
  (value) =>
    sql`${withAdmin} JOIN oauth_records o ON o.agent_id = t.id WHERE o.key_hash = ${value('keyHash')} AND o.expires_at > ${value('now')}`,
);

/** Finds an agent by the hash of an access token that its client got by OAuth. */
export async function selectByAccess(db: Db, keyHash: string, now: string): Promise<TokenWithAdmin | undefined> {
  const [row] = await byAccess(db, { keyHash, now });
  return row;
}

const bySession = statement<{ tokenHash: string; now: string }, TokenWithAdmin>(
  (value) =>
    sql`${withAdmin} JOIN session_tokens s ON s.session_id = t.id WHERE s.token_hash = ${value('tokenHash')} AND s.expires_at > ${value('now')}`,
);

/** Finds a session by the hash of one of its access tokens. */
export async function selectBySession(db: Db, tokenHash: string, now: string): Promise<TokenWithAdmin | undefined> {
  const [row] = await bySession(db, { tokenHash, now });
  return row;
}

export type ClaimWithVersion = {
  id: number;
  run_id: number;
  lineage_id: string;
  hash: string | null;
  ended_at: string | null;
  task_id: number;
  version_id: number;
  dry_run: number;
  permissions: string;
  admin_id: number;
  admin_name: string;
  admin_email: string;
  replay_of_run_id: number | null;
  replay_of_lineage_id: string | null;
  replay_of_version_id: number | null;
  first_epoch: number;
  hidden_by: string | null;
  agent_token_id: number | null;
  max_host_calls: number | null;
  max_writes: number | null;
  max_log_bytes: number | null;
};

const claimBy = (column: 'token_hash' | 'report_token_hash') =>
  statement<{ hash: string }, ClaimWithVersion>(
    (value) => sql`
    SELECT c.id, c.run_id, c.lineage_id, c.${sql.ref(column)} AS hash, c.ended_at, c.max_host_calls, c.max_writes, c.max_log_bytes, r.task_id, r.version_id, r.dry_run, v.permissions,
      a.id AS admin_id, a.name AS admin_name, a.email AS admin_email,
      r.replay_of_run_id, r.first_epoch, CASE WHEN r.hides_people = 1 THEN l.seed END AS hidden_by, r.agent_token_id, s.lineage_id AS replay_of_lineage_id, s.version_id AS replay_of_version_id
    FROM run_claims c
    JOIN runs r ON r.id = c.run_id
    JOIN lineages l ON l.id = r.lineage_id
    LEFT JOIN runs s ON s.id = r.replay_of_run_id
    JOIN task_versions v ON v.id = r.version_id
    JOIN admins a ON a.id = r.started_by_admin_id
    WHERE c.${sql.ref(column)} = ${value('hash')}`,
  );
const claimByToken = { call: claimBy('token_hash'), report: claimBy('report_token_hash') };

/** Finds the claim of a run's token, with the permissions of the run's version and the admin who started the run. */
export async function selectClaimByHash(db: Db, hash: string, token: TaskActor['token']): Promise<ClaimWithVersion | undefined> {
  const [row] = await claimByToken[token](db, { hash });
  return row;
}

export async function insertToken(db: Db, row: NewRow<'tokens'>): Promise<number> {
  const { id } = await db.insertInto('tokens').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function updateTokenSecret(db: Db, id: number, tokenHash: string, prefix: string): Promise<void> {
  await db.updateTable('tokens').set({ token_hash: tokenHash, token_prefix: prefix }).where('id', '=', id).execute();
}

/** Stores the last use of a token, and of its admin. */
export async function updateLastUsed(db: Db, id: number, at: string): Promise<void> {
  await db.updateTable('tokens').set({ last_used_at: at }).where('id', '=', id).execute();
  await sql`UPDATE admins SET last_seen_at = ${at} WHERE id = (SELECT admin_id FROM tokens WHERE id = ${id})`.execute(db);
}

export function selectToken(db: Db, id: number): Promise<Row<'tokens'> | undefined> {
  return db.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Notes the one request of a token that is valid for one; returns false for every request after the first. */
export async function takeSingleUse(db: Db, id: number, at: string): Promise<boolean> {
  const taken = db.updateTable('tokens').set({ last_used_at: at }).where('id', '=', id).where('last_used_at', 'is', null);
  const { numUpdatedRows } = await taken.executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The personal tokens of an admin that are not revoked, newest first; one for a single request is gone when it came. */
export function selectTokensOf(db: Db, adminId: number): Promise<Row<'tokens'>[]> {
  return db
    .selectFrom('tokens')
    .selectAll()
    .where('admin_id', '=', adminId)
    .where('kind', '=', 'personal')
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('single_use', '=', 0), eb('last_used_at', 'is', null)]))
    .orderBy('id', 'desc')
    .execute();
}

/** Whether the admin has this token, and it is not revoked. */
export async function isTokenOf(db: Db, adminId: number, { id, kind }: Pick<Row<'tokens'>, 'id' | 'kind'>): Promise<boolean> {
  const row = await selectToken(db, id);
  return row?.admin_id === adminId && row.kind === kind && row.revoked_at === null;
}

/** The token of an agent that is not revoked, with the admin for whom it acts. */
export type AgentRow = Row<'tokens'> & { admin_id: number; admin_name: string; admin_email: string };

const agents = sql`
    SELECT t.*, a.name AS admin_name, a.email AS admin_email FROM tokens t JOIN admins a ON a.id = t.admin_id
    WHERE t.kind = 'agent' AND t.revoked_at IS NULL`;

export async function selectAgent(db: Db, id: number): Promise<AgentRow | undefined> {
  const { rows } = await sql<AgentRow>`${agents} AND t.id = ${id}`.execute(db);
  return rows[0];
}

/** The agents of an admin, or of all (null), newest first. */
export async function selectAgents(db: Db, adminId: number | null): Promise<AgentRow[]> {
  const own = adminId === null ? sql`` : sql`AND t.admin_id = ${adminId}`;
  const { rows } = await sql<AgentRow>`${agents} ${own} ORDER BY t.id DESC`.execute(db);
  return rows;
}

/** Revokes a token; returns false if the admin has no such token of this kind or it was revoked before. */
export async function revokeTokenOf(
  db: Db,
  adminId: number,
  { id, kind }: Pick<Row<'tokens'>, 'id' | 'kind'>,
  at: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('tokens')
    .set({ revoked_at: at })
    .where('id', '=', id)
    .where('admin_id', '=', adminId)
    .where('kind', '=', kind)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Revokes the tokens that come from a token by sign-in links, also those that come from these; returns their ids. */
export async function revokeDescendants(db: Db, id: number, at: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    UPDATE tokens SET revoked_at = ${at} WHERE revoked_at IS NULL AND id IN (
      WITH RECURSIVE descendants (id) AS (
        SELECT id FROM tokens WHERE parent_token_id = ${id}
        UNION SELECT t.id FROM tokens t JOIN descendants d ON t.parent_token_id = d.id
      ) SELECT id FROM descendants
    ) RETURNING id`.execute(db);
  return rows.map((row) => row.id).sort((a, b) => a - b);
}

/** Locks a token and those that it comes from by sign-in links: none is revoked before this transaction ends. */
export async function holdWithAncestors({ db, dialect }: At, id: number): Promise<void> {
  await sql`
    SELECT id FROM tokens WHERE id IN (
      WITH RECURSIVE ancestors (id, parent_token_id) AS (
        SELECT id, parent_token_id FROM tokens WHERE id = ${id}
        UNION SELECT t.id, t.parent_token_id FROM tokens t JOIN ancestors a ON t.id = a.parent_token_id
      ) SELECT id FROM ancestors
    ) ORDER BY id ${dialect.forShare}`.execute(db);
}

export function selectAdmin(db: Db, id: number): Promise<AdminRow | undefined> {
  return db.selectFrom('admins').selectAll().select(roleColumns).where('id', '=', id).executeTakeFirst();
}

/** Locks admins against changes until this transaction ends. */
export function holdAdmins({ db, dialect }: At, ids: readonly number[]): Promise<Row<'admins'>[]> {
  return db.selectFrom('admins').selectAll().where('id', 'in', ids).orderBy('id').modifyEnd(dialect.forShare).execute();
}

/** Revokes every token of an admin; returns their ids. */
export async function revokeAllOf(db: Db, adminId: number, at: string): Promise<number[]> {
  const rows = await db
    .updateTable('tokens')
    .set({ revoked_at: at })
    .where('admin_id', '=', adminId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

/** Revokes the tokens by which an admin is signed in; returns their ids. */
export async function revokeSignIns(db: Db, adminId: number, at: string): Promise<number[]> {
  const rows = await db
    .updateTable('tokens')
    .set({ revoked_at: at })
    .where('admin_id', '=', adminId)
    .where('device', 'is not', null)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

export async function revokeMachineTokens(db: Db, name: string, exceptHash: string, at: string): Promise<void> {
  await db
    .updateTable('tokens')
    .set({ revoked_at: at })
    .where('admin_id', 'is', null)
    .where('name', '=', name)
    .where('token_hash', '<>', exceptHash)
    .where('revoked_at', 'is', null)
    .execute();
}

export async function selectAdminByEmail(db: Db, email: string): Promise<Row<'admins'> | undefined> {
  const admins = await db.selectFrom('admins').selectAll().orderBy('id').execute();
  return admins.find((admin) => emailKey(admin.email) === emailKey(email));
}

/** The owner who has been one for longest, of those who are active. */
export function selectFirstOwner(db: Db): Promise<Row<'admins'> | undefined> {
  return db.selectFrom('admins').selectAll().where('role', '=', 'owner').where('active', '=', 1).orderBy('id').limit(1).executeTakeFirst();
}

export async function countAdmins(db: Db): Promise<number> {
  const { n } = await db
    .selectFrom('admins')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

export async function insertAdmin(db: Db, row: NewRow<'admins'>): Promise<number> {
  const { id } = await db.insertInto('admins').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function insertNotification(db: Db, row: NewRow<'notifications'>): Promise<void> {
  await db.insertInto('notifications').values(row).execute();
}

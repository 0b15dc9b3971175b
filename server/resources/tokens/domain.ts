import { adminPermissions, type Permission, RUNNER_PERMISSION } from '../../../contract/permissions.ts';
import { RUN_TOKEN_PREFIX } from '../../../contract/runner.ts';
import type { Db, Store } from '../../db/open.ts';
import type { AdminRow } from '../../db/queries/admin-rows.ts';
import type { Services } from '../../services.ts';
import { foldAdminEmail } from '../../values/stored-emails.ts';
import { sortKey } from '../../values/texts.ts';
import type { Actor, AgentRights, TaskActor } from '../../verbs/context.ts';
import { hashToken, oauthKeyHash, personalAccessToken, randomSecret, sameHash } from './secret.ts';
import * as store from './store.ts';

const ownerPermissions: ReadonlySet<string> = new Set(adminPermissions.filter((permission) => permission !== RUNNER_PERMISSION));
const ownersOnly: readonly Permission[] = ['admin_api.admins.read', 'admin_api.admins.write'];
const runnerPermissions: ReadonlySet<Permission> = new Set([RUNNER_PERMISSION]);

export type Authentication =
  | { outcome: 'ok'; actor: Actor; tokenId: number | null; usedAt: string | null; isSingleUse: boolean }
  /** The token of a run whose claim has ended. */
  | { outcome: 'fenced'; actor: Actor }
  | { outcome: 'refused' };

/** How the access tokens look that clients get by OAuth. */
const OAUTH_TOKEN = /^[\w-]{43}$/;
/** With which the access tokens of sessions begin. */
export const SESSION_TOKEN_PREFIX = 'ses_';
const REPORT_TOKEN_PREFIX = `${RUN_TOKEN_PREFIX}report_`;

/** Makes the two tokens of a claim (spec RU6): one for the requests of its script, one for the reports of its runner. */
export function claimTokens(): { call: string; report: string } {
  return { call: `${RUN_TOKEN_PREFIX}${randomSecret()}`, report: `${REPORT_TOKEN_PREFIX}${randomSecret()}` };
}

/** Finds the actor of a token and its permissions: those of the admin's role that the token's own list allows too (spec AU8). */
export async function authenticate(db: Db, token: string, now: string): Promise<Authentication> {
  const hash = hashToken(token);
  if (token.startsWith(RUN_TOKEN_PREFIX)) return authenticateRun(db, hash, token.startsWith(REPORT_TOKEN_PREFIX) ? 'report' : 'call');
  if (token.startsWith(SESSION_TOKEN_PREFIX)) {
    const session = await store.selectBySession(db, hash, now);
    return session ? admit(session, now) : { outcome: 'refused' };
  }
  const row = await store.selectByHash(db, hash);
  if (row) return sameHash(row.token_hash, hash) ? admit(row, now) : { outcome: 'refused' };
  const agent = OAUTH_TOKEN.test(token) ? await store.selectByAccess(db, oauthKeyHash('AccessToken', token), now) : undefined;
  return agent ? admit(agent, now) : { outcome: 'refused' };
}

/** Finds the actor of a token that made a link, or of a session, as `authenticate` does for the token itself. */
export async function authenticateMaker(db: Db, tokenId: number, now: string): Promise<Authentication> {
  const row = await store.selectWithAdmin(db, tokenId);
  return row ? admit(row, now) : { outcome: 'refused' };
}

function admit(row: store.TokenWithAdmin, now: string): Authentication {
  if (row.revoked_at !== null || (row.expires_at !== null && row.expires_at <= now)) return { outcome: 'refused' };
  const isSingleUse = row.single_use === 1;
  const runner: Actor = { type: 'runner', tokenId: row.id, permissions: runnerPermissions };
  if (row.admin_id === null) return { outcome: 'ok', actor: runner, tokenId: row.id, usedAt: row.last_used_at, isSingleUse };
  if (row.admin_active !== 1 || row.admin_role === null) return { outcome: 'refused' };
  if (row.admin_role === 'owner' && row.permissions !== null && isRunnerList([...parsePermissions(row.permissions)]))
    return { outcome: 'ok', actor: runner, tokenId: row.id, usedAt: row.last_used_at, isSingleUse };
  const actor: Actor = {
    type: 'admin',
    adminId: row.admin_id,
    name: row.admin_name || row.admin_email || '',
    role: row.admin_role,
    tokenId: row.id,
    permissions: effectivePermissions(row.admin_role, row.admin_permissions, row.permissions),
    ...(isSingleUse && { isSingleUse }),
    ...(row.kind === 'agent' && agentOf(row)),
  };
  return { outcome: 'ok', actor, tokenId: row.id, usedAt: row.last_used_at, isSingleUse };
}

/** An agent has a name of its own wherever it acts, and never the permissions that no agent may have. */
function agentOf(row: store.TokenWithAdmin) {
  return {
    name: agentName(row.admin_name || row.admin_email || '', row.name),
    agent: { seesPersonalData: row.sees_personal_data === 1 },
  };
}

/** How an agent is called: `Eszter's agent «laptop»`. */
export function agentName(admin: string, name: string): string {
  return `${admin}'s agent «${name}»`;
}

async function authenticateRun(db: Db, hash: string, token: TaskActor['token']): Promise<Authentication> {
  const claim = await store.selectClaimByHash(db, hash, token);
  if (!claim?.hash || !sameHash(claim.hash, hash)) return { outcome: 'refused' };
  const actor: Actor = {
    type: 'task',
    adminId: claim.admin_id,
    name: claim.admin_name || claim.admin_email,
    runId: claim.run_id,
    taskId: claim.task_id,
    versionId: claim.version_id,
    lineageId: claim.lineage_id,
    claimId: claim.id,
    token,
    limits: limitsOfClaim(claim),
    dryRun: claim.dry_run === 1,
    permissions: parsePermissions(claim.permissions),
    ...(claim.hidden_by !== null && { hidesPeople: { key: claim.hidden_by } }),
    ...(claim.agent_token_id !== null && { agentTokenId: claim.agent_token_id }),
    replay:
      claim.replay_of_run_id === null
        ? null
        : {
            runId: claim.replay_of_run_id,
            lineageId: claim.replay_of_lineage_id ?? '',
            firstEpoch: claim.first_epoch,
            sameVersion: claim.replay_of_version_id === claim.version_id,
          },
  };
  return claim.ended_at === null ? { outcome: 'ok', actor, tokenId: null, usedAt: null, isSingleUse: false } : { outcome: 'fenced', actor };
}

/** Claims from before limits were stored have none. */
function limitsOfClaim({ max_host_calls, max_writes, max_log_bytes }: store.ClaimWithVersion): TaskActor['limits'] {
  if (max_host_calls === null || max_log_bytes === null) return null;
  return { hostCalls: max_host_calls, writes: max_writes, logBytes: max_log_bytes };
}

/** Whether a token with this list of permissions, made by an owner, is a runner's token. */
export function isRunnerList(list: readonly string[]): boolean {
  return list.length === 1 && list[0] === RUNNER_PERMISSION;
}

export function parsePermissions(json: string): ReadonlySet<string> {
  const list: unknown = JSON.parse(json);
  return new Set(Array.isArray(list) ? list.filter((p) => typeof p === 'string') : []);
}

/** The permissions of an admin, without regard to a token. */
export function permissionsOf(admin: Rights): ReadonlySet<string> {
  return effectivePermissions(admin.role, admin.role_permissions ?? admin.permissions, null);
}

/** `role_permissions`: those of the admin's named role; null: there is none. */
type Rights = Pick<AdminRow, 'role' | 'permissions' | 'role_permissions'>;

/** The permissions of a token of this admin with this list. */
export function tokenPermissions(admin: Rights, list: readonly string[] | null): ReadonlySet<string> {
  return effectivePermissions(admin.role, admin.role_permissions ?? admin.permissions, list === null ? null : JSON.stringify(list));
}

/**
 * The permissions of a person. What follows from the stored lists is worked out once; the lists themselves are read at each call, so a change
 * counts for the next one.
 */
function effectivePermissions(role: 'owner' | 'staff', adminList: string | null, tokenList: string | null): ReadonlySet<string> {
  const key = JSON.stringify([role, adminList, tokenList]);
  const known = workedOut.get(key);
  if (known) return known;
  const permissions = workOutPermissions(role, adminList, tokenList);
  if (workedOut.size >= WORKED_OUT_MAX) workedOut.clear();
  workedOut.set(key, permissions);
  return permissions;
}

const workedOut = new Map<string, ReadonlySet<string>>();
const WORKED_OUT_MAX = 1000;

/** Old rows may contain the runner's permission; for a person it counts as `admin_api.runner.read`. */
function workOutPermissions(role: 'owner' | 'staff', adminList: string | null, tokenList: string | null): ReadonlySet<string> {
  const own = role === 'owner' ? ownerPermissions : forPeople(parsePermissions(adminList ?? '[]'));
  const token = tokenList === null ? null : forPeople(parsePermissions(tokenList));
  if (role === 'owner' && token === null) return own;
  const kept = [...own].filter((p) => token === null || token.has(p) || (p.endsWith('.read') && token.has(p.replace(/read$/, 'write'))));
  // A token may list only `read` where the admin holds `write`, which implies it.
  const narrowed = [...(token ?? [])].filter((p) => p.endsWith('.read') && own.has(p.replace(/read$/, 'write')));
  const all = new Set([...kept, ...narrowed]);
  if (role !== 'owner') for (const p of ownersOnly) all.delete(p);
  return all;
}

function forPeople(list: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...list].map((permission) => (permission === RUNNER_PERMISSION ? 'admin_api.runner.read' : permission)));
}

export type NewAdmin = {
  name: string;
  email: string;
  role: 'owner' | 'staff';
  role_id?: number | null;
  permissions: readonly Permission[] | null;
  active?: boolean;
};

/** Creates an admin; the caller has checked that no other admin has the email. */
export function createAdmin(db: Db, admin: NewAdmin, now: string): Promise<number> {
  return store.insertAdmin(db, {
    name: admin.name,
    name_folded: sortKey(admin.name),
    email: admin.email,
    email_folded: foldAdminEmail(admin.email),
    role: admin.role,
    role_id: admin.role_id ?? null,
    permissions: admin.permissions === null ? null : JSON.stringify(admin.permissions),
    active: admin.active === false ? 0 : 1,
    created_at: now,
    last_seen_at: null,
  });
}

export type NewToken = {
  adminId: number;
  name: string;
  /** Given for the token of an agent. */
  agent?: AgentRights & { oauthClient: string | null };
  permissions?: readonly Permission[] | null;
  expiresInDays?: number | null;
  expiresAt?: string;
  given?: string;
  /** The token that made the sign-in link from which this one comes. */
  parentTokenId?: number;
  /** Of a sign-in: what the device calls itself. */
  device?: string;
  /** Valid for one request. */
  isSingleUse?: boolean;
};

/** Makes a personal access token and, unless it is for one request alone, a notification of it (spec AU4). The token is returned only here; only its hash is stored. */
export async function createToken(db: Db, options: NewToken, now: string): Promise<{ id: number; token: string }> {
  const expires = options.expiresAt ?? (options.expiresInDays ? timeAfter(now, options.expiresInDays * 86_400_000) : null);
  const id = await store.insertToken(db, {
    admin_id: options.adminId,
    name: options.name,
    token_hash: hashToken(options.given ?? randomSecret()),
    token_prefix: options.given ? options.given.slice(0, 6) : '',
    permissions: options.permissions ? JSON.stringify(options.permissions) : null,
    expires_at: expires,
    last_used_at: null,
    revoked_at: null,
    created_at: now,
    parent_token_id: options.parentTokenId ?? null,
    kind: options.agent ? 'agent' : 'personal',
    device: options.device ?? null,
    sees_personal_data: options.agent?.seesPersonalData ? 1 : 0,
    oauth_client: options.agent?.oauthClient ?? null,
    single_use: options.isSingleUse ? 1 : 0,
  });
  const token = options.given ?? personalAccessToken(id);
  if (!options.given) await store.updateTokenSecret(db, id, hashToken(token), token.slice(0, `pat_${id}_`.length + 4));
  if (options.isSingleUse) return { id, token };
  await store.insertNotification(db, {
    type: 'personal_access_token_created',
    severity: 'info',
    title: 'Personal access token created',
    message: `The token "${options.name}" was created.`,
    metadata: JSON.stringify({ token_id: id, name: options.name, admin_id: options.adminId }),
    created_at: now,
  });
  return { id, token };
}

export function timeAfter(now: string, ms: number): string {
  return new Date(Date.parse(now) + ms).toISOString();
}

/** Creates the first owner if there is no admin. Returns the owner's token for printing, or null. */
export function bootstrapOwner(data: Store, given: string | undefined, now: string): Promise<string | null> {
  return data.write(async (tx) => {
    if ((await store.countAdmins(tx)) > 0) return null;
    const adminId = await createAdmin(tx, { name: 'Owner', email: 'owner@localhost', role: 'owner', permissions: null }, now);
    const { token } = await createToken(tx, { adminId, name: 'first token', ...(given ? { given } : {}) }, now);
    return token;
  });
}

const RUNNER_TOKEN_NAME = 'RUNNER_TOKEN';

/** Registers the token of the machine's own runner and revokes the earlier ones. */
export async function registerRunnerToken(data: Store, token: string, now: string): Promise<void> {
  const hash = hashToken(token);
  await data.write(async (tx) => {
    await store.revokeMachineTokens(tx, RUNNER_TOKEN_NAME, hash, now);
    if (await store.selectByHash(tx, hash)) return;
    await store.insertToken(tx, {
      admin_id: null,
      name: RUNNER_TOKEN_NAME,
      token_hash: hash,
      token_prefix: token.slice(0, 4),
      permissions: null,
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
      created_at: now,
    });
  });
}

const USED_EVERY_MS = 60_000;

type Used = Pick<Extract<Authentication, { outcome: 'ok' }>, 'tokenId' | 'usedAt'>;

/** Stores now and then when a token was used. It is not awaited, because the time of last use may be late or lost. */
export function noteUse({ store: data, log }: Pick<Services, 'store' | 'log'>, { tokenId, usedAt }: Used, now: string): void {
  if (tokenId === null || (usedAt !== null && Date.parse(now) - Date.parse(usedAt) <= USED_EVERY_MS)) return;
  data
    .write((tx) => store.updateLastUsed(tx, tokenId, now))
    .catch((error: unknown) => log.warn({ err: error }, 'the time of last use of a token could not be stored'));
}

/** Whether this is the one request of a token that is valid for one. */
export function takeSingleUse({ store: data }: Pick<Services, 'store'>, tokenId: number, now: string): Promise<boolean> {
  return data.write((tx) => store.takeSingleUse(tx, tokenId, now));
}

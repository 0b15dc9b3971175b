import { type Admin, type AdminName, ConsoleSettings } from '../../../contract/admins.ts';
import { emailKey } from '../../../contract/emails.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { holds, isKnownPermission, type Permission } from '../../../contract/permissions.ts';
import { fold } from '../../../contract/values.ts';
import type { Db } from '../../db/open.ts';
import type { AdminRow } from '../../db/queries/admin-rows.ts';
import { rowVersion } from '../../db/queries/row-version.ts';
import type { Row } from '../../db/tables.ts';
import { foldAdminEmail } from '../../values/stored-emails.ts';
import { sortKey } from '../../values/texts.ts';
import { changesBetween, given } from '../../verbs/changes.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { BY_CREATION, listPage } from '../../verbs/list-pages.ts';
import { notFound, Refusal, refuseValue } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { requirePasskeys, requireSecondOwner } from '../decisions/policy.ts';
import { endPasskeys, hasHadPasskey } from '../passkeys/own.ts';
import { holdRole } from '../roles/domain.ts';
import { readSettings } from '../settings/domain.ts';
import { createAdmin as insertAdmin, parsePermissions, permissionsOf } from '../tokens/domain.ts';
import { endLinks, endSignIns, endTokens } from '../tokens/one-time-links.ts';
import { NO_RIGHTS, type Rights, rightsAfter } from './rules.ts';
import * as store from './store.ts';

const USUAL_CONSOLE: ConsoleSettings = { language: null, overview_cards: null, folded_groups: [], hides_first_steps: false };

export const recordVersions = {
  admin: {
    version: rowVersion('admins'),
    derived: async ({ db }, { id }) => (await store.selectDerived(db, Number(id))) ?? undefined,
  },
} satisfies RecordVersions;

export function listAdmins(ctx: Ctx, query: InputOf<Endpoints['admins.list']>['query']) {
  const list = store.admins(ctx, { searchFolded: fold(query.search ?? ''), active: query.active, roleId: query.role_id });
  return listPage(query, BY_CREATION, { ...list, rows: async (ids) => (await list.rows(ids)).map(toAdmin) });
}

export function adminNames(ctx: Ctx): Promise<AdminName[]> {
  return store.selectNames(ctx.db);
}

export async function getAdmin(ctx: Ctx, id: number): Promise<Admin> {
  const [row] = await store.selectAdmins(ctx.db, [id]);
  if (!row) throw notFound('admin', id);
  return toAdmin(row);
}

/** Whether this is still an active admin who holds the permission. */
export async function isEntitled(db: Db, id: number, permission: Permission): Promise<boolean> {
  return holds(await permissionsNow(db, id), permission);
}

/** The permissions that an admin has now; a deactivated one has none. */
export async function permissionsNow(db: Db, id: number): Promise<ReadonlySet<string>> {
  const [row] = await store.selectAdmins(db, [id]);
  return row?.active === 1 ? permissionsOf(row) : new Set();
}

/** Name and email of each active admin, by `emailKey`. */
export async function adminAddresses({ db }: Pick<Ctx, 'db'>): Promise<ReadonlyMap<string, { name: string; email: string }>> {
  return new Map((await store.selectActive(db)).map((admin) => [emailKey(admin.email), admin]));
}

/** The active admins, oldest first. */
export function activeAdmins(db: Db): Promise<{ id: number; name: string; email: string }[]> {
  return store.selectActive(db);
}

/** The admin who makes the request, with the permissions of the request's token. */
export async function getMe(ctx: Ctx) {
  const { adminId } = actingAdmin(ctx);
  if (ctx.actor.type !== 'admin') throw new Error('a run has no /me');
  const { shop_name: name, currency, currency_exponent, locale, timezone, public_url, smtp } = ctx.settings;
  const [row] = await store.selectAdmins(ctx.db, [adminId]);
  if (!row) throw notFound('admin', adminId);
  return {
    ...toAdmin(row),
    console: consoleOf(row),
    token_id: ctx.actor.tokenId,
    effective_permissions: [...ctx.actor.permissions].sort(),
    shop: {
      ...{ name, currency, currency_exponent, locale, timezone, public_url, low_stock_threshold: ctx.settings.low_stock_threshold },
      sends_mail: smtp !== null,
      payment_provider_configured: ctx.services.payments.cancelSubscription !== null,
    },
  };
}

/** Changes what only the caller sees, so that it counts neither as a change of the admin nor for the admin's ETag. */
export async function updateMe(ctx: Ctx, body: InputOf<Endpoints['me.update']>['body']) {
  const { adminId } = actingAdmin(ctx);
  const row = (await store.lockAdmins(ctx)).find((admin) => admin.id === adminId);
  if (!row) throw notFound('admin', adminId);
  const before = consoleOf(row);
  const wanted = { ...before, ...given(body.console ?? {}) };
  const changes = changesBetween(before, wanted);
  if (Object.keys(changes).length > 0) await store.setConsole(ctx.db, adminId, JSON.stringify(wanted));
  ctx.audit({ resource: { type: 'admin', id: adminId }, changes, summary: `Console of admin ${adminId} changed` });
  return getMe(ctx);
}

export async function createAdmin(ctx: Ctx, body: InputOf<Endpoints['admins.create']>['body']): Promise<Admin> {
  const { name, email, active, role, role_id, permissions, ...rest } = body;
  rest satisfies Record<string, never>;
  const added = { name, email, active, ...rightsAfter(NO_RIGHTS, { role, role_id, permissions }) };
  await store.lockAdmins(ctx);
  const given = added.role_id === null ? null : await holdRole(ctx, added.role_id);
  await ctx.decide({
    ...{ acts: ['change_access'], subject: { type: 'admin', id: null }, decided: { new_admin: added, role: given } },
    ...(added.role === 'owner' && { second: 'needed' }),
  });
  return addAdmin(ctx, added);
}

/** Adds an admin, whose email nobody has yet. */
export async function addAdmin(
  ctx: Ctx,
  { name, email, active, role, role_id, ...rest }: Rights & Pick<Admin, 'name' | 'email' | 'active'>,
) {
  refuseTaken(await store.lockAdmins(ctx), email, null);
  if (role_id !== null) await holdRole(ctx, role_id);
  const permissions = role === 'owner' ? null : rest.permissions.filter(isKnownPermission);
  const id = await insertAdmin(ctx.db, { name, email, role, role_id, active, permissions }, ctx.now);
  const added = { name, email, role, role_id, permissions, active };
  ctx.audit({
    resource: { type: 'admin', id },
    changes: Object.fromEntries(Object.entries(added).map(([field, value]) => [field, [null, value] as [unknown, unknown]])),
    summary: `Admin ${id} "${name}" added`,
  });
  return getAdmin(ctx, id);
}

export async function updateAdmin(ctx: Ctx, id: number, body: InputOf<Endpoints['admins.update']>['body']): Promise<Admin> {
  const admins = await store.lockAdmins(ctx);
  const row = admins.find((admin) => admin.id === id);
  if (!row) throw notFound('admin', id);
  const { role, role_id, permissions, ...fields } = body;
  const { name, email, active, ...rest } = fields;
  rest satisfies Record<string, never>;
  const before = { ...toAdmin(row), ...rightsOf(row) };
  const wanted = { ...before, ...given(fields), ...rightsAfter({ ...before, ofRole: listOfRole(row) }, { role, role_id, permissions }) };
  refuseTaken(admins, wanted.email, id);
  if (wanted.role !== 'owner' || !wanted.active) await refuseLastOwner(ctx, admins, id);
  const newRole = wanted.role_id !== null && wanted.role_id !== before.role_id ? await holdRole(ctx, wanted.role_id) : null;
  const changes = changesBetween(before, wanted);
  if (Object.keys(changes).some((field) => field !== 'name')) {
    const decided = { admin: { id, name: row.name, email: row.email }, changes, role: newRole };
    const second = makesOwner(ctx, row, wanted) && ({ second: 'needed' } as const);
    await ctx.decide({ acts: ['change_access'], subject: { type: 'admin', id }, decided, ...second });
  }
  if (makesOwner(ctx, row, wanted) && (await readSettings(ctx.db)).policy_four_eyes) await endEverything(ctx, id);
  if (Object.keys(changes).length > 0) {
    await store.updateAdmin(ctx.db, id, {
      name: wanted.name,
      name_folded: sortKey(wanted.name),
      email: wanted.email,
      email_folded: foldAdminEmail(wanted.email),
      role: wanted.role,
      role_id: wanted.role_id,
      permissions: JSON.stringify(wanted.permissions),
      active: wanted.active ? 1 : 0,
    });
  }
  if (row.active === 1 && !wanted.active) {
    // The passkeys first: a sign-in that holds one ends before its session is looked for.
    await endPasskeys(ctx, id);
    await endSignIns(ctx, id);
  } else if (wanted.email !== row.email) await endLinks(ctx, id);
  if (Object.keys(changes).some((field) => field !== 'name' && field !== 'email')) await requirePasskeys(ctx);
  ctx.audit({ resource: { type: 'admin', id }, changes, summary: `Admin ${id}: ${Object.keys(changes).join(', ') || 'no change'}` });
  return getAdmin(ctx, id);
}

export async function deleteAdmin(ctx: Ctx, id: number): Promise<undefined> {
  const admins = await store.lockAdmins(ctx);
  const admin = admins.find((one) => one.id === id);
  if (!admin) throw notFound('admin', id);
  await refuseLastOwner(ctx, admins, id);
  if (id === actingAdmin(ctx).adminId || (await store.hasActed(ctx.db, id)) || (await hasHadPasskey(ctx.db, id))) {
    throw new Refusal(
      'in_use',
      `Admin ${id} cannot be deleted, because records name this admin; deactivate the admin instead: PATCH with {"active": false}.`,
    );
  }
  const decided = { deleted_admin: { id, name: admin.name, email: admin.email, role: admin.role } };
  await ctx.decide({ acts: ['change_access'], subject: { type: 'admin', id }, decided });
  await store.deleteAdmin(ctx.db, id);
  ctx.audit({
    resource: { type: 'admin', id },
    changes: { name: [admin.name, null], email: [admin.email, null] },
    summary: `Admin ${id} "${admin.name}" removed`,
  });
}

/** Locks all admins: before what else a transaction locks, so that two never wait for each other. */
export function lockAllAdmins(ctx: Ctx): Promise<AdminRow[]> {
  return store.lockAdmins(ctx);
}

/** Refuses an email that an admin has; none gets it before this transaction ends. */
export async function refuseAdminEmail(ctx: Ctx, email: string): Promise<void> {
  refuseTaken(await store.lockAdmins(ctx), email, null);
}

function refuseTaken(admins: readonly Row<'admins'>[], email: string, ownId: number | null): void {
  if (admins.some((admin) => admin.id !== ownId && emailKey(admin.email) === emailKey(email))) {
    throw refuseValue('duplicate', '/email', `there is already an admin with the email "${email}"`);
  }
}

/** Whether a change of somebody else has an owner act who did not, or from another address: that could be whoever makes the change. */
function makesOwner({ actor }: Ctx, before: AdminRow, wanted: Pick<Admin, 'role' | 'active' | 'email'>): boolean {
  if (wanted.role !== 'owner' || (actor.type === 'admin' && actor.adminId === before.id)) return false;
  return before.role !== 'owner' || (before.active !== 1 && wanted.active) || before.email !== wanted.email;
}

/** Ends what signs in as somebody, whoever has made it: they sign in by mail, or by a link of a command on the machine. */
async function endEverything(ctx: Ctx, id: number): Promise<void> {
  const because = 'can act as an owner now';
  await endPasskeys(ctx, id, because);
  await endTokens(ctx, id, because);
}

async function refuseLastOwner(ctx: Ctx, admins: readonly AdminRow[], id: number): Promise<void> {
  const left = admins.filter((admin) => admin.id !== id && admin.active === 1);
  const isOwner = admins.some((admin) => admin.id === id && admin.role === 'owner' && admin.active === 1);
  if (isOwner && (await readSettings(ctx.db)).policy_four_eyes) requireSecondOwner(left);
  if (left.some(({ role }) => role === 'owner')) return;
  throw new Refusal('last_owner', `Admin ${id} is the last active owner; make another admin an active owner first.`);
}

function toAdmin(row: AdminRow): Admin {
  const { id, name, email, role, role_id, role_name, created_at, last_seen_at } = row;
  const permissions = [...permissionsOf(row)].sort();
  return { id, name, email, role, role_id, role_name, permissions, active: row.active === 1, created_at, last_seen_at };
}

function consoleOf(row: Row<'admins'>): ConsoleSettings {
  return row.console === null ? USUAL_CONSOLE : ConsoleSettings.parse({ ...USUAL_CONSOLE, ...JSON.parse(row.console) });
}

/** The rights as they are stored: with a list of their own even while the role of an owner gives more. */
function rightsOf({ role, role_id, permissions }: AdminRow): Rights {
  return { role, role_id, permissions: [...parsePermissions(permissions ?? '[]')] };
}

function listOfRole({ role_permissions }: AdminRow): readonly string[] | null {
  return role_permissions === null ? null : [...parsePermissions(role_permissions)];
}

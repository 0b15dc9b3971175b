import { type ListedToken, type NewToken, type OwnTokenBody, SINGLE_USE_MINUTES, type TokenBody } from '../../../contract/admins.ts';
import { holds, isKnownPermission, type Permission } from '../../../contract/permissions.ts';
import type { Row } from '../../db/tables.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { notFound, Refusal, refuseValue } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { readSettings } from '../settings/domain.ts';
import { createToken, isRunnerList, parsePermissions, permissionsOf, timeAfter, tokenPermissions } from './domain.ts';
import { LINK_CODE_PATH, makeAdminLink } from './one-time-links.ts';
import * as store from './store.ts';

export const recordVersions = {
  // A token does not change, except that it is revoked.
  token: async (db, { id }, actor) =>
    actor.type === 'admin' && (await store.isTokenOf(db, actor.adminId, { id: Number(id), kind: 'personal' })) ? 1 : null,
} satisfies RecordVersions;

export async function listOwnTokens(ctx: Ctx): Promise<ListedToken[]> {
  const rows = await store.selectTokensOf(ctx.db, actingAdmin(ctx).adminId);
  return rows.map(toListed);
}

export function createOwnToken(ctx: Ctx, { single_use, ...body }: OwnTokenBody): Promise<NewToken> {
  if (single_use && body.expires_in_days != null)
    throw refuseValue(
      'invalid_value',
      '/expires_in_days',
      `a token for one request is valid for ${SINGLE_USE_MINUTES} minutes; leave it out`,
    );
  return createTokenFor(ctx, actingAdmin(ctx).adminId, body, single_use);
}

/**
 * Makes a token, which may have at most the permissions of the requesting token (spec AU12). Without a list
 * it gets all permissions of its admin if the requesting token has them all, else those that the requesting token and the
 * admin have in common.
 */
export async function createTokenFor(ctx: Ctx, adminId: number, body: TokenBody, isSingleUse = false): Promise<NewToken> {
  const { name, permissions, expires_in_days, ...rest } = body;
  rest satisfies Record<string, never>;
  if (ctx.actor.type !== 'admin') throw new Error('only an admin makes tokens');
  const held = ctx.actor.permissions;
  const admin = await store.selectAdmin(ctx.db, adminId);
  if (!admin) throw notFound('admin', adminId);
  const own = permissionsOf(admin);
  const list = body.permissions ?? (isWithin(own, held) ? null : [...held].filter(isPermission).filter((one) => holds(own, one)));
  if (isSingleUse && isRunnerList(list ?? []))
    throw refuseValue('invalid_value', '/permissions', 'a runner needs a token for more than one request; leave single_use out');
  if (isRunnerList(list ?? []) && !(ctx.actor.role === 'owner' && admin.role === 'owner' && isWithin(own, held))) {
    throw new Refusal(
      'permission_not_held',
      `The token of a runner can only be made by an owner whose token has all permissions, and only for an owner.`,
    );
  }
  requireWithin(ctx, tokenPermissions(admin, list));
  const lasts = isSingleUse
    ? // It ends with the token or session that made it, which could have ended so that nothing of it decides any more.
      { isSingleUse, expiresAt: timeAfter(ctx.now, SINGLE_USE_MINUTES * 60_000), parentTokenId: ctx.actor.tokenId }
    : { expiresInDays: body.expires_in_days ?? null };
  await refuseForOwner(ctx, admin);
  // A token for one request makes no other, has at most the rights of the token that asks, and is gone in ten minutes (spec AU19).
  if (!isSingleUse) {
    const token = { name: body.name, permissions: list, expires_in_days: body.expires_in_days ?? null };
    await ctx.decide({ acts: ['make_token'], subject: { type: 'token', id: null }, decided: { admin: namedAdmin(admin), token } });
  }
  const { id, token } = await createToken(ctx.db, { adminId, name: body.name, permissions: list, ...lasts }, ctx.now);
  ctx.audit({
    resource: { type: 'token', id },
    changes: { name: [null, body.name], admin_id: [null, adminId], permissions: [null, list] },
    summary: `Token ${id} "${body.name}" made for admin ${adminId}`,
  });
  const row = await store.selectToken(ctx.db, id);
  if (!row) throw new Error('a token that was just made is gone');
  const { last_used_at: _, never_expires: __, device: ___, single_use: ____, ...shown } = toListed(row);
  return { ...shown, token };
}

/** Makes a link that signs in once as another admin, who may at most what the requesting token may. */
export async function createSignInLinkFor(ctx: Ctx, adminId: number, { minutes, isVouched }: { minutes: number; isVouched: boolean }) {
  if (ctx.actor.type !== 'admin') throw new Error('only an admin makes links');
  const admin = await store.selectAdmin(ctx.db, adminId);
  if (!admin) throw notFound('admin', adminId);
  if (admin.active !== 1) throw new Refusal('admin_inactive', `Admin ${adminId} is deactivated, so no link signs in as them.`);
  requireWithin(ctx, permissionsOf(admin));
  await refuseForOwner(ctx, admin);
  const decided = { admin: namedAdmin(admin), sign_in_link: { minutes, allows_passkey: isVouched } };
  await ctx.decide({ acts: ['make_token'], subject: { type: 'one_time_link', id: null }, decided });
  const { code, expires_at } = await makeAdminLink(ctx, { adminId, madeBy: ctx.actor.adminId, lifetimeMs: minutes * 60_000, isVouched });
  return { code, url_path: `${LINK_CODE_PATH}${code}`, expires_at };
}

/** Refuses to make what signs in as another owner: whoever has it would be two owners. */
async function refuseForOwner(ctx: Ctx, admin: Pick<Row<'admins'>, 'id' | 'role'>): Promise<void> {
  if (admin.role !== 'owner' || (ctx.actor.type === 'admin' && ctx.actor.adminId === admin.id)) return;
  if (!(await readSettings(ctx.db)).policy_four_eyes) return;
  throw new Refusal(
    'second_person_required',
    `While the policy takes two owners, nobody makes a token or a link for another owner: ${admin.id} signs in by a passkey, by mail, or by a link of a command on the machine.`,
  );
}

/** How a decision names an admin. */
function namedAdmin({ id, name, email, role }: Pick<Row<'admins'>, 'id' | 'name' | 'email' | 'role'>) {
  return { id, name, email, role };
}

/** Refuses to give somebody more than the requesting token has (spec AU12). */
export function requireWithin({ actor }: Ctx, permissions: ReadonlySet<string>): void {
  const held = actor.type === 'admin' ? actor.permissions : new Set<string>();
  const exceeding = [...permissions].filter((one) => !isPermission(one) || !holds(held, one));
  if (exceeding.length === 0) return;
  throw new Refusal(
    'permission_not_held',
    `The token of this request does not hold ${exceeding.slice(0, 5).join(', ')}; it cannot give more than it has.`,
  );
}

/** Revokes a token at once, with those that come from its sign-in links: the next request with it gets 401 (spec AU2). */
export async function revokeOwnToken(ctx: Ctx, id: number): Promise<undefined> {
  return revokeWithDescendants(ctx, actingAdmin(ctx).adminId, { id, kind: 'personal' });
}

/** Revokes a token or a session, with those that come from its sign-in links. */
export async function revokeWithDescendants(ctx: Ctx, adminId: number, token: Pick<Row<'tokens'>, 'id' | 'kind'>): Promise<undefined> {
  const { id, kind } = token;
  const what = kind === 'session' ? 'session' : 'token';
  if (!(await store.revokeTokenOf(ctx.db, adminId, token, ctx.now))) throw notFound(what, id);
  const summary = kind === 'session' ? `Session ${id} ended` : `Token ${id} revoked`;
  ctx.audit({ resource: { type: 'token', id }, changes: { revoked_at: [null, ctx.now] }, summary });
  for (const descendant of await store.revokeDescendants(ctx.db, id, ctx.now)) {
    const summary = `Token ${descendant} revoked with ${what} ${id}, whose sign-in link it comes from`;
    ctx.audit({ resource: { type: 'token', id: descendant }, changes: { revoked_at: [null, ctx.now] }, summary });
  }
}

function isWithin(some: ReadonlySet<string>, held: ReadonlySet<string>): boolean {
  return [...some].every((one) => isPermission(one) && holds(held, one));
}

function isPermission(text: string): text is Permission {
  return isKnownPermission(text);
}

function toListed(row: Row<'tokens'>): ListedToken {
  const { id, name, token_prefix, expires_at, created_at, last_used_at } = row;
  return {
    id,
    name,
    token_prefix,
    permissions: row.permissions === null ? null : [...parsePermissions(row.permissions)],
    expires_at,
    created_at,
    last_used_at,
    never_expires: expires_at === null,
    device: row.device,
    single_use: row.single_use === 1,
  };
}

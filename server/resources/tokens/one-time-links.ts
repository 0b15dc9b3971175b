import { isKnownPermission, type Permission } from '../../../contract/permissions.ts';
import type { NewRow, Row } from '../../db/tables.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { type Refusal, refuseValue } from '../../verbs/problem.ts';
import type { Retention } from '../../verbs/retention.ts';
import { authenticateMaker, createToken, parsePermissions, timeAfter } from './domain.ts';
import * as links from './one-time-links-store.ts';
import { hashToken, randomSecret } from './secret.ts';
import * as store from './store.ts';

export const linkRetention: Retention = { days: () => 1, deleteBatch: links.deleteOldLinks };

/** The path of the console that signs in with the code behind it. */
export const LINK_CODE_PATH = '/sign-in#';
/** How long a sign-in by a link lasts at most, and where somebody wants to stay signed in. */
export const SIGNED_IN_MS = 12 * 3_600_000;
const KEPT_MS = 30 * 86_400_000;
const TOKEN_NAME = 'Sign-in link';

/** Makes a link that signs in once as the calling admin. Only the hash of its code is stored. */
export async function createSignInLink(ctx: Ctx, minutes: number) {
  const { adminId, name } = actingAdmin(ctx);
  const decided = { admin: { id: adminId, name }, sign_in_link: { minutes } };
  await ctx.decide({ acts: ['make_token'], subject: { type: 'one_time_link', id: null }, decided });
  const { code, expires_at } = await makeLink(ctx, { target: null, lifetimeMs: minutes * 60_000, what: 'Sign-in link' });
  return { code, url_path: `${LINK_CODE_PATH}${code}`, expires_at };
}

/** What a link is made of: `target` is the path of the file that it downloads; null: it signs in. */
type NewLink = { target: string | null; lifetimeMs: number; what: string };

export async function makeLink(ctx: Ctx, { target, lifetimeMs, what }: NewLink): Promise<{ code: string; expires_at: string }> {
  const { actor } = ctx;
  if (actor.type !== 'admin') throw new Error('only an admin makes links');
  return insertLink(ctx, { token_id: actor.tokenId, target }, lifetimeMs, what);
}

type AdminLink = { adminId: number; madeBy: number | null; lifetimeMs: number; isVouched?: boolean };

/** Makes a link that signs in once as an admin. `madeBy`: the owner who hands it over; null: it is sent to the admin's own address. */
export function makeAdminLink(ctx: Ctx, { adminId, madeBy, lifetimeMs, isVouched = false }: AdminLink) {
  return insertLink(ctx, { admin_id: adminId, made_by: madeBy, enrols: isVouched ? 1 : 0 }, lifetimeMs, 'Sign-in link');
}

/** Makes the only link of an invitation; an earlier one stops working. */
export async function makeInvitationLink(
  ctx: Ctx,
  { invitationId, lifetimeMs, isVouched }: { invitationId: number; lifetimeMs: number; isVouched: boolean },
) {
  await links.deleteLinksOfInvitation(ctx.db, invitationId);
  return insertLink(ctx, { invitation_id: invitationId, enrols: isVouched ? 1 : 0 }, lifetimeMs, 'Link of an invitation');
}

type LinkColumns = Partial<Pick<NewRow<'one_time_links'>, 'token_id' | 'target' | 'admin_id' | 'invitation_id' | 'made_by' | 'enrols'>>;

async function insertLink(ctx: Ctx, columns: LinkColumns, lifetimeMs: number, what: string) {
  const code = randomSecret(ctx.random);
  const expires_at = timeAfter(ctx.now, lifetimeMs);
  const row = { token_id: null, target: null, ...columns, code_hash: hashToken(code), expires_at, used_at: null, created_at: ctx.now };
  const id = await links.insertLink(ctx.db, row);
  // A query may have what somebody searched for, such as a name, or thousands of ids: neither is kept for as long as an audit entry.
  const target = columns.target?.split('?')[0];
  const shown = Object.entries({ ...columns, ...(target === undefined ? {} : { target }), expires_at }).filter(
    ([name, value]) => value !== null && !(name === 'enrols' && value === 0),
  );
  ctx.audit({
    resource: { type: 'one_time_link', id },
    changes: Object.fromEntries(shown.map(([name, value]) => [name, [null, value] as [unknown, unknown]])),
    summary: `${what} ${id} made, until ${expires_at}`,
  });
  return { code, expires_at };
}

/** How somebody wants to be signed in. */
export type SignIn = { keep_signed_in: boolean; device: string };

/**
 * Makes a token for whoever knows the code of a sign-in link. Of a link that a token made, it has the list of permissions of that token, which
 * must still be valid; when that one ends, this one does. Of another, it may what its admin may.
 */
export async function redeemSignInLink(ctx: Ctx, { code, ...wanted }: SignIn & { code: string }) {
  const link = await links.selectSignInLink(ctx.db, hashToken(code), ctx.now);
  if (!link || link.invitation_id !== null) throw invalidCode();
  const who = link.token_id === null ? await adminOf(ctx, link) : await makerOf(ctx, link.token_id);
  if (!who || !(await links.useLink(ctx.db, link.id, ctx.now))) throw invalidCode();
  return { link, signedIn: await signIn(ctx, { ...who, by: `sign-in link ${link.id}` }, wanted) };
}

type Who = { adminId: number; name: string; permissions: readonly Permission[] | null; parent: Row<'tokens'> | null };

/** Who signs in by a link that a token made, while that token is valid; it is held until the end of the transaction. */
async function makerOf(ctx: Ctx, tokenId: number): Promise<Who | null> {
  const { admin_id } = (await store.selectToken(ctx.db, tokenId)) ?? { admin_id: null };
  if (admin_id === null) return null;
  // The admin first, as whoever deactivates somebody locks the admin before the tokens.
  await store.holdAdmins(ctx, [admin_id]);
  await store.holdWithAncestors(ctx, tokenId);
  const maker = await authenticateMaker(ctx.db, tokenId, ctx.now);
  if (maker.outcome !== 'ok' || maker.actor.type !== 'admin') return null;
  const parent = await store.selectToken(ctx.db, tokenId);
  if (!parent) return null;
  const permissions = parent.permissions === null ? null : [...parsePermissions(parent.permissions)].filter(isKnownPermission);
  return { adminId: maker.actor.adminId, name: maker.actor.name, permissions, parent };
}

/** Who signs in by a link of their own, while they are active and whoever made it is an owner. */
async function adminOf(ctx: Ctx, { admin_id, made_by }: links.SignInLink): Promise<Who | null> {
  if (admin_id === null) return null;
  const held = await store.holdAdmins(ctx, made_by === null ? [admin_id] : [admin_id, made_by]);
  const admin = held.find(({ id }) => id === admin_id);
  const maker = held.find(({ id }) => id === made_by);
  if (admin?.active !== 1 || (made_by !== null && !isActiveOwner(maker))) return null;
  return { adminId: admin.id, name: admin.name || admin.email, permissions: null, parent: null };
}

export function isActiveOwner(admin: Pick<Row<'admins'>, 'active' | 'role'> | undefined): boolean {
  return admin?.active === 1 && admin.role === 'owner';
}

/** Signs in: makes a token that ends by itself, and before that with its parent. `by`: how, for the audit log. */
export async function signIn(
  ctx: Ctx,
  { adminId, name, permissions, parent, by }: Who & { by: string },
  { keep_signed_in, device }: SignIn,
) {
  const latest = timeAfter(ctx.now, keep_signed_in ? KEPT_MS : SIGNED_IN_MS);
  const ends = parent?.expires_at ?? null;
  const expires_at = ends !== null && ends < latest ? ends : latest;
  const wanted = { adminId, name: TOKEN_NAME, permissions, expiresAt: expires_at, device };
  const { id, token } = await createToken(ctx.db, parent ? { ...wanted, parentTokenId: parent.id } : wanted, ctx.now);
  ctx.audit({
    resource: { type: 'token', id },
    changes: {
      name: [null, TOKEN_NAME],
      admin_id: [null, adminId],
      permissions: [null, permissions],
      expires_at: [null, expires_at],
      device: [null, device],
    },
    summary: `Token ${id} "${TOKEN_NAME}" made for admin ${adminId} by ${by}${parent ? ` of token ${parent.id}` : ''}`,
  });
  return { token, token_id: id, expires_at, admin: { id: adminId, name } };
}

/** The invitation whose link has this code and still works, with the link. */
export async function findInvitationLink(ctx: Ctx, code: string): Promise<{ link: links.SignInLink; invitationId: number }> {
  const link = await links.selectSignInLink(ctx.db, hashToken(code), ctx.now);
  if (!link || link.invitation_id === null) throw invalidCode();
  return { link, invitationId: link.invitation_id };
}

/** Uses a link up; refuses if another request was faster. */
export async function useUp(ctx: Ctx, linkId: number): Promise<void> {
  if (!(await links.useLink(ctx.db, linkId, ctx.now))) throw invalidCode();
}

export function countMailedLinks(ctx: Pick<Ctx, 'db'>, adminId: number, since: string): Promise<number> {
  return links.countMailedLinks(ctx.db, adminId, since);
}

/** Ends every sign-in of an admin by a link, and the links that wait for one. */
export async function endSignIns(ctx: Ctx, adminId: number): Promise<void> {
  await links.deleteLinksOfAdmin(ctx.db, adminId);
  for (const id of await store.revokeSignIns(ctx.db, adminId, ctx.now)) {
    const summary = `Token ${id} revoked, because admin ${adminId} was deactivated`;
    ctx.audit({ resource: { type: 'token', id }, changes: { revoked_at: [null, ctx.now] }, summary });
  }
}

/** Ends every token of an admin, whoever has made it, and the links that wait for one. */
export async function endTokens(ctx: Ctx, adminId: number, because: string): Promise<void> {
  await links.deleteLinksOfAdmin(ctx.db, adminId);
  for (const id of await store.revokeAllOf(ctx.db, adminId, ctx.now)) {
    const summary = `Token ${id} revoked, because admin ${adminId} ${because}`;
    ctx.audit({ resource: { type: 'token', id }, changes: { revoked_at: [null, ctx.now] }, summary });
  }
}

/** Ends the links that wait for an admin, such as those in mails to an address that is not theirs any more. */
export async function endLinks(ctx: Ctx, adminId: number): Promise<void> {
  await links.deleteLinksOfAdmin(ctx.db, adminId);
}

/**
 * Ends the links that wait and that a token has made. Those that were sent to their own admin stay, as do those for which a passkey or the
 * machine has vouched.
 */
export async function endLinksOfTokens(ctx: Ctx): Promise<void> {
  for (const id of await links.deleteLinksOfTokens(ctx.db))
    ctx.audit({ resource: { type: 'one_time_link', id }, changes: {}, summary: `Sign-in link ${id} ended: links ask for a passkey now` });
}

/** Ends the links that wait and sign in as an owner, made by another. */
export async function endLinksForOwners(ctx: Ctx): Promise<void> {
  for (const id of await links.deleteLinksForOwners(ctx.db))
    ctx.audit({
      resource: { type: 'one_time_link', id },
      changes: {},
      summary: `Sign-in link ${id} ended: the policy takes two owners now`,
    });
}

/** One refusal for all reasons, so that it tells nothing about links (spec AU6). */
export function invalidCode(): Refusal {
  return refuseValue('invalid_code', '/code', 'is unknown, expired or used; ask for a new link');
}

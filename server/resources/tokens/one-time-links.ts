import { isKnownPermission } from '../../../contract/permissions.ts';
import type { Ctx } from '../../verbs/context.ts';
import { type Refusal, refuseValue } from '../../verbs/problem.ts';
import type { Retention } from '../../verbs/retention.ts';
import { authenticateMaker, createToken, parsePermissions, timeAfter } from './domain.ts';
import * as links from './one-time-links-store.ts';
import { hashToken, randomSecret } from './secret.ts';
import * as store from './store.ts';

export const linkRetention: Retention = { days: () => 1, deleteBatch: links.deleteOldLinks };

/** The path of the console that signs in with the code behind it. */
export const LINK_CODE_PATH = '/sign-in#';
/** How long a sign-in by a link lasts at most. */
export const SIGNED_IN_MS = 12 * 3_600_000;
const TOKEN_NAME = 'Sign-in link';

/** Makes a link that signs in once as the calling admin. Only the hash of its code is stored. */
export async function createSignInLink(ctx: Ctx, minutes: number) {
  const { code, expires_at } = await makeLink(ctx, { target: null, lifetimeMs: minutes * 60_000, what: 'Sign-in link' });
  return { code, url_path: `${LINK_CODE_PATH}${code}`, expires_at };
}

/** What a link is made of: `target` is the path of the file that it downloads; null: it signs in. */
type NewLink = { target: string | null; lifetimeMs: number; what: string };

export async function makeLink(ctx: Ctx, { target, lifetimeMs, what }: NewLink): Promise<{ code: string; expires_at: string }> {
  const { actor } = ctx;
  if (actor.type !== 'admin') throw new Error('only an admin makes links');
  const code = randomSecret(ctx.random);
  const expires_at = timeAfter(ctx.now, lifetimeMs);
  const id = await links.insertLink(ctx.db, {
    token_id: actor.tokenId,
    code_hash: hashToken(code),
    ...{ target, expires_at },
    used_at: null,
    created_at: ctx.now,
  });
  ctx.audit({
    resource: { type: 'one_time_link', id },
    changes: { token_id: [null, actor.tokenId], target: [null, target], expires_at: [null, expires_at] },
    summary: `${what} ${id} made, until ${expires_at}`,
  });
  return { code, expires_at };
}

/**
 * Makes a token for whoever knows the code of a sign-in link. It has the list of permissions of the token that made the link, and that
 * token must still be valid; when that one ends, this one does.
 */
export async function redeemSignInLink(ctx: Ctx, code: string) {
  const link = await links.useSignInLink(ctx.db, hashToken(code), ctx.now);
  if (link) await store.holdWithAncestors(ctx, link.token_id);
  const maker = link && (await authenticateMaker(ctx.db, link.token_id, ctx.now));
  if (maker?.outcome !== 'ok' || maker.actor.type !== 'admin') throw invalidCode();
  const made = await store.selectToken(ctx.db, maker.actor.tokenId);
  if (!made) throw invalidCode();
  const permissions = made.permissions === null ? null : [...parsePermissions(made.permissions)].filter(isKnownPermission);
  const { adminId, name } = maker.actor;
  const latest = timeAfter(ctx.now, SIGNED_IN_MS);
  const expires_at = made.expires_at !== null && made.expires_at < latest ? made.expires_at : latest;
  const wanted = { adminId, name: TOKEN_NAME, permissions, expiresAt: expires_at, parentTokenId: made.id };
  const { id, token } = await createToken(ctx.db, wanted, ctx.now);
  ctx.audit({
    resource: { type: 'token', id },
    changes: { name: [null, TOKEN_NAME], admin_id: [null, adminId], permissions: [null, permissions], expires_at: [null, expires_at] },
    summary: `Token ${id} "${TOKEN_NAME}" made for admin ${adminId} by sign-in link ${link?.id} of token ${made.id}`,
  });
  return { token, expires_at, admin: { id: adminId, name } };
}

/** One refusal for all reasons, so that it tells nothing about links (spec AU6). */
function invalidCode(): Refusal {
  return refuseValue('invalid_code', '/code', 'is unknown, expired or used; ask for a new sign-in link');
}

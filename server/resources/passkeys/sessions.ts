import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { SESSION_TOKEN_MINUTES, type Session } from '../../../contract/sessions.ts';
import type { Row } from '../../db/tables.ts';
import type { Services } from '../../services.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { notFound, Refusal } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import type { Retention } from '../../verbs/retention.ts';
import { permissionsOf, SESSION_TOKEN_PREFIX, timeAfter } from '../tokens/domain.ts';
import { requireWithin, revokeWithDescendants } from '../tokens/own.ts';
import { hashToken, randomSecret } from '../tokens/secret.ts';
import { isSessionOf, openSessionToken, tokenHolder } from '../tokens/sessions.ts';
import { newChallenge, usedChallenge } from './challenges.ts';
import { requirePlace } from './place.ts';
import * as store from './sessions-store.ts';
import { acceptAssertion, assertionOptions, refused } from './webauthn.ts';

/** A session that nobody renews ends after so long, and each at the latest after so long. */
const IDLE_MS = 12 * 3_600_000;
export const SESSION_MS = 7 * 86_400_000;
const IDLE_AT_A_TIME = 100;

export const sessionRetentions: readonly Retention[] = [
  { days: () => 0, deleteBatch: store.deleteOldSessionTokens },
  { days: () => 30, deleteBatch: store.deleteOldSessions },
];

export const recordVersions = {
  // A session is seen by whoever it belongs to, and does not change but in its derived fields.
  session: async (db, { id }, actor) => {
    if (actor.type !== 'admin') return null;
    return (await isSessionOf(db, actor.adminId, Number(id))) ? 1 : null;
  },
} satisfies RecordVersions;

/** What a browser needs to sign in by a passkey; it finds those of this place by itself. */
export async function signInChallenge(ctx: Ctx) {
  const place = requirePlace(ctx);
  return { options: assertionOptions(place, await newChallenge(ctx, 'sign_in', null), null) };
}

/** Signs in by a passkey. Whatever session the browser had ends: an id that somebody has slipped into it opens nothing (fixation). */
export async function signInByPasskey(
  ctx: Ctx,
  { credential, device }: InputOf<Endpoints['session.create']>['body'],
  earlier: string | null,
) {
  const challenge = await usedChallenge(ctx, credential.response.clientDataJSON, 'sign_in', null);
  const { passkey, adminId } = await acceptAssertion(ctx, { credential, challenge, adminId: null });
  const admin = await tokenHolder(ctx.db, adminId);
  if (admin?.active !== 1) throw refused('it is not known here as a passkey of whoever asks');
  if (earlier !== null) await endSession(ctx, earlier);
  return openSession(ctx, { admin, passkeyId: passkey.id, device });
}

type Opened = { admin: Pick<Row<'admins'>, 'id' | 'name' | 'email'>; passkeyId: number; device: string };

/** Opens a session, with a secret that no browser knew before. */
export async function openSession(ctx: Ctx, { admin, passkeyId, device }: Opened) {
  const expires_at = timeAfter(ctx.now, SESSION_MS);
  const id = await openSessionToken(ctx, { adminId: admin.id, device, expiresAt: expires_at });
  const secret = randomSecret();
  const row = { id, secret_hash: hashToken(secret), passkey_id: passkeyId, address: ctx.ip, renewed_at: ctx.now, expires_at };
  await store.insertSession(ctx.db, row);
  ctx.audit({
    resource: { type: 'token', id },
    changes: { name: [null, 'Session'], admin_id: [null, admin.id], expires_at: [null, expires_at], device: [null, device] },
    summary: `Session ${id} of admin ${admin.id} opened by passkey ${passkeyId}`,
  });
  return { secret, answer: await nextToken(ctx, row, admin) };
}

/** Makes the next access token of a session. */
async function nextToken({ db, now }: Ctx, session: Row<'sessions'>, { id, name, email }: Opened['admin']) {
  const token = `${SESSION_TOKEN_PREFIX}${randomSecret()}`;
  const expires_at = timeAfter(now, SESSION_TOKEN_MINUTES * 60_000);
  await store.insertSessionToken(db, { token_hash: hashToken(token), session_id: session.id, expires_at });
  return { token, expires_at, session_id: session.id, session_expires_at: session.expires_at, admin: { id, name: name || email } };
}

/** Gives the next token of a session that goes on. One refusal for all reasons why it does not (spec AU6). */
export async function renewSession(ctx: Ctx, secret: string | null) {
  const row = secret === null ? undefined : await store.selectBySecret(ctx.db, hashToken(secret));
  if (!row || !isOpen(row, ctx.now)) throw new Refusal('unauthorized', 'There is no session, or it has ended; sign in again.');
  await store.noteRenewal(ctx.db, row.id, { renewed_at: ctx.now, address: ctx.ip });
  return nextToken(ctx, row, { id: row.admin_id, name: row.admin_name, email: row.admin_email });
}

function isOpen({ revoked_at, expires_at, renewed_at, admin_active }: store.SessionRow, now: string): boolean {
  return revoked_at === null && admin_active === 1 && expires_at > now && renewed_at > timeAfter(now, -IDLE_MS);
}

/** Signs out. A session that is unknown has ended already. */
export async function endSession(ctx: Ctx, secret: string): Promise<void> {
  const row = await store.selectBySecret(ctx.db, hashToken(secret));
  if (row && row.revoked_at === null) await end(ctx, row.admin_id, row.id);
}

async function end(ctx: Ctx, adminId: number, id: number): Promise<void> {
  await revokeWithDescendants(ctx, adminId, { id, kind: 'session' });
  ctx.after(() => ctx.services.access.fire());
}

/** Ends the sessions that nobody renews, since what was opened with one does not look at its renewals (spec AU21); each in a transaction. */
export async function endIdleSessions({ store: { reader }, transact }: Pick<Services, 'store' | 'transact'>): Promise<void> {
  for (const id of await store.selectIdle(reader, timesAt(new Date().toISOString()), IDLE_AT_A_TIME)) {
    await transact('session.end', async (ctx) => {
      const row = await store.holdIdle(ctx, id, timesAt(ctx.now));
      if (row) await end(ctx, row.admin_id, id);
    });
  }
}

/** By which times a session has ended. */
function timesAt(now: string): store.Times {
  return { now, idleSince: timeAfter(now, -IDLE_MS) };
}

export async function listSessionsOf(ctx: Ctx, adminId: number): Promise<Session[]> {
  const current = ctx.actor.type === 'admin' ? ctx.actor.tokenId : null;
  const found = await store.selectSessionsOf(ctx.db, adminId, timesAt(ctx.now));
  return found.map(({ id, device, address, passkey_name, created_at, last_used_at, expires_at }) => ({
    ...{ id, device: device ?? '', address, passkey: passkey_name, is_current: id === current },
    ...{ created_at, last_used_at, expires_at },
  }));
}

export async function revokeOwnSession(ctx: Ctx, id: number): Promise<undefined> {
  await end(ctx, actingAdmin(ctx).adminId, id);
}

export async function revokeOtherSessions(ctx: Ctx): Promise<{ ended: number }> {
  const { adminId } = actingAdmin(ctx);
  const others = await otherThanOwn(ctx, await store.selectOpenIds(ctx.db, { adminId }, timesAt(ctx.now)));
  for (const id of others) await end(ctx, adminId, id);
  ctx.audit({
    resource: { type: 'admin', id: adminId },
    changes: {},
    summary: `${others.length} other sessions of admin ${adminId} ended`,
  });
  return { ended: others.length };
}

/** Ends the sessions that a passkey opened, except the one that asks. */
export async function endSessionsOfPasskey(ctx: Ctx, passkeyId: number): Promise<void> {
  const { adminId } = actingAdmin(ctx);
  const open = await store.selectOpenIds(ctx.db, { passkeyId }, timesAt(ctx.now));
  for (const id of await otherThanOwn(ctx, open)) await end(ctx, adminId, id);
}

async function otherThanOwn({ actor }: Ctx, ids: readonly number[]): Promise<number[]> {
  return ids.filter((id) => actor.type !== 'admin' || id !== actor.tokenId);
}

/** Ends a session of somebody who may at most what the request's token may: nobody ends that of a stronger one. */
export async function revokeSessionOf(ctx: Ctx, adminId: number, id: number): Promise<undefined> {
  const admin = await tokenHolder(ctx.db, adminId);
  if (!admin) throw notFound('admin', adminId);
  requireWithin(ctx, permissionsOf(admin));
  await end(ctx, adminId, id);
}

import { z } from 'zod';
import type { Confirmation } from '../../../contract/passkeys.ts';
import type { PasskeyAssertion } from '../../../contract/webauthn.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import type { Retention } from '../../verbs/retention.ts';
import { timeAfter } from '../tokens/domain.ts';
import { hashToken } from '../tokens/secret.ts';
import { requirePlace } from './place.ts';
import * as store from './store.ts';
import { type Asserted, acceptAssertion, assertionOptions, refused } from './webauthn.ts';

/** A challenge is good for one answer, to what it was asked for, by whom it was asked for; only its hash is kept. */
type Purpose = Confirmation | 'sign_in' | 'enrol';

const VALID_MS = 300_000;

export const challengeRetention: Retention = { days: () => 0, deleteBatch: store.deleteOldChallenges };

export async function newChallenge({ db, now, random }: Ctx, purpose: Purpose, adminId: number | null): Promise<string> {
  const challenge = random(32).toString('base64url');
  const expires_at = timeAfter(now, VALID_MS);
  await store.insertChallenge(db, { challenge_hash: hashToken(challenge), purpose, admin_id: adminId, expires_at });
  return challenge;
}

const ClientData = z.object({ challenge: z.string().max(1000) });

/** The challenge that an answer says it answers, which is thereby used up: it must wait for this purpose, and for this person. */
export async function usedChallenge(ctx: Ctx, clientDataJSON: string, purpose: Purpose, adminId: number | null): Promise<string> {
  const challenge = challengeOf(clientDataJSON);
  const waiting = await store.takeChallenge(ctx.db, hashToken(challenge), ctx.now);
  if (waiting?.purpose !== purpose || waiting.admin_id !== adminId) {
    throw refused('its challenge is unknown, too old, used, or was asked for something else');
  }
  return challenge;
}

function challengeOf(clientDataJSON: string): string {
  try {
    return ClientData.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())).challenge;
  } catch (error) {
    throw refused(error instanceof Error ? 'what the browser says of it cannot be read' : 'it cannot be read');
  }
}

/** What one of the caller's passkeys is asked to confirm. */
export async function askToConfirm(ctx: Ctx, purpose: Confirmation) {
  const { adminId } = actingAdmin(ctx);
  const place = requirePlace(ctx);
  const own = (await store.selectPasskeysOf(ctx.db, adminId)).filter(({ rp_id }) => rp_id === place.rpId);
  if (own.length === 0) {
    throw new Refusal('passkey_required', `You have no passkey for ${place.rpId}: ask an owner for a sign-in link, by which you make one.`);
  }
  return { options: assertionOptions(place, await newChallenge(ctx, purpose, adminId), own) };
}

/** Refuses unless one of the caller's passkeys confirms this act, once. A token alone confirms nothing. */
export async function requireConfirmed(ctx: Ctx, purpose: Confirmation, assertion: PasskeyAssertion): Promise<Asserted> {
  const { adminId } = actingAdmin(ctx);
  const challenge = await usedChallenge(ctx, assertion.response.clientDataJSON, purpose, adminId);
  return acceptAssertion(ctx, { credential: assertion, challenge, adminId });
}

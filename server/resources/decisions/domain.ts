import { GESTURE_SECONDS, type Gesture, SignedPayload } from '../../../contract/decisions.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { type Actor, actingAdmin, type Ctx } from '../../verbs/context.ts';
import type { Decision } from '../../verbs/decision.ts';
import { Refusal } from '../../verbs/problem.ts';
import type { Retention } from '../../verbs/retention.ts';
import { requirePlace } from '../passkeys/place.ts';
import { acceptAssertion, assertionOptions, passkeysOf } from '../passkeys/webauthn.ts';
import { readSettings } from '../settings/domain.ts';
import { timeAfter } from '../tokens/domain.ts';
import { keep } from './chain.ts';
import { challengeOf } from './challenge.ts';
import { lockDecisions } from './policy.ts';
import { askingActs, payloadOf, sentGesture, signedChallenge } from './rules.ts';
import * as store from './store.ts';

/** Gestures that nobody used are of no use after their minute. */
export const gestureRetention: Retention = { days: () => 1, deleteBatch: store.deleteOldGestures };

type Admin = Extract<Actor, { type: 'admin' }>;

/**
 * Decides: keeps who decided what, and refuses where an act asks for a gesture and the request has none that signs exactly this. `header`: what
 * the request has in `Backroom-Gesture`.
 */
export async function decide(ctx: Ctx, decision: Decision, header: string | undefined): Promise<void> {
  const { actor } = ctx;
  // The policy is read behind a lock that each decision takes: none by a token commits after the switch to passkeys (spec DE6).
  await lockDecisions(ctx);
  const asking = askingActs((await readSettings(ctx.db)).decisions, decision.acts);
  if (header !== undefined && isPerson(actor)) return decideBySignature(ctx, actor, decision, header);
  if (asking.length > 0)
    throw new Refusal(
      'gesture_required',
      isPerson(actor)
        ? `The shop asks for a gesture of a passkey for ${asking.join(', ')}: ask for it by POST /me/gestures, and send it in the header Backroom-Gesture.`
        : `The shop asks for a gesture of a passkey for ${asking.join(', ')}, which no program can make.`,
      { extra: { acts: asking } },
    );
  const { adminId } = actingAdmin(ctx);
  const { acts, subject, decided } = decision;
  await keep(ctx, {
    ...kept(decision),
    admin_id: adminId,
    token_id: actor.type === 'admin' ? actor.tokenId : null,
    way: 'token',
    payload: payloadOf({ acts: [...acts], admin: adminId, at: ctx.now, nonce: null, decided }),
    decided_at: ctx.now,
    subject_id: subject.id,
  });
}

function kept({ acts, subject }: Decision) {
  return { acts: JSON.stringify(acts), subject_type: subject.type, subject_id: subject.id };
}

function isPerson(actor: Actor): actor is Admin {
  return actor.type === 'admin' && actor.agent === undefined;
}

/** What is decided is worked out anew, so a gesture for what has changed since is refused (spec DE4). */
async function decideBySignature(ctx: Ctx, actor: Admin, decision: Decision, header: string): Promise<void> {
  const { gesture_id, credential } = sentGesture(header);
  const gesture = await store.lockGesture(ctx, gesture_id);
  if (!gesture) throw new Refusal('gesture_expired', `There is no gesture ${gesture_id}, or it is long past; ask for a new one.`);
  if (gesture.admin_id !== actor.adminId) throw new Refusal('gesture_of_another', `Gesture ${gesture_id} is another admin's.`);
  if (gesture.used_at !== null)
    throw new Refusal('gesture_used', `Gesture ${gesture_id} was used at ${gesture.used_at}; ask for a new one.`);
  if (gesture.expires_at <= ctx.now)
    throw new Refusal('gesture_expired', `Gesture ${gesture_id} could be used until ${gesture.expires_at}; ask for a new one.`);
  const { at, nonce, after } = SignedPayload.parse(JSON.parse(gesture.payload));
  const payload = payloadOf({ acts: [...decision.acts], admin: actor.adminId, at, nonce, after, decided: decision.decided });
  if (payload !== gesture.payload)
    throw new Refusal('decision_changed', 'What the request would decide is not what was signed; look at it again.', {
      extra: { decided: decision.decided },
    });
  const challenge = challengeOf(payload);
  if (signedChallenge(credential.response.clientDataJSON) !== challenge)
    throw new Refusal('gesture_for_another', `The passkey signed something else than gesture ${gesture_id}.`);
  const { passkey } = await acceptAssertion(ctx, { credential, challenge, adminId: actor.adminId });
  const { origin, rpId } = requirePlace(ctx);
  await store.useGesture(ctx.db, gesture_id, ctx.now);
  await keep(ctx, {
    ...kept(decision),
    ...{ credential_id: passkey.credential_id, public_key: passkey.public_key, origin, rp_id: rpId },
    ...{ authenticator_data: credential.response.authenticatorData, client_data: credential.response.clientDataJSON },
    signature: credential.response.signature,
    admin_id: actor.adminId,
    token_id: actor.tokenId,
    way: 'passkey',
    payload,
    decided_at: ctx.now,
  });
}

/** Works out what a request would decide, and keeps it to be signed. Nothing is decided. */
export async function askGesture(ctx: Ctx, { body }: InputOf<Endpoints['me.ask_gesture']>): Promise<Gesture> {
  const { actor } = ctx;
  if (!isPerson(actor)) throw new Refusal('forbidden', 'Only a person signs.');
  const { method, path } = body;
  const decision = await ctx.rehearse({ method, path, body: body.body === null ? null : JSON.stringify(body.body) }, 'alone');
  if (decision === null) throw new Refusal('gesture_not_needed', `${method} ${path.split('?', 1)[0]} decides nothing that is signed.`);
  const passkeys = await passkeysOf(ctx.db, actor.adminId);
  const nonce = ctx.random(32).toString('base64url');
  const { decided } = decision;
  const acts = [...decision.acts];
  const after = await store.selectChainHead(ctx.db);
  const payload = payloadOf({ acts, admin: actor.adminId, at: ctx.now, nonce, after, decided });
  const expires_at = timeAfter(ctx.now, GESTURE_SECONDS * 1000);
  const gesture_id = await store.insertGesture(ctx.db, { admin_id: actor.adminId, payload, expires_at, used_at: null });
  return {
    ...{ gesture_id, acts, decided: { ...decided }, payload, expires_at },
    options: assertionOptions(requirePlace(ctx), challengeOf(payload), passkeys),
  };
}

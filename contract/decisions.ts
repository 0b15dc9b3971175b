import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { Id, Timestamp } from './values.ts';
import { PasskeyAssertion, PasskeyRequest } from './webauthn.ts';

/** What people decide, what each act asks for, and the gesture of a passkey that signs exactly what is decided. */

/** The acts that can each ask for a gesture (spec DE1). */
export const decisionActs = ['approve_version', 'apply_plan', 'raise_limits', 'make_token', 'change_access', 'policy'] as const;
export type DecisionAct = (typeof decisionActs)[number];

/** `token`: a valid token will do; `passkey`: a passkey of the admin signs what is decided, at most a minute before. */
export const decisionWays = ['token', 'passkey'] as const;
const Way = z.enum(decisionWays);

export const Decisions = z
  .object({ approve_version: Way, apply_plan: Way, raise_limits: Way, make_token: Way, change_access: Way, policy: Way })
  .meta({ id: 'Decisions', description: 'What each act asks of the admin who decides' });
export type Decisions = z.infer<typeof Decisions>;

/** The header of a request that decides: base64url of `SentGesture` as JSON. */
export const GESTURE_HEADER = 'Backroom-Gesture';
/** So long a gesture can be used after it was asked for. */
export const GESTURE_SECONDS = 60;

/** What is decided, as it is signed: the members sorted by name, without spaces. */
const Signed = z.object({
  acts: z.array(z.enum(decisionActs)),
  admin: Id,
  at: Timestamp,
  nonce: z.string(),
  decided: z.record(z.string(), z.unknown()),
  /** The digest of the newest decision when this was asked for: whoever signs, signs those before, too. Missing: from before there were any. */
  after: z.string().nullable().optional(),
});

export const Gesture = z
  .object({
    gesture_id: Id,
    acts: z.array(z.enum(decisionActs)).meta({ description: 'What the request would decide' }),
    decided: z.record(z.string(), z.unknown()).meta({ description: 'Exactly what is decided' }),
    payload: z.string().meta({ description: 'The text that is signed: JSON with sorted members, without spaces' }),
    options: PasskeyRequest,
    expires_at: Timestamp,
  })
  .meta({ id: 'Gesture' });
export type Gesture = z.infer<typeof Gesture>;

/** What the header holds: what was asked for, and what the passkey answered. */
export const SentGesture = z.object({ gesture_id: Id, credential: PasskeyAssertion });
export type SentGesture = z.infer<typeof SentGesture>;

export const SignedPayload = Signed;
export type SignedPayload = z.infer<typeof Signed>;

export const decisionsEndpoints = endpointsOf({
  id: 'me.ask_gesture',
  method: 'POST',
  path: '/me/gestures',
  summary: 'Ask what a request would decide, to sign it with a passkey; nothing is decided yet',
  permission: null,
  taskPermission: null,
  body: z.object({
    method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']),
    path: z
      .string()
      .min(1)
      .max(4000)
      .meta({ description: 'Path of the request below `/admin/api`, such as `/ai-tasks/1/versions/2/approve`' }),
    body: z.record(z.string(), z.unknown()).nullable().default(null).meta({ description: 'Its body; null: it has none' }),
  }),
  status: 201,
  response: Gesture,
  audited: false,
  refusals: ['gesture_not_needed', 'passkeys_unavailable'],
});

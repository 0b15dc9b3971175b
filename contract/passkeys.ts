import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { NewSession } from './sessions.ts';
import { Id, Name, REPEATED, Timestamp, text } from './values.ts';
import { PasskeyAssertion, PasskeyRegistration, PasskeyRequest, passkeyDescriptors } from './webauthn.ts';

/** What a passkey can be asked to confirm here. */
export const confirmations = ['add_passkey', 'delete_passkey', 'recovery_codes', 'vouch'] as const;
export type Confirmation = (typeof confirmations)[number];

const PasskeyCreation = z
  .object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
    timeout: z.int(),
    attestation: z.literal('none'),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.boolean(),
      userVerification: z.literal('required'),
    }),
    excludeCredentials: passkeyDescriptors,
  })
  .meta({ id: 'PasskeyCreation', description: 'Options of `navigator.credentials.create()`, in the JSON form of WebAuthn' });

export const Passkey = z
  .object({
    id: Id,
    name: z.string(),
    rp_id: z.string().meta({ description: 'The host name for which it was made; it works for no other' }),
    backed_up: z.boolean().meta({ description: 'Whether a service, such as a password manager, keeps it for all devices of its owner' }),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable(),
  })
  .meta({ id: 'Passkey' });
export type Passkey = z.infer<typeof Passkey>;

const code = text({ min: 1, max: 200 });
const PasskeyCode = z
  .object({
    code: z
      .string()
      .nullable()
      .meta({ description: `A code by which \`POST /passkeys\` makes one passkey, within 15 minutes; ${REPEATED}` }),
    expires_at: Timestamp,
  })
  .meta({ id: 'PasskeyCode' });

const RecoveryCodes = z
  .array(z.string())
  .nullable()
  .meta({ description: 'Ten codes that each make one new passkey, shown once; those made before stop working' });

const mine = { permission: null, taskPermission: null } as const;
const open = { ...mine, open: true, writes: false } as const;
const assertion = PasskeyAssertion.meta({ description: 'The answer of one of your passkeys to `POST /me/passkeys/challenge`' });

/** Passkeys: how a person proves to be here. No token makes one; it takes a passkey, a recovery code, or a link that somebody vouched for. */
export const passkeysEndpoints = endpointsOf(
  {
    id: 'passkeys.options',
    method: 'POST',
    path: '/passkeys/options',
    summary: 'Get what a browser needs to make a passkey, by a code that allows one; the code still works afterwards',
    ...open,
    body: z.object({ code }),
    bodyLimitBytes: 4096,
    response: z
      .object({ options: PasskeyCreation, admin: z.object({ id: Id, name: z.string(), email: z.string() }) })
      .meta({ id: 'PasskeyOptions' }),
    refusals: ['invalid_code', 'passkeys_unavailable'],
  },
  {
    id: 'passkeys.create',
    method: 'POST',
    path: '/passkeys',
    summary: 'Make a passkey by a code that allows one, which works once, and sign in with a session',
    ...open,
    cookie: 'set',
    body: z.object({ code, credential: PasskeyRegistration, name: Name, device: text({ max: 100, trim: true }).default('') }),
    bodyLimitBytes: 65_536,
    status: 201,
    response: NewSession.extend({
      passkey: Passkey,
      recovery_codes: RecoveryCodes.meta({ description: 'Of the first passkey: ten codes that each make one new passkey, shown once' }),
    }).meta({ id: 'NewPasskey' }),
    refusals: ['invalid_code', 'passkey_refused', 'passkeys_unavailable', 'wrong_origin', 'too_many'],
  },
  {
    id: 'passkeys.recover',
    method: 'POST',
    path: '/passkeys/recovery',
    summary: 'Exchange a recovery code, which works once, for a code that makes a passkey; all admins are told',
    ...open,
    body: z.object({ code }),
    bodyLimitBytes: 4096,
    response: PasskeyCode,
    refusals: ['invalid_code'],
  },
  {
    id: 'me.list_passkeys',
    method: 'GET',
    path: '/me/passkeys',
    summary:
      "List the caller's passkeys, oldest first, and what they need: the address at which they work, and how many recovery codes are left",
    ...mine,
    response: z
      .object({
        passkeys: z.array(Passkey),
        origin: z.string().nullable().meta({ description: 'Where passkeys work: the public address of the shop; null: it has no name' }),
        recovery_codes_left: z.int(),
      })
      .meta({ id: 'OwnPasskeys' }),
  },
  {
    id: 'me.passkey_challenge',
    method: 'POST',
    path: '/me/passkeys/challenge',
    summary: 'Get a challenge that one of your passkeys answers to confirm one act, within 5 minutes',
    ...mine,
    writes: false,
    body: z.object({
      confirms: z.enum(confirmations).meta({
        description: '`vouch`: that whoever uses the link or invitation which you make may make a passkey',
      }),
    }),
    response: z.object({ options: PasskeyRequest }).meta({ id: 'PasskeyChallenge' }),
    refusals: ['passkey_required', 'passkeys_unavailable'],
  },
  {
    id: 'me.create_passkey_code',
    method: 'POST',
    path: '/me/passkeys/code',
    summary: 'Get a code that makes another passkey, by one that you have',
    ...mine,
    body: z.object({ assertion }),
    status: 201,
    response: PasskeyCode,
    secretFields: ['code'],
    refusals: ['passkey_refused', 'passkeys_unavailable'],
  },
  {
    id: 'me.update_passkey',
    method: 'PATCH',
    path: '/me/passkeys/{id}',
    summary: "Name one of the caller's passkeys",
    ...mine,
    record: 'passkey',
    body: z.object({ name: Name.optional() }),
    response: Passkey,
  },
  {
    id: 'me.delete_passkey',
    method: 'DELETE',
    path: '/me/passkeys/{id}',
    summary: 'Delete one of your passkeys, confirmed by it or another one; sessions that it opened end, except the one that asks',
    ...mine,
    record: 'passkey',
    body: z.object({ assertion }),
    status: 204,
    refusals: ['passkey_refused', 'passkeys_unavailable', 'passkey_missing'],
  },
  {
    id: 'me.create_recovery_codes',
    method: 'POST',
    path: '/me/recovery-codes',
    summary: 'Make ten recovery codes, confirmed by a passkey; those made before stop working',
    ...mine,
    body: z.object({ assertion }),
    status: 201,
    response: z.object({ codes: RecoveryCodes }).meta({ id: 'NewRecoveryCodes' }),
    secretFields: ['codes'],
    refusals: ['passkey_refused', 'passkeys_unavailable'],
  },
);

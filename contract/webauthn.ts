import { z } from 'zod';
import { JsonObject } from './run-events.ts';
import { text } from './values.ts';

/** What browsers and authenticators say, in the JSON form of WebAuthn Level 3: `PublicKeyCredential.toJSON()`. */

const base64url = (max: number) => text({ min: 1, max }).regex(/^[A-Za-z0-9_-]+$/, { error: 'must be base64url without padding' });

const credential = {
  id: base64url(1400),
  rawId: base64url(1400),
  type: z.literal('public-key'),
  authenticatorAttachment: text({ max: 50 }).nullish(),
  clientExtensionResults: JsonObject,
};

/** An authenticator's answer to a challenge: `navigator.credentials.get()`. */
export const PasskeyAssertion = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url(4000),
      authenticatorData: base64url(4000),
      signature: base64url(4000),
      userHandle: base64url(200).nullish(),
    }),
  })
  .meta({ id: 'PasskeyAssertion', description: 'An answer of `navigator.credentials.get()`, as its `toJSON()` gives it' });
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>;

/** A new passkey: `navigator.credentials.create()`. */
export const PasskeyRegistration = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url(4000),
      attestationObject: base64url(20_000),
      authenticatorData: base64url(8000).nullish(),
      transports: z
        .array(text({ max: 50 }))
        .max(10)
        .optional(),
      publicKey: base64url(4000).nullish(),
      publicKeyAlgorithm: z.int().optional(),
    }),
  })
  .meta({ id: 'PasskeyRegistration', description: 'An answer of `navigator.credentials.create()`, as its `toJSON()` gives it' });
export type PasskeyRegistration = z.infer<typeof PasskeyRegistration>;

const transports = z.array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']));
export const passkeyDescriptors = z.array(z.object({ id: z.string(), type: z.literal('public-key'), transports }));

/** What `PublicKeyCredential.parseRequestOptionsFromJSON()` takes. */
export const PasskeyRequest = z
  .object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.int(),
    userVerification: z.literal('required'),
    allowCredentials: passkeyDescriptors,
  })
  .meta({ id: 'PasskeyRequest', description: 'Options of `navigator.credentials.get()`, in the JSON form of WebAuthn' });

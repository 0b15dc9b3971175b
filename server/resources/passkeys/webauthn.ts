import type { PasskeyAssertion, PasskeyRegistration } from '../../../contract/webauthn.ts';
import type { Ctx } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import { notify } from '../notifications/domain.ts';
import { type Place, requirePlace } from './place.ts';
import * as store from './store.ts';

/** Loaded when a passkey is used: most processes never do. */
const library = () => import('@simplewebauthn/server');

const TIMEOUT_MS = 300_000;

/** What `navigator.credentials.get()` is given. `passkeys`: those that may answer; null: any that the browser finds for this place. */
export function assertionOptions({ rpId }: Place, challenge: string, passkeys: readonly store.PasskeyRow[] | null) {
  return {
    challenge,
    rpId,
    timeout: TIMEOUT_MS,
    userVerification: 'required' as const,
    allowCredentials: (passkeys ?? []).map(({ credential_id, transports }) => ({
      id: credential_id,
      type: 'public-key' as const,
      transports: transportsOf(transports),
    })),
  };
}

export type Asserted = { passkey: store.PasskeyRow; adminId: number };

type AskedAssertion = {
  credential: PasskeyAssertion;
  /** base64url. */
  challenge: string;
  /** Whose passkey it must be; null: anybody's, who is then known by it. */
  adminId: number | null;
};

/**
 * Checks an assertion, of a person who was verified, over exactly this challenge, made at the place of this server, by a passkey that is not
 * deleted; then notes the use, in the transaction of what it is for. A challenge must be good for one assertion: its caller sees to that.
 */
export async function acceptAssertion(ctx: Ctx, { credential, challenge, adminId }: AskedAssertion): Promise<Asserted> {
  const place = requirePlace(ctx);
  const passkey = await store.holdPasskey(ctx, credential.id);
  if (!passkey || (adminId !== null && passkey.admin_id !== adminId)) throw refused('it is not known here as a passkey of whoever asks');
  const { userHandle } = credential.response;
  if (userHandle != null && userHandle !== userHandleOf(passkey.admin_id)) throw refused('it was made for somebody else');
  const { counter, backedUp } = await checkedAssertion(place, passkey, { credential, challenge });
  // An authenticator that counts never tells the same count twice, unless two have its key.
  if ((counter > 0 || passkey.counter > 0) && counter <= passkey.counter) {
    tellOfCopy(ctx, passkey);
    throw refused('its counter has not grown, so there may be a copy of it');
  }
  await store.notePasskeyUse(ctx.db, passkey.id, { counter, backed_up: backedUp ? 1 : 0, last_used_at: ctx.now });
  return { passkey, adminId: passkey.admin_id };
}

type Checked = { counter: number; backedUp: boolean };
type Key = Pick<store.PasskeyRow, 'credential_id' | 'public_key'>;

/** The mathematics alone: whether a key has signed this challenge at this place. It needs no store, so it can be repeated at any time. */
export async function checkedAssertion(
  { origin, rpId }: Place,
  key: Key,
  { credential, challenge }: Pick<AskedAssertion, 'credential' | 'challenge'>,
): Promise<Checked> {
  const { verifyAuthenticationResponse } = await library();
  const { clientDataJSON, authenticatorData, signature } = credential.response;
  const done = await verifyAuthenticationResponse({
    response: {
      id: credential.id,
      rawId: credential.rawId,
      type: credential.type,
      clientExtensionResults: {},
      response: { clientDataJSON, authenticatorData, signature },
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    // The count that was stored is compared by whoever asks.
    credential: { id: key.credential_id, publicKey: Uint8Array.from(Buffer.from(key.public_key, 'base64url')), counter: 0 },
  }).catch(refuseFault);
  if (!done.verified) throw refused('its signature is wrong');
  const { newCounter, credentialBackedUp } = done.authenticationInfo;
  return { counter: newCounter, backedUp: credentialBackedUp };
}

/** What `navigator.credentials.create()` is given. */
export function registrationOptions(
  { rpId }: Place,
  challenge: string,
  { shop, admin, passkeys }: { shop: string; admin: { id: number; name: string; email: string }; passkeys: readonly store.PasskeyRow[] },
) {
  return {
    challenge,
    rp: { id: rpId, name: shop },
    // The handle must not say who it is, and be the same for all passkeys of an admin.
    user: { id: userHandleOf(admin.id), name: admin.email, displayName: admin.name || admin.email },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' as const })),
    timeout: TIMEOUT_MS,
    attestation: 'none' as const,
    authenticatorSelection: { residentKey: 'required' as const, requireResidentKey: true, userVerification: 'required' as const },
    excludeCredentials: passkeys.map(({ credential_id, transports }) => ({
      id: credential_id,
      type: 'public-key' as const,
      transports: transportsOf(transports),
    })),
  };
}

/** EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257];

export function userHandleOf(adminId: number): string {
  return Buffer.from(`backroom-admin-${adminId}`).toString('base64url');
}

type NewPasskey = Pick<
  store.PasskeyRow,
  'credential_id' | 'public_key' | 'counter' | 'transports' | 'rp_id' | 'backup_eligible' | 'backed_up'
>;

/** Checks a new passkey that was made for this challenge at this place, with a person who was verified; returns what is stored of it. */
export async function checkedRegistration(
  { origin, rpId }: Place,
  { credential, challenge }: { credential: PasskeyRegistration; challenge: string },
): Promise<NewPasskey> {
  const { verifyRegistrationResponse } = await library();
  const { clientDataJSON, attestationObject, transports = [] } = credential.response;
  const done = await verifyRegistrationResponse({
    response: {
      id: credential.id,
      rawId: credential.rawId,
      type: credential.type,
      clientExtensionResults: {},
      response: { clientDataJSON, attestationObject },
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(refuseFault);
  if (!done.verified) throw refused('its attestation is wrong');
  const { credential: made, credentialDeviceType, credentialBackedUp } = done.registrationInfo;
  return {
    credential_id: made.id,
    public_key: Buffer.from(made.publicKey).toString('base64url'),
    counter: made.counter,
    transports: JSON.stringify(transports),
    rp_id: rpId,
    backup_eligible: credentialDeviceType === 'multiDevice' ? 1 : 0,
    backed_up: credentialBackedUp ? 1 : 0,
  };
}

export function refused(why: string): Refusal {
  return new Refusal('passkey_refused', `The passkey is not accepted: ${why}.`);
}

function refuseFault(error: unknown): never {
  throw refused(error instanceof Error ? error.message.replace(/\.$/, '') : 'it cannot be read');
}

/** The refusal undoes the transaction, so this is told by one of its own, after it. */
function tellOfCopy({ services, log }: Ctx, { id, admin_id, name }: store.PasskeyRow): void {
  services
    .transact('passkeys.check', (ctx) =>
      notify(ctx, [
        {
          type: 'passkey_copied',
          title: 'A passkey may have been copied',
          message: `The passkey "${name}" was refused, because its counter has not grown: somebody may have a copy of it.`,
          metadata: { passkey_id: id, name, admin_id },
        },
      ]),
    )
    .catch((error: unknown) => log.warn({ err: error }, 'it could not be told that a passkey may have been copied'));
}

export { selectPasskeysOf as passkeysOf } from './store.ts';

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

function transportsOf(json: string) {
  const list: unknown = JSON.parse(json);
  return TRANSPORTS.filter((one) => Array.isArray(list) && list.includes(one));
}

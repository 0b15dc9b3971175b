import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import type { AdminApi } from '../../contract/calls.ts';
import type { Gesture, SentGesture } from '../../contract/decisions.ts';
import { guestApi } from './client.ts';
import { hold } from './cookie-session.ts';
import type { SignedIn } from './session.ts';

/** Ceremonies of passkeys: what the server asks, the browser shows and the person answers. */

type Options = Awaited<ReturnType<AdminApi['session']['challenge']>>['options'];
type Assertion = Parameters<AdminApi['me']['create_passkey_code']>[0]['assertion'];

/** The person said no, did not answer in time, or the browser found no passkey. */
export class Stopped extends Error {}

async function asked<T>(ceremony: Promise<T>): Promise<T> {
  try {
    return await ceremony;
  } catch (error) {
    throw new Stopped(error instanceof Error ? error.message : '', { cause: error });
  }
}

async function answerTo(options: Options): Promise<Assertion> {
  const { id, rawId, type, response } = await asked(startAuthentication({ optionsJSON: options }));
  const { clientDataJSON, authenticatorData, signature, userHandle = null } = response;
  return { id, rawId, type, clientExtensionResults: {}, response: { clientDataJSON, authenticatorData, signature, userHandle } };
}

export async function signInByPasskey(device: string): Promise<SignedIn> {
  const { options } = await guestApi.session.challenge();
  return hold(await guestApi.session.create({ credential: await answerTo(options), device }));
}

/** Has a passkey of the person who is signed in confirm an act. */
export async function confirmed(calls: Pick<AdminApi, 'me'>, confirms: Parameters<AdminApi['me']['passkey_challenge']>[0]['confirms']) {
  const { options } = await calls.me.passkey_challenge({ confirms });
  return answerTo(options);
}

/** Has a passkey sign what is decided; returns what the header of the request says of it. */
export async function signatureOf({ gesture_id, options }: Gesture): Promise<string> {
  const sent: SentGesture = { gesture_id, credential: await answerTo(options) };
  return btoa(JSON.stringify(sent)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Makes a passkey by a code, and signs in with it. */
export async function makePasskey({ code, name, device }: { code: string; name: string; device: string }) {
  const { options } = await guestApi.passkeys.options({ code });
  const { id, rawId, type, response } = await asked(startRegistration({ optionsJSON: options }));
  const { clientDataJSON, attestationObject, transports = [] } = response;
  const credential = { id, rawId, type, clientExtensionResults: {}, response: { clientDataJSON, attestationObject, transports } };
  const made = await guestApi.passkeys.create({ code, credential, name, device });
  return { signedIn: hold(made), codes: made.recovery_codes };
}

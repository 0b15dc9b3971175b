import { passkeysOf } from '../api/client.ts';
import { type LinkCode, passkeyCode } from './sign-in-code.ts';

/**
 * What somebody who has signed in by a link sees first: where they have no passkey yet and may make one here, how they make it. Otherwise the
 * code is kept for the page of the account.
 */
export async function offerOf(code: string | null, token: string): Promise<LinkCode | null> {
  passkeyCode.current = code;
  if (code === null) return null;
  const { passkeys, origin } = await passkeysOf(token);
  return origin === window.location.origin && passkeys.length === 0 ? { kind: 'passkey', code } : null;
}

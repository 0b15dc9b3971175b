import { type DecisionAct, type Decisions, SentGesture, type SignedPayload } from '../../../contract/decisions.ts';
import { canonicalText } from '../../values/canonical.ts';
import { Refusal } from '../../verbs/problem.ts';

/** The most characters that the header may have. */
const SENT_MAX = 8192;

/** Those of the acts that ask for a gesture. */
export function askingActs(policy: Decisions, acts: readonly DecisionAct[]): DecisionAct[] {
  return acts.filter((act) => policy[act] === 'passkey');
}

/** The text of what is decided; equal decisions have equal texts. */
export function payloadOf(signed: Omit<SignedPayload, 'nonce' | 'admin'> & { nonce: string | null; admin: number | null }): string {
  return canonicalText(signed);
}

/** The challenge that an authenticator says it has signed; null: it says none. */
export function signedChallenge(clientData: string): string | null {
  const read = parsed(Buffer.from(clientData, 'base64url').toString());
  return typeof read === 'object' && read !== null && 'challenge' in read && typeof read.challenge === 'string' ? read.challenge : null;
}

/** Reads the header of a request that decides. */
export function sentGesture(header: string): SentGesture {
  if (header.length <= SENT_MAX && /^[\w-]+$/.test(header)) {
    const read = SentGesture.safeParse(parsed(Buffer.from(header, 'base64url').toString()));
    if (read.success) return read.data;
  }
  throw new Refusal(
    'malformed_header',
    `The header Backroom-Gesture must be base64url of JSON with gesture_id and credential, at most ${SENT_MAX} characters.`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

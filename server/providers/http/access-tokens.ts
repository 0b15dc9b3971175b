import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AnswerTooLarge, NotSent, type Outgoing, type OutgoingAnswer } from './send.ts';

/** Access tokens of OAuth 2.0 by client credentials (RFC 6749, section 4.4), kept in memory until they expire. */

export type TokenRequest = {
  url: string;
  clientId: string;
  clientSecret: string;
  scope: string | undefined;
  audience: string | undefined;
  /** Where the request has id and secret (RFC 6749, section 2.3.1). */
  clientAuth: 'basic' | 'body';
};
/** `isKept`: it was got for an earlier request. */
export type AccessToken = { token: string; isKept: boolean };
export type AccessTokens = {
  /** Rejects with `NotSent` where there is no token, as the request that needs it is not sent. */
  get(request: TokenRequest, signal: AbortSignal): Promise<AccessToken>;
  /** The token was refused, so that the next request gets another. */
  forget(request: TokenRequest, token: string): void;
};

/** The token is refused, and would be again. */
export class TokenRefused extends NotSent {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, { ...options, isFinal: true });
  }
}

const TOKEN_MAX_MS = 10_000;
const ANSWER_MAX_BYTES = 64 * 1024;
/** Where the answer does not tell how long the token is valid. */
const VALID_UNTOLD_S = 300;
const VALID_MAX_S = 86_400;
/** A token is used up to so long before its end, so that it does not expire on the way. */
const MARGIN_S = 30;
const KEPT_MAX = 1000;

type Kept = { token: string; until: number };

export function createAccessTokens(outgoing: Outgoing): AccessTokens {
  const kept = new Map<string, Kept>();
  /** Several requests that need a new token at once share one. */
  const coming = new Map<string, Promise<string>>();
  return {
    async get(request, signal) {
      const key = keyOf(request);
      const known = kept.get(key);
      if (known && performance.now() < known.until) return { token: known.token, isKept: true };
      kept.delete(key);
      let token = coming.get(key);
      if (!token) {
        token = fetched(key, request).finally(() => coming.delete(key));
        coming.set(key, token);
      }
      return { token: await untilAborted(token, signal), isKept: false };
    },
    forget(request, token) {
      const key = keyOf(request);
      if (kept.get(key)?.token === token) kept.delete(key);
    },
  };

  async function fetched(key: string, request: TokenRequest): Promise<string> {
    const answer = await askFor(outgoing, request);
    const { token, validS } = tokenIn(answer);
    if (kept.size >= KEPT_MAX) kept.delete(kept.keys().next().value ?? '');
    kept.set(key, { token, until: performance.now() + validS * 1000 });
    return token;
  }
}

/** The same credentials for the same purpose. It holds the values, so a secret that is set anew gets a token of its own. */
function keyOf(request: TokenRequest): string {
  const { url, clientId, clientSecret, scope, audience, clientAuth } = request;
  return createHash('sha256')
    .update(JSON.stringify([url, clientId, clientSecret, scope ?? null, audience ?? null, clientAuth]))
    .digest('base64');
}

async function askFor(outgoing: Outgoing, request: TokenRequest): Promise<OutgoingAnswer> {
  const { origin, pathname, search } = new URL(request.url);
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (request.scope !== undefined) form.set('scope', request.scope);
  if (request.audience !== undefined) form.set('audience', request.audience);
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
    'user-agent': 'Backroom',
  };
  if (request.clientAuth === 'body') {
    form.set('client_id', request.clientId);
    form.set('client_secret', request.clientSecret);
  } else {
    const both = [request.clientId, request.clientSecret].map((text) => new URLSearchParams({ '': text }).toString().slice(1));
    headers['authorization'] = `Basic ${Buffer.from(both.join(':')).toString('base64')}`;
  }
  const sent = { method: 'POST', origin, target: `${pathname}${search}`, headers, body: Buffer.from(form.toString()) };
  try {
    return await outgoing.send(sent, AbortSignal.timeout(TOKEN_MAX_MS));
  } catch (cause) {
    if (cause instanceof AnswerTooLarge) throw new TokenRefused('the answer of the token address is too large', { cause });
    if (cause instanceof NotSent && cause.isFinal) throw cause;
    throw new NotSent(`the token address gave no answer: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

const Refused = z.object({ error: z.string().regex(/^[\w.-]{1,64}$/) });
const Granted = z.object({
  access_token: z
    .string()
    .max(16_384)
    .regex(/^[\x21-\x7e]+$/),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.coerce
    .number()
    .min(0)
    .default(VALID_UNTOLD_S + MARGIN_S),
});

function tokenIn({ status, body }: OutgoingAnswer): { token: string; validS: number } {
  if (status === 429 || status >= 500) throw new NotSent(`the token address answered ${status}`);
  const answer = body.length > ANSWER_MAX_BYTES ? undefined : jsonIn(body.toString('utf8'));
  if (status !== 200) {
    const { data } = Refused.safeParse(answer);
    throw new TokenRefused(`the token address answered ${status}${data ? ` (${data.error})` : ''}`);
  }
  const { data } = Granted.safeParse(answer);
  if (!data) throw new TokenRefused('the answer of the token address is not the JSON of a bearer token, of at most 64 KiB');
  return { token: data.access_token, validS: Math.min(VALID_MAX_S, data.expires_in) - MARGIN_S };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const stop = (): void => aborted.reject(new NotSent('it took too long'));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

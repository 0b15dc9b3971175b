import { createHmac } from 'node:crypto';
import { canonical } from '../../../contract/http-shown.ts';
import type { Sign, SignOf } from '../../../contract/http-signing.ts';
import type { AccessTokens, TokenRequest } from '../../providers/http/access-tokens.ts';
import { type Refusal, refuseValues } from '../../verbs/problem.ts';
import type { NamedValue } from '../secrets/masks.ts';
import type { ValueFor } from '../secrets/placed-text.ts';
import { awsSignature } from './aws-signature.ts';
import type { Asked } from './rules.ts';

/** Signs requests just before they are sent, each try and each redirect anew: with the time of then, and over what is sent. */

export type Signed = {
  /** The address in the spelling that was signed. */
  url: string;
  /** The headers that the signature adds. */
  headers: Record<string, string>;
  /** What is to be masked like the secrets that it was made of. */
  derived: NamedValue[];
  /** Makes the next signature another one, where one that is refused may just be too old; null: it was made anew. */
  renew: (() => void) | null;
};
export type Signer = (asked: Asked, signal: AbortSignal) => Promise<Signed>;

/** Refuses secrets that cannot stand where the signature needs them. */
export function signerOf(sign: Sign, valueFor: ValueFor, tokens: AccessTokens): Signer {
  switch (sign.scheme) {
    case 'hmac-sha256':
      return async (asked) => hmacSigned(sign, valueFor(sign.secret), asked);
    case 'aws-sigv4':
      return awsSigner(sign, valueFor);
    case 'basic':
      return basicSigner(sign, valueFor);
    case 'jwt-hs256':
      return async ({ url }) => jwtSigned(sign, valueFor(sign.secret), url);
    case 'oauth2-client-credentials':
      return tokenSigner(sign, valueFor, tokens);
  }
}

/** A text of the signature that cannot be sent, named by its place. */
export function refusePlace(pointer: string, detail: string): Refusal {
  return refuseValues([{ pointer, parameter: null, code: 'invalid_value', detail }]);
}

function hmacSigned(sign: SignOf<'hmac-sha256'>, key: string, { method, url, body }: Asked): Signed {
  const now = Date.now();
  const timestamp = { seconds: String(Math.floor(now / 1000)), milliseconds: String(now), iso: new Date(now).toISOString() }[
    sign.timestamp
  ];
  const { pathname, search } = new URL(url);
  const texts: Readonly<Record<string, string>> = { '{timestamp}': timestamp, '{method}': method, '{path}': pathname + search };
  const filled = (text: string): string => text.replace(/\{(?:timestamp|method|path)\}/g, (name) => texts[name] ?? name);
  // The body is put in as bytes, and what only looks like a name in it is left alone.
  const parts = sign.signed.split('{body}').flatMap((text, index) => [...(index === 0 ? [] : [body ?? '']), filled(text)]);
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  const digest = hmac.digest();
  return {
    url,
    headers: {
      [sign.header.toLowerCase()]: sign.prefix.replaceAll('{timestamp}', timestamp) + digest.toString(sign.encoding),
      ...(sign.timestamp_header !== undefined && { [sign.timestamp_header.toLowerCase()]: timestamp }),
    },
    derived: derivedOf(sign.secret, digest),
    renew: null,
  };
}

/** A receiver that tells of a signature may write it in another way than it came. */
function derivedOf(name: string, digest: Buffer): NamedValue[] {
  return (['hex', 'base64', 'base64url'] as const).map((encoding) => ({ name, value: digest.toString(encoding) }));
}

function jwtSigned({ secret, claims, expires_in, header, prefix }: SignOf<'jwt-hs256'>, key: string, url: string): Signed {
  const iat = Math.floor(Date.now() / 1000);
  const parts = [
    { alg: 'HS256', typ: 'JWT' },
    { ...claims, iat, exp: iat + expires_in },
  ];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = createHmac('sha256', key).update(text).digest();
  const token = `${text}.${signature.toString('base64url')}`;
  return {
    url,
    headers: { [header.toLowerCase()]: prefix + token },
    derived: [{ name: secret, value: token }, ...derivedOf(secret, signature)],
    renew: null,
  };
}

function basicSigner({ user, password }: SignOf<'basic'>, valueFor: ValueFor): Signer {
  const name = typeof user === 'string' ? user : valueFor(user.secret);
  if (/[:\p{Cc}]/u.test(name)) throw refusePlace('/sign/user', 'with its secret, must have no colon and no control characters');
  const value = Buffer.from(`${name}:${password === undefined ? '' : valueFor(password)}`).toString('base64');
  const secret = password ?? (typeof user === 'string' ? '' : user.secret);
  return async ({ url }) => ({ url, headers: { authorization: `Basic ${value}` }, derived: [{ name: secret, value }], renew: null });
}

function awsSigner(sign: SignOf<'aws-sigv4'>, valueFor: ValueFor): Signer {
  const { region, service, access_key_id, secret_access_key, session_token } = sign;
  const inHeader = (field: string, name: string): string => {
    const value = valueFor(name);
    if (/^[\x21-\x7e]+$/.test(value)) return value;
    throw refusePlace(`/sign/${field}`, 'with its secret, must have only printable characters of ASCII without blanks');
  };
  const keys = {
    accessKeyId: inHeader('access_key_id', access_key_id),
    secretAccessKey: valueFor(secret_access_key),
    sessionToken: session_token === undefined ? undefined : inHeader('session_token', session_token),
  };
  return async (asked) => {
    const { url, headers, signature } = awsSignature(asked, keys, { region, service, now: new Date() });
    return { url, headers, derived: derivedOf(secret_access_key, Buffer.from(signature, 'hex')), renew: null };
  };
}

function tokenSigner(sign: SignOf<'oauth2-client-credentials'>, valueFor: ValueFor, tokens: AccessTokens): Signer {
  const request: TokenRequest = {
    url: canonical(sign.token_url),
    clientId: valueFor(sign.client_id),
    clientSecret: valueFor(sign.client_secret),
    scope: sign.scope,
    audience: sign.audience,
    clientAuth: sign.client_auth,
  };
  return async ({ url }, signal) => {
    const { token, isKept } = await tokens.get(request, signal);
    return {
      url,
      headers: { authorization: `Bearer ${token}` },
      derived: [{ name: sign.client_secret, value: token }],
      renew: isKept ? () => tokens.forget(request, token) : null,
    };
  };
}

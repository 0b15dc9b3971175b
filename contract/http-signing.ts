import { z } from 'zod';
import { SecretName } from './grants.ts';
import { withoutQuery } from './http-shown.ts';
import { JsonObject } from './run-events.ts';
import { shownSecret } from './secret-rules.ts';

/** How the server signs a request of a run: the run names secrets, and the signature is made of the request as it is sent. */

export const signSchemes = ['hmac-sha256', 'aws-sigv4', 'basic', 'jwt-hs256', 'oauth2-client-credentials'] as const;

/** What goes into a header must not end it. */
const HeaderText = z.string().regex(/^[\x20-\x7e]*$/, 'must have only printable characters of ASCII, so no line breaks');
const HeaderName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'must be the name of a header');

const SIGNED_RULE = 'must contain {body}; it may also contain {timestamp}, {method} and {path}, which is the path with its query';

const HmacSha256 = z
  .object({
    scheme: z.literal('hmac-sha256'),
    secret: SecretName,
    header: HeaderName.default('x-signature'),
    encoding: z.enum(['hex', 'base64']).default('hex'),
    prefix: HeaderText.max(100).default('').meta({ description: 'Before the signature, such as `sha256=`; it may contain `{timestamp}`' }),
    signed: z
      .string()
      .max(500)
      .refine((text) => text.includes('{body}'), SIGNED_RULE)
      .default('{body}')
      .meta({ description: `What is signed. It ${SIGNED_RULE}` }),
    timestamp: z.enum(['seconds', 'milliseconds', 'iso']).default('seconds'),
    timestamp_header: HeaderName.optional(),
  })
  .check(({ value: { header, prefix, signed, timestamp_header: at }, issues, value }) => {
    const refuse = (field: string, message: string): void => void issues.push({ code: 'custom', input: value, path: [field], message });
    const isSigned = signed.includes('{timestamp}');
    const isSent = at !== undefined || prefix.includes('{timestamp}');
    if (isSigned && !isSent)
      refuse('signed', 'contains {timestamp}, so the receiver must get it: give timestamp_header, or {timestamp} in prefix');
    // A time that is not signed could be set anew by whoever repeats the request.
    if (isSent && !isSigned) refuse('signed', 'must contain {timestamp}, as the request carries it, such as "{timestamp}.{body}"');
    if (at?.toLowerCase() === header.toLowerCase()) refuse('timestamp_header', 'must be another header than that of the signature');
  });

const AwsName = z
  .string()
  .max(64)
  .regex(/^[a-z0-9-]+$/, 'must have only lower-case letters, digits and hyphens');

const AwsSigV4 = z.object({
  scheme: z.literal('aws-sigv4'),
  access_key_id: SecretName,
  secret_access_key: SecretName,
  session_token: SecretName.optional(),
  region: AwsName,
  service: AwsName.meta({ description: '`s3` for S3 and what is compatible with it' }),
});

const USER_RULE = 'must have no colon and no control characters';

const Basic = z
  .object({
    scheme: z.literal('basic'),
    user: z
      .union([
        z
          .string()
          .max(1000)
          .regex(/^[^:\p{Cc}]*$/u, USER_RULE),
        z.strictObject({ secret: SecretName }),
      ])
      .meta({ description: 'A text, or the name of a secret' }),
    password: SecretName.optional().meta({ description: 'Empty unless it is given' }),
  })
  .refine(({ user, password }) => typeof user !== 'string' || password !== undefined, {
    path: ['password'],
    message: 'must name a secret, unless the user is one',
  });

const SET_CLAIMS = ['iat', 'exp', 'nbf'];
const CLAIMS_MAX = 8192;

const JwtHs256 = z
  .object({
    scheme: z.literal('jwt-hs256'),
    secret: SecretName,
    claims: JsonObject.default({}).meta({ description: 'Such as `iss`, `sub` and `aud`' }),
    expires_in: z.int().min(1).max(3600).default(60).meta({ description: 'Seconds' }),
    header: HeaderName.default('authorization'),
    prefix: HeaderText.max(100).default('Bearer '),
  })
  .check(({ value: { claims }, issues }) => {
    const refuse = (message: string): void => void issues.push({ code: 'custom', input: claims, path: ['claims'], message });
    const set = SET_CLAIMS.filter((name) => Object.hasOwn(claims, name));
    if (set.length > 0) refuse(`must not have ${set.join(', ')}: the server sets iat and exp by its clock; give expires_in`);
    if (JSON.stringify(claims).length > CLAIMS_MAX) refuse(`must have at most ${CLAIMS_MAX} characters as JSON`);
  });

const OAuth2ClientCredentials = z.object({
  scheme: z.literal('oauth2-client-credentials'),
  token_url: z.string().max(2000).meta({ description: 'Where the server gets the token; `http_allow` must cover `POST` to it' }),
  client_id: SecretName,
  client_secret: SecretName,
  scope: HeaderText.max(2000).optional(),
  audience: HeaderText.max(2000).optional(),
  client_auth: z.enum(['basic', 'body']).default('basic').meta({ description: 'Where the token request carries id and secret' }),
});

export const Sign = z
  .discriminatedUnion('scheme', [HmacSha256, AwsSigV4, Basic, JwtHs256, OAuth2ClientCredentials], {
    error: ({ code }) => (code === 'invalid_union' ? `must be one of ${signSchemes.join(', ')}` : undefined),
  })
  .meta({ description: 'How the server signs the request; secrets are named, and the version must declare them' });
export type Sign = z.infer<typeof Sign>;
export type SignOf<Scheme extends Sign['scheme']> = Extract<Sign, { scheme: Scheme }>;

/** The names of the secrets that the signature is made of. */
export function secretsOfSign(sign: Sign): string[] {
  const given = ((): (string | undefined)[] => {
    switch (sign.scheme) {
      case 'hmac-sha256':
      case 'jwt-hs256':
        return [sign.secret];
      case 'aws-sigv4':
        return [sign.access_key_id, sign.secret_access_key, sign.session_token];
      case 'basic':
        return [typeof sign.user === 'string' ? undefined : sign.user.secret, sign.password];
      case 'oauth2-client-credentials':
        return [sign.client_id, sign.client_secret];
    }
  })();
  return given.filter((name) => name !== undefined);
}

/** The headers that the signature sets, as they were given; `field`: where in `sign` a name stands. */
export function headersOfSign(sign: Sign): { name: string; field?: string }[] {
  switch (sign.scheme) {
    case 'hmac-sha256':
      return [
        { name: sign.header, field: 'header' },
        ...(sign.timestamp_header === undefined ? [] : [{ name: sign.timestamp_header, field: 'timestamp_header' }]),
      ];
    case 'jwt-hs256':
      return [{ name: sign.header, field: 'header' }];
    case 'aws-sigv4':
      return ['authorization', 'x-amz-date', 'x-amz-content-sha256', 'x-amz-security-token'].map((name) => ({ name }));
    case 'basic':
    case 'oauth2-client-credentials':
      return [{ name: 'authorization' }];
  }
}

/** How a plan shows the signature: its scheme, and its secrets by their names. */
export function shownSign(sign: Sign): string {
  const from = sign.scheme === 'oauth2-client-credentials' ? `, with a token from ${withoutQuery(sign.token_url)}` : '';
  return `${sign.scheme} with ${secretsOfSign(sign).map(shownSecret).join(', ')}${from}`;
}

import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { EmailAddress } from './people.ts';
import { Id, REPEATED, Timestamp, text } from './values.ts';
import { PasskeyAssertion } from './webauthn.ts';

/** What a sign-in by a link sends. */
export const signInBody = {
  code: text({ min: 1, max: 200 }),
  keep_signed_in: z.boolean().default(false).meta({ description: 'Stay signed in for 30 days at most, instead of 12 hours' }),
  device: text({ max: 100, trim: true }).default('').meta({ description: 'What the device calls itself, as the list of tokens shows it' }),
};

export const SignedIn = z
  .object({
    token: z
      .string()
      .nullable()
      .meta({ description: `The token, shown once; ${REPEATED}` }),
    token_id: Id.meta({ description: 'The id of the token, by which `DELETE /me/tokens/{id}` signs out' }),
    expires_at: Timestamp,
    admin: z.object({ id: Id, name: z.string() }),
    passkey_code: z
      .string()
      .nullable()
      .meta({
        description: `A code by which \`POST /passkeys\` makes one passkey, within 15 minutes; null where the link allows none; ${REPEATED}`,
      }),
  })
  .meta({ id: 'SignedIn' });

/** Of a link or an invitation: who vouches for it. */
export const vouched = {
  assertion: PasskeyAssertion.optional().meta({
    description:
      'The answer of one of your passkeys to `POST /me/passkeys/challenge`: whoever uses the link may then make a passkey. While nobody in the shop has one, it needs none',
  }),
};

export const AllowsPasskey = z.boolean().meta({ description: 'Whether whoever uses the link may make a passkey with it' });

const NewSignInLink = z
  .object({
    code: z
      .string()
      .nullable()
      .meta({ description: `The code of the link, shown once; ${REPEATED}` }),
    url_path: z
      .string()
      .nullable()
      .meta({ description: `Path of the console that signs in with the code, shown once; ${REPEATED}` }),
    expires_at: Timestamp,
  })
  .meta({ id: 'NewSignInLink' });

const mine = { permission: null, taskPermission: null } as const;

/** Links that work once: one signs in to the console, one downloads a file by a plain link of a browser. */
export const oneTimeLinksEndpoints = endpointsOf(
  {
    id: 'me.create_sign_in_link',
    method: 'POST',
    path: '/me/sign-in-links',
    summary: 'Create a link that signs in once as the calling admin, with at most the permissions of the token that sends this request',
    decides: true,
    ...mine,
    body: z.object({
      expires_in_minutes: z.int().min(1).max(60).default(15).meta({ description: 'Minutes until the link expires, default 15' }),
    }),
    status: 201,
    response: NewSignInLink,
    secretFields: ['code', 'url_path'],
  },
  {
    id: 'me.redeem_sign_in_link',
    method: 'POST',
    path: '/sign-in',
    summary:
      'Exchange the code of a sign-in link for a token of 12 hours, or 30 days; a code works once. The code of a link that a token made works only while that token is valid, and the new token ends with it',
    ...mine,
    open: true,
    body: z.object(signInBody),
    bodyLimitBytes: 4096,
    status: 201,
    response: SignedIn,
    secretFields: ['token', 'passkey_code'],
    refusals: ['invalid_code'],
  },
  {
    id: 'me.sign_in_options',
    method: 'GET',
    path: '/sign-in/means',
    summary: 'Get what somebody needs to sign in: the name of the shop, whether it can send a link by mail, and where passkeys work',
    ...mine,
    open: true,
    response: z
      .object({
        shop_name: z.string(),
        sends_links: z.boolean(),
        passkeys_at: z
          .string()
          .nullable()
          .meta({ description: 'The address at which passkeys work; null: the public address has no name' }),
        has_passkeys: z.boolean().meta({ description: 'Whether anybody in the shop has had one' }),
      })
      .meta({ id: 'SignInOptions' }),
  },
  {
    id: 'me.send_sign_in_link',
    method: 'POST',
    path: '/sign-in/links',
    summary:
      'Send a sign-in link by mail to the active admin with this address, at most 3 in 15 minutes; the answer is the same whether or not there is one',
    ...mine,
    open: true,
    writes: false,
    body: z.object({ email: EmailAddress }),
    bodyLimitBytes: 4096,
    status: 202,
    response: z.object({ expires_in_minutes: z.int() }).meta({ id: 'SignInLinkAsked' }),
  },
  {
    id: 'admins.create_sign_in_link',
    method: 'POST',
    path: '/admins/{id}/sign-in-links',
    summary: 'Create a link that signs in once as another admin, to hand to them',
    decides: true,
    permission: 'admin_api.admins.write',
    record: 'admin',
    body: z.object({
      expires_in_minutes: z.int().min(1).max(10_080).default(1440).meta({ description: 'Minutes until the link expires, default one day' }),
      ...vouched,
    }),
    status: 201,
    response: NewSignInLink.extend({ allows_passkey: AllowsPasskey }).meta({ id: 'NewSignInLinkOfAdmin' }),
    secretFields: ['code', 'url_path'],
    refusals: ['permission_not_held', 'admin_inactive', 'passkey_refused', 'passkeys_unavailable'],
  },
  {
    id: 'me.create_download_link',
    method: 'POST',
    path: '/me/download-links',
    summary: 'Create a link that downloads a file once, without a token, within 5 minutes, while the token that made it may read the file',
    ...mine,
    body: z.object({
      path: text({ min: 1, max: 130_000 }).meta({
        description:
          'Path, with its query, of an endpoint below /admin/api that answers GET with the content of a file, such as /files/1/content',
      }),
    }),
    status: 201,
    response: z
      .object({
        url: z
          .string()
          .nullable()
          .meta({ description: `Path of the link, shown once; ${REPEATED}` }),
        expires_at: Timestamp,
      })
      .meta({ id: 'NewDownloadLink' }),
    secretFields: ['url'],
    refusals: ['forbidden', 'invalid_value'],
  },
);

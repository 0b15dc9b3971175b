import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { Id, REPEATED, Timestamp, text } from './values.ts';

const mine = { permission: null, taskPermission: null } as const;

/** Links that work once: one signs in to the console, one downloads a file by a plain link of a browser. */
export const oneTimeLinksEndpoints = endpointsOf(
  {
    id: 'me.create_sign_in_link',
    method: 'POST',
    path: '/me/sign-in-links',
    summary: 'Create a link that signs in once as the calling admin, with at most the permissions of the token that sends this request',
    ...mine,
    body: z.object({
      expires_in_minutes: z.int().min(1).max(60).default(15).meta({ description: 'Minutes until the link expires, default 15' }),
    }),
    status: 201,
    response: z
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
      .meta({ id: 'NewSignInLink' }),
    secretFields: ['code', 'url_path'],
  },
  {
    id: 'me.redeem_sign_in_link',
    method: 'POST',
    path: '/sign-in',
    summary:
      'Exchange the code of a sign-in link for a token of 12 hours; a code works once, and only while the token that made it is valid; the new token ends with that one',
    ...mine,
    open: true,
    body: z.object({ code: text({ min: 1, max: 200 }) }),
    bodyLimitBytes: 4096,
    status: 201,
    response: z
      .object({
        token: z
          .string()
          .nullable()
          .meta({ description: `The token, shown once; ${REPEATED}` }),
        expires_at: Timestamp,
        admin: z.object({ id: Id, name: z.string() }),
      })
      .meta({ id: 'SignedIn' }),
    secretFields: ['token'],
    refusals: ['invalid_code'],
  },
  {
    id: 'me.create_download_link',
    method: 'POST',
    path: '/me/download-links',
    summary: 'Create a link that downloads a file once, without a token, within 5 minutes, while the token that made it may read the file',
    ...mine,
    body: z.object({
      path: text({ min: 1, max: 1000 }).meta({
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

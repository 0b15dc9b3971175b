import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { Id, Timestamp, text } from './values.ts';
import { PasskeyAssertion, PasskeyRequest } from './webauthn.ts';

/** The cookie of a session: `__Host-` lets browsers take it from this host alone, over https, for all of its paths. */
export const SESSION_COOKIE = '__Host-backroom_session';

/** Minutes for which an access token of a session works. */
export const SESSION_TOKEN_MINUTES = 10;

/** What a session gives: the token is kept in memory alone, and asked for anew before it ends. */
export const NewSession = z
  .object({
    token: z
      .string()
      .meta({ description: `An access token that works for ${SESSION_TOKEN_MINUTES} minutes, as \`Authorization: Bearer\`` }),
    expires_at: Timestamp.meta({ description: 'When the token ends' }),
    session_id: Id,
    session_expires_at: Timestamp.meta({ description: 'When the session ends at the latest' }),
    admin: z.object({ id: Id, name: z.string() }),
  })
  .meta({ id: 'NewSession' });

/** A session of the console, as lists show it. */
export const Session = z
  .object({
    id: Id,
    device: z.string().meta({ description: 'What the device calls itself' }),
    address: z.string().meta({ description: 'The address of the network from which it was last used' }),
    passkey: z.string().meta({ description: 'The name of the passkey that opened it' }),
    is_current: z.boolean().meta({ description: 'Whether it is the one that asks' }),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable(),
    expires_at: Timestamp,
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof Session>;

const mine = { permission: null, taskPermission: null } as const;
const open = { ...mine, open: true, writes: false, bodyLimitBytes: 65_536 } as const;

/**
 * Sessions of the console. The cookie is good for nothing but these paths: it gives a short-lived token, and every other request sends that
 * as `Authorization`, which no other site can do.
 */
export const sessionsEndpoints = endpointsOf(
  {
    id: 'session.challenge',
    method: 'POST',
    path: '/session/challenge',
    summary: 'Get a challenge by which a passkey signs in, within 5 minutes',
    ...open,
    response: z.object({ options: PasskeyRequest }).meta({ id: 'SignInChallenge' }),
    refusals: ['passkeys_unavailable'],
  },
  {
    id: 'session.create',
    method: 'POST',
    path: '/session',
    summary: 'Sign in by passkey: opens a session and sets its cookie',
    ...open,
    cookie: 'set',
    body: z.object({
      credential: PasskeyAssertion,
      device: text({ max: 100, trim: true })
        .default('')
        .meta({ description: 'What the device calls itself, as the list of sessions shows it' }),
    }),
    status: 201,
    response: NewSession,
    refusals: ['passkey_refused', 'passkeys_unavailable', 'wrong_origin'],
  },
  {
    id: 'session.renew',
    method: 'POST',
    path: '/session/token',
    summary: 'Get the next access token of the session whose cookie is sent; 401 where that has ended',
    ...open,
    cookie: 'sent',
    response: NewSession,
    refusals: ['passkeys_unavailable', 'wrong_origin'],
  },
  {
    id: 'session.end',
    method: 'DELETE',
    path: '/session',
    summary: 'Sign out: ends the session whose cookie is sent, with its tokens and streams',
    ...open,
    cookie: 'sent',
    status: 204,
    refusals: ['passkeys_unavailable', 'wrong_origin'],
  },
  {
    id: 'me.list_sessions',
    method: 'GET',
    path: '/me/sessions',
    summary: "List the caller's sessions, the latest first",
    ...mine,
    response: z.array(Session),
  },
  {
    id: 'me.revoke_session',
    method: 'DELETE',
    path: '/me/sessions/{id}',
    summary: "End one of the caller's sessions at once",
    ...mine,
    record: 'session',
    status: 204,
  },
  {
    id: 'me.revoke_other_sessions',
    method: 'DELETE',
    path: '/me/sessions',
    summary: "End all of the caller's sessions at once, except the one that asks",
    ...mine,
    response: z.object({ ended: z.int() }).meta({ id: 'EndedSessions' }),
  },
  {
    id: 'admins.list_sessions',
    method: 'GET',
    path: '/admins/{id}/sessions',
    summary: 'List the sessions of another admin, the latest first',
    permission: 'admin_api.admins.read',
    taskPermission: null,
    record: 'admin',
    response: z.array(Session),
  },
  {
    id: 'admins.revoke_session',
    method: 'DELETE',
    path: '/admins/{id}/sessions/{session_id}',
    summary: 'End a session of another admin at once',
    permission: 'admin_api.admins.write',
    taskPermission: null,
    record: 'admin',
    status: 204,
    refusals: ['permission_not_held'],
  },
);

import { actingAdmin } from '../../verbs/context.ts';
import { type Routes, read, session, wait, write } from '../../verbs/route.ts';
import * as sessions from './sessions.ts';

export const sessionsRoutes = {
  'session.challenge': wait(({ services }) => services.transact('session.challenge', (ctx) => sessions.signInChallenge(ctx))),
  'session.create': session((ctx, { body, secret }) => sessions.signInByPasskey(ctx, body, secret)),
  'session.renew': session(async (ctx, { secret }) => ({ answer: await sessions.renewSession(ctx, secret) })),
  'session.end': session(async (ctx, { secret }) => {
    if (secret !== null) await sessions.endSession(ctx, secret);
    return { secret: null, answer: undefined };
  }),
  'me.list_sessions': read((ctx) => sessions.listSessionsOf(ctx, actingAdmin(ctx).adminId)),
  'me.revoke_session': write((ctx, { params }) => sessions.revokeOwnSession(ctx, params.id)),
  'me.revoke_other_sessions': write((ctx) => sessions.revokeOtherSessions(ctx)),
  'admins.list_sessions': read((ctx, { params }) => sessions.listSessionsOf(ctx, params.id)),
  'admins.revoke_session': write((ctx, { params }) => sessions.revokeSessionOf(ctx, params.id, params.session_id)),
} satisfies Partial<Routes>;

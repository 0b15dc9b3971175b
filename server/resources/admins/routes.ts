import type { Ctx } from '../../context.ts';
import type { Handlers } from '../../http/handlers.ts';
import type { Services } from '../../services.ts';
import * as tokens from '../tokens/own.ts';
import * as admins from './domain.ts';

export function adminsRoutes({ access }: Services): Handlers {
  /** What may take something from somebody ends what they have open. */
  const taking = <T>(ctx: Ctx, done: Promise<T>): Promise<T> => {
    ctx.after(() => access.fire());
    return done;
  };
  return {
    'me.get': (ctx) => admins.getMe(ctx),
    'me.list_tokens': (ctx) => tokens.listOwnTokens(ctx),
    'me.create_token': (ctx, { body }) => tokens.createOwnToken(ctx, body),
    'me.revoke_token': (ctx, { params }) => taking(ctx, tokens.revokeOwnToken(ctx, params.id)),
    'admins.list': (ctx, { query }) => admins.listAdmins(ctx, query),
    'admins.create': (ctx, { body }) => admins.createAdmin(ctx, body),
    'admins.get': (ctx, { params }) => admins.getAdmin(ctx, params.id),
    'admins.update': (ctx, { params, body }) => taking(ctx, admins.updateAdmin(ctx, params.id, body)),
    'admins.delete': (ctx, { params }) => taking(ctx, admins.deleteAdmin(ctx, params.id)),
    'admins.create_token': (ctx, { params, body }) => tokens.createTokenFor(ctx, params.id, body),
  };
}

import type { Handlers } from '../../http/handlers.ts';
import * as tokens from '../tokens/own.ts';
import * as admins from './domain.ts';

export const adminsRoutes: Handlers = {
  'me.get': (ctx) => admins.getMe(ctx),
  'me.list_tokens': (ctx) => tokens.listOwnTokens(ctx),
  'me.create_token': (ctx, { body }) => tokens.createOwnToken(ctx, body),
  'me.revoke_token': (ctx, { params }) => tokens.revokeOwnToken(ctx, params.id),
  'admins.list': (ctx, { query }) => admins.listAdmins(ctx, query),
  'admins.create': (ctx, { body }) => admins.createAdmin(ctx, body),
  'admins.get': (ctx, { params }) => admins.getAdmin(ctx, params.id),
  'admins.update': (ctx, { params, body }) => admins.updateAdmin(ctx, params.id, body),
  'admins.delete': (ctx, { params }) => admins.deleteAdmin(ctx, params.id),
  'admins.create_token': (ctx, { params, body }) => tokens.createTokenFor(ctx, params.id, body),
};

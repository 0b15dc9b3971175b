import { type Routes, read, recheckingAccess, write } from '../../verbs/route.ts';
import * as agents from '../tokens/agents.ts';
import { createDownloadLink } from '../tokens/download-links.ts';
import * as links from '../tokens/one-time-links.ts';
import * as tokens from '../tokens/own.ts';
import * as admins from './domain.ts';

export const adminsRoutes = {
  'me.get': read((ctx) => admins.getMe(ctx)),
  'me.update': write((ctx, { body }) => admins.updateMe(ctx, body)),
  'me.list_tokens': read((ctx) => tokens.listOwnTokens(ctx)),
  'me.create_token': write((ctx, { body }) => tokens.createOwnToken(ctx, body)),
  'me.revoke_token': write((ctx, { params }) => recheckingAccess(ctx, tokens.revokeOwnToken(ctx, params.id))),
  'me.create_sign_in_link': write((ctx, { body }) => links.createSignInLink(ctx, body.expires_in_minutes)),
  'me.create_download_link': write((ctx, { body }) => createDownloadLink(ctx, body.path)),
  'admins.list': read((ctx, { query }) => admins.listAdmins(ctx, query)),
  'admins.names': read((ctx) => admins.adminNames(ctx)),
  'admins.create': write((ctx, { body }) => admins.createAdmin(ctx, body)),
  'admins.get': read((ctx, { params }) => admins.getAdmin(ctx, params.id)),
  'admins.update': write((ctx, { params, body }) => recheckingAccess(ctx, admins.updateAdmin(ctx, params.id, body))),
  'admins.delete': write((ctx, { params }) => recheckingAccess(ctx, admins.deleteAdmin(ctx, params.id))),
  'admins.create_token': write((ctx, { params, body }) => tokens.createTokenFor(ctx, params.id, body)),
  'me.list_agents': read((ctx) => agents.listOwnAgents(ctx)),
  'me.create_agent': write((ctx, { body }) => agents.createAgent(ctx, body)),
  'me.revoke_agent': write((ctx, { params }) => recheckingAccess(ctx, agents.revokeOwnAgent(ctx, params.id))),
  'admins.list_agents': read((ctx) => agents.listAgents(ctx)),
  'admins.revoke_agent': write((ctx, { params }) => recheckingAccess(ctx, agents.revokeAgent(ctx, params.id))),
} satisfies Partial<Routes>;

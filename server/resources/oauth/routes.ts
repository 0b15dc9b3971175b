import { type Routes, read, write } from '../../verbs/route.ts';
import { allowAgent, denyAgent, getAgentRequest } from './domain.ts';

export const oauthRoutes = {
  'me.get_agent_request': read((ctx, { params }) => getAgentRequest(ctx, params.request)),
  'me.allow_agent': write((ctx, { params, body }) => allowAgent(ctx, params.request, body)),
  'me.deny_agent': write((ctx, { params }) => denyAgent(ctx, params.request)),
} satisfies Partial<Routes>;

import { api } from '../../api/client.ts';
import { queryOf } from '../../parts/queries.ts';

/** Read once: after its answer the request is gone. */
export const agentRequest = queryOf('me.get_agent_request', api.me.get_agent_request, { staleTime: Number.POSITIVE_INFINITY });

export const calls = api;

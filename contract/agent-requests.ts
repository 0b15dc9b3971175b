import { z } from 'zod';
import { agentBody } from './agents.ts';
import { endpointsOf } from './endpoint.ts';
import { REPEATED, Timestamp } from './values.ts';

/** What clients that sign in by OAuth ask for, and what an admin answers (spec MC8). */

export const AgentRequest = z
  .object({
    client_name: z.string().meta({ description: 'What the client calls itself, as it wrote it' }),
    client_host: z.string().nullable().meta({
      description: 'The host that vouches for the client: its metadata document stands there; null: anybody may have registered it',
    }),
    redirect_host: z.string().meta({ description: 'Where the browser goes with the answer: a host, or the scheme of an app' }),
    asked: z
      .array(z.string())
      .nullable()
      .meta({ description: 'The permissions that the client asks for; null: it leaves them to the admin' }),
    expires_at: Timestamp,
  })
  .meta({ id: 'AgentRequest' });
export type AgentRequest = z.infer<typeof AgentRequest>;

const Answered = z
  .object({
    continue_path: z
      .string()
      .nullable()
      .meta({
        description: `Path to which the browser that began the sign-in goes with the answer; no other browser can go on. Shown once; ${REPEATED}`,
      }),
  })
  .meta({ id: 'AgentRequestAnswered' });

const mine = { permission: null, taskPermission: null } as const;
const answer = { ...mine, method: 'POST', record: 'agent_request', response: Answered, secretFields: ['continue_path'] } as const;

export const agentRequestsEndpoints = endpointsOf(
  {
    id: 'me.get_agent_request',
    method: 'GET',
    path: '/me/agent-requests/{request}',
    summary: 'Who asks to be connected as an agent, and for what; once answered, it is gone',
    ...mine,
    record: 'agent_request',
    response: AgentRequest,
  },
  {
    id: 'me.allow_agent',
    path: '/me/agent-requests/{request}/allow',
    summary: 'Connect the client that asks as an agent of the caller',
    decides: true,
    ...answer,
    body: agentBody,
    refusals: ['permission_not_held'],
  },
  {
    id: 'me.deny_agent',
    path: '/me/agent-requests/{request}/deny',
    summary: 'Refuse the client that asks',
    ...answer,
  },
);

import { z } from 'zod';
import { AccessToken, ListedToken } from './admins.ts';
import { AGENT_NAME_MAX, isAgentName } from './agent-rules.ts';
import { type Endpoint, endpointsOf } from './endpoint.ts';
import { AgentPermissions } from './permissions.ts';
import { Id, REPEATED, text } from './values.ts';

/** Programs that act for an admin at `/mcp`, each with a token of its own (spec MC1). */

/** So many days a token of an agent is valid unless told otherwise. */
export const AGENT_DAYS = 90;

const SeesPersonalData = z.boolean().meta({
  description: 'Whether the agent sees what the shop knows of people: names, addresses, texts. Otherwise they are hidden from it',
});

const shape = {
  permissions: z.array(z.string()),
  sees_personal_data: SeesPersonalData,
  admin_id: Id,
  admin_name: z.string().meta({ description: 'Whom the agent acts for' }),
  client: z
    .string()
    .nullable()
    .meta({ description: 'The client that signed in by OAuth: its host, or what it calls itself; null: its token was pasted' }),
};

/** An agent as lists show it, without its token. */
export const Agent = ListedToken.omit({ never_expires: true, device: true, single_use: true }).extend(shape).meta({ id: 'Agent' });
export type Agent = z.infer<typeof Agent>;

export const NewAgent = AccessToken.extend({
  ...shape,
  token: z
    .string()
    .nullable()
    .meta({ description: `The token, shown once; ${REPEATED}` }),
}).meta({ id: 'NewAgent' });
export type NewAgent = z.infer<typeof NewAgent>;

const AgentName = text({ min: 1, max: AGENT_NAME_MAX, trim: true }).refine(isAgentName, {
  message: 'must be one line, without « and », control, invisible and bidirectional characters',
  params: { code: 'invalid_value' },
});

export const agentBody = z.object({
  name: AgentName.meta({ description: 'Seen wherever the agent acted: "Eszter\'s agent «laptop»"' }),
  permissions: AgentPermissions.meta({ description: 'Chosen one by one; none beyond those of the token that sends the request' }),
  sees_personal_data: SeesPersonalData.default(false),
  expires_in_days: z.int().min(1).max(365).default(AGENT_DAYS),
});
export type AgentBody = z.infer<typeof agentBody>;

/**
 * The writes that an agent may ask for: each proposes something that a person decides on, or changes nothing in the shop. Of runs, an agent
 * starts dry runs and replays alone (spec MC3).
 */
export const agentWrites: ReadonlySet<string> = new Set([
  'ai_tasks.check_draft',
  'ai_tasks.create',
  'ai_tasks.create_version',
  'ai_tasks.start_run',
  'ai_tasks.try_draft',
  'ai_tasks.undo_run',
  'proposals.create',
  'proposals.withdraw',
  'replays.start',
]);

/** What an agent may look at, though its permission depends on the record: the verb checks that. */
const agentReads: ReadonlySet<string> = new Set(['audit_log.get_undo']);

/** Whether an agent may call the endpoint: a read of the shop or its tasks that answers JSON, or one of the writes above. */
export function isForAgents({ id, method, permission, binary, stream, ownRun }: Endpoint): boolean {
  if (agentWrites.has(id) || agentReads.has(id)) return true;
  // Threads are between an admin and the assistant.
  if (id.startsWith('assistant.')) return false;
  return method === 'GET' && permission !== null && !binary && !stream && !ownRun && AgentPermissions.safeParse([permission]).success;
}

const mine = { permission: null, taskPermission: null } as const;

export const agentsEndpoints = endpointsOf(
  {
    id: 'me.list_agents',
    method: 'GET',
    path: '/me/agents',
    summary: "List the caller's agents whose tokens are not revoked, newest first",
    ...mine,
    response: z.array(Agent),
  },
  {
    id: 'me.create_agent',
    method: 'POST',
    path: '/me/agents',
    summary: 'Connect an agent: make a token that is valid at /mcp alone; it is shown only once',
    decides: true,
    ...mine,
    body: agentBody,
    status: 201,
    response: NewAgent,
    secretFields: ['token'],
    refusals: ['permission_not_held'],
  },
  {
    id: 'me.revoke_agent',
    method: 'DELETE',
    path: '/me/agents/{id}',
    summary: "Revoke the token of one of the caller's agents; it stops working at once",
    ...mine,
    record: 'agent',
    status: 204,
  },
  {
    id: 'admins.list_agents',
    method: 'GET',
    path: '/admin-agents',
    summary: 'List the agents of all admins whose tokens are not revoked, newest first',
    permission: 'admin_api.admins.read',
    response: z.array(Agent),
  },
  {
    id: 'admins.revoke_agent',
    method: 'DELETE',
    path: '/admin-agents/{id}',
    summary: "Revoke the token of anybody's agent; it stops working at once",
    permission: 'admin_api.admins.write',
    record: 'agent',
    status: 204,
  },
);

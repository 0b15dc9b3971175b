import { z } from 'zod';
import type { AgentRequest } from '../../../contract/agent-requests.ts';
import type { AgentBody } from '../../../contract/agents.ts';
import { holds } from '../../../contract/permissions.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { notFound, Refusal, refuseValue } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { createAgent } from '../tokens/agents.ts';
import { hashToken, oauthKeyHash, randomSecret } from '../tokens/secret.ts';
import { CLIENT, GRANT, parsePayload, REQUEST } from './records.ts';
import { AGENT_SCOPE, AUTHORIZE_PATH, hostOf, resourceOf } from './rules.ts';
import * as store from './store.ts';

export const recordVersions = {
  agent_request: async (db, { request }) => {
    const row = await store.selectRecord(db, oauthKeyHash(REQUEST, String(request)));
    if (!row) return null;
    return row.consumed_at === null ? 1 : 2;
  },
} satisfies RecordVersions;

/** What is stored of a request to be connected. */
const Asked = z.object({
  client: z.object({ name: z.string(), host: z.string().nullable() }),
  params: z.object({ client_id: z.string(), redirect_uri: z.string(), scope: z.string() }),
});

export async function getAgentRequest(ctx: Ctx, request: string): Promise<AgentRequest> {
  actingAdmin(ctx);
  const row = await store.selectRecord(ctx.db, oauthKeyHash(REQUEST, request));
  if (!row || row.consumed_at !== null || row.expires_at <= ctx.now) throw notFound('agent request', request);
  const { client, params } = Asked.parse(parsePayload(row.payload));
  return {
    client_name: client.name,
    client_host: client.host,
    redirect_host: hostOf(params.redirect_uri),
    asked: askedOf(params.scope),
    expires_at: row.expires_at,
  };
}

/** Makes an agent of the client that asks, and the grant by which the client gets its tokens. */
export async function allowAgent(ctx: Ctx, request: string, body: AgentBody) {
  const { public_url: issuer } = ctx.settings;
  if (issuer === null) throw notFound('agent request', request);
  const row = await take(ctx, request);
  const { client, params } = Asked.parse(parsePayload(row.payload));
  const asked = askedOf(params.scope);
  const beyond = asked === null ? undefined : body.permissions.find((one) => !holds(new Set(asked), one));
  if (beyond !== undefined) throw refuseValue('invalid_value', '/permissions', `has ${beyond}, for which the client did not ask`);
  const { id, expires_at } = await createAgent(ctx, body, client.host ?? client.name);
  if (expires_at === null) throw new Error('an agent always expires');
  const grantId = randomSecret(ctx.random);
  const accountId = String(id);
  const grant = {
    kind: GRANT,
    iat: seconds(ctx.now),
    exp: seconds(expires_at),
    ...{ accountId, clientId: params.client_id },
    resources: { [resourceOf(issuer)]: [AGENT_SCOPE, ...body.permissions].join(' ') },
  };
  await store.upsertRecord(ctx.db, {
    ...{ model: GRANT, key_hash: oauthKeyHash(GRANT, grantId), grant_id: grantId, agent_id: id },
    ...{ payload: JSON.stringify(grant), consumed_at: null, expires_at },
  });
  await store.keepUntil(ctx.db, oauthKeyHash(CLIENT, params.client_id), expires_at);
  return answer(ctx, request, row, { login: { accountId, remember: false }, consent: { grantId } });
}

export async function denyAgent(ctx: Ctx, request: string) {
  const row = await take(ctx, request);
  const { client } = Asked.parse(parsePayload(row.payload));
  ctx.audit({ resource: { type: 'token', id: null }, changes: {}, summary: `The client "${client.name.slice(0, 100)}" was not connected` });
  return answer(ctx, request, row, { error: 'access_denied', error_description: 'The admin refused.' });
}

/** A request is answered once, by one admin. */
async function take(ctx: Ctx, request: string): Promise<store.OauthRow> {
  if (ctx.actor.type !== 'admin' || ctx.actor.agent) throw new Refusal('forbidden', 'Only a person connects agents.');
  const row = await store.consumeRecord(ctx.db, oauthKeyHash(REQUEST, request), ctx.now);
  if (!row) throw notFound('agent request', request);
  return row;
}

/**
 * Stores the answer under a code that this admin's browser alone gets. To go on, a browser needs the code and the cookie of the one that
 * began, so nobody can let another answer for them.
 */
async function answer(ctx: Ctx, request: string, row: store.OauthRow, result: Record<string, unknown>) {
  const code = randomSecret(ctx.random);
  const payload = { ...parsePayload(row.payload), result, answer: hashToken(code) };
  await store.updatePayload(ctx.db, row.id, JSON.stringify(payload));
  return { continue_path: `${AUTHORIZE_PATH}/${request}?answer=${code}` };
}

function askedOf(scope: string): string[] | null {
  const asked = scope.split(' ').filter((one) => one.startsWith('admin_api.'));
  return asked.length > 0 ? asked : null;
}

function seconds(at: string): number {
  return Math.floor(Date.parse(at) / 1000);
}

import { createHash, createPrivateKey, hkdfSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import Provider, { type Context, errors, interactionPolicy } from 'oidc-provider';
import { isGivenToAgents } from '../../contract/agent-rules.ts';
import { isKnownPermission } from '../../contract/permissions.ts';
import type { SecretsKey } from '../process/key-file.ts';
import type { Keyring } from '../process/keyring.ts';
import { oauthRecords } from '../resources/oauth/records.ts';
import { AGENT_SCOPE, AUTHORIZE_PATH, CONNECT_PATH, REGISTER_PATH, RESUME_COOKIE, resourceOf } from '../resources/oauth/rules.ts';
import { authenticateMaker } from '../resources/tokens/domain.ts';
import type { Services } from '../services.ts';
import { adapterOf } from './adapter.ts';
import { fetchDocument, hostOfClient } from './documents.ts';

/** The authorization server (spec MC8). Loaded with the first request for it. */

export type OauthDoor = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

const ACCESS_SECONDS = 3600;
const CODE_SECONDS = 60;
/** So long may an admin take to sign in and to decide. */
const REQUEST_SECONDS = 900;

export function createOauth(services: Services, issuer: string): OauthDoor {
  const records = oauthRecords(services);
  const resource = resourceOf(issuer);
  const provider = new Provider(issuer, {
    ...endpointsAndKeys(services.keyring),
    adapter: (model: string) => adapterOf(model, records),
    clientDefaults: { token_endpoint_auth_method: 'none', id_token_signed_response_alg: 'Ed25519', grant_types: ['authorization_code'] },
    features: {
      ...off('devInteractions', 'userinfo', 'rpInitiatedLogout', 'dPoP', 'introspection', 'pushedAuthorizationRequests'),
      revocation: { enabled: true, allowedPolicy: isOwnToken },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02', allowFetch: () => true, allowClient: () => true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (ctx: Context, wanted: string) => resourceServer(ctx, wanted, resource),
      },
    },
    // Each request is answered by a person anew: no sign-in is remembered.
    interactions: {
      policy: [new interactionPolicy.Prompt({ name: 'login', requestable: true }), new interactionPolicy.Prompt(CONSENT, unanswered)],
      url: async ({ oidc: { client } }: Context, { uid }: { uid: string }) => {
        const host = hostOfClient(client?.clientId ?? '');
        await records.describe(uid, { name: client?.clientName ?? host ?? '', host });
        return `${issuer}${CONNECT_PATH}/${uid}`;
      },
    },
    loadExistingGrant: ({ oidc }: LoadingContext) => oidc.provider.Grant.find(oidc.result?.consent?.grantId ?? ''),
    // The account is the agent, so what ends the agent ends its tokens.
    findAccount: async (_: Context, id: string) => {
      const found = await authenticateMaker(services.store.reader, Number(id), new Date().toISOString());
      if (found.outcome !== 'ok' || found.actor.type !== 'admin' || !found.actor.agent) return undefined;
      return { accountId: id, claims: () => ({ sub: id }) };
    },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    revokeGrantPolicy: () => true,
    pkce: { required: () => true },
    ttl: {
      AccessToken: ACCESS_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      Interaction: REQUEST_SECONDS,
      Session: REQUEST_SECONDS,
      Grant: REQUEST_SECONDS,
      RefreshToken: ({ oidc }: Context) => Math.max(1, (oidc.entities.Grant?.exp ?? 0) - Math.floor(Date.now() / 1000)),
    },
    discovery: { registration_endpoint: `${issuer}${REGISTER_PATH}` },
    fetch: (url: string | URL, { signal }: { signal: AbortSignal }) => fetchDocument(services.outgoing, String(url), signal),
    fetchResponseBodyLimits: { jwks_uri: 16_384 },
    renderError: (ctx: Context, out: { error: string; error_description?: string }) => {
      ctx.type = 'text/plain; charset=utf-8';
      ctx.body = `This sign-in cannot go on. ${out.error}: ${out.error_description ?? ''}\n`;
    },
  });
  provider.proxy = true;
  provider.on('server_error', (_, err) => services.log.error({ err }, 'a request to the authorization server failed'));
  provider.on('error', (err) => services.log.debug({ err }, 'a connection to the authorization server ended early'));
  const answer = provider.callback();
  const { host, protocol } = new URL(issuer);
  return (req, res) => {
    // The addresses that it names are made of what the request came by, which a proxy may have changed.
    Object.assign(req.headers, { 'x-forwarded-host': host, 'x-forwarded-proto': protocol.slice(0, -1) });
    return answer(req, res);
  };
}

type LoadingContext = {
  oidc: { provider: { Grant: { find(id: string): Promise<unknown> } }; result?: { consent?: { grantId?: string } } };
};

const CONSENT = { name: 'consent', requestable: true };
const unanswered = new interactionPolicy.Check(
  'unanswered',
  'an admin has to decide',
  ({ oidc }) => oidc.result?.['consent'] === undefined,
);

function off(...features: string[]): Record<string, { enabled: false }> {
  return Object.fromEntries(features.map((name) => [name, { enabled: false }]));
}

function isOwnToken(_: Context, client: { clientId: string }, token: { clientId: string }): boolean {
  return client.clientId === token.clientId;
}

function resourceServer({ oidc }: Context, wanted: string, resource: string) {
  if (wanted !== resource) throw new errors.InvalidTarget(`tokens are issued for ${resource} alone`);
  const asked = (oidc.params?.scope ?? '').split(' ').filter((scope) => scope.startsWith('admin_api.'));
  const closed = asked.find((one) => !isKnownPermission(one) || !isGivenToAgents(one));
  if (closed !== undefined) throw new errors.InvalidScope('no agent may have this permission', closed);
  const scope = [AGENT_SCOPE, ...asked].join(' ');
  return { scope, audience: resource, accessTokenTTL: ACCESS_SECONDS, accessTokenFormat: 'opaque' };
}

/** The keys are derived from those of the shop's secrets, so every server has the same, and none is stored. */
function endpointsAndKeys(keyring: Keyring) {
  // Makes the key where there is none yet, so it comes first.
  const current = keyring.current();
  return {
    routes: {
      authorization: AUTHORIZE_PATH,
      token: '/oauth/token',
      revocation: '/oauth/revoke',
      jwks: '/oauth/jwks',
    },
    responseTypes: ['code'],
    scopes: [AGENT_SCOPE],
    subjectTypes: ['public'],
    clientAuthMethods: ['none', 'private_key_jwt'],
    enabledJWA: { idTokenSigningAlgValues: ['Ed25519'] },
    cookies: {
      names: { session: 'backroom_oauth', interaction: 'backroom_connect', resume: RESUME_COOKIE },
      long: { httpOnly: true, sameSite: 'lax', signed: true },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
      keys: keyring.all().map((key) => derived(key, 'cookies').toString('base64url')),
    },
    jwks: { keys: [signingKey(current)] },
  };
}

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8. */
const ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

function signingKey(key: SecretsKey) {
  const seed = derived(key, 'signatures');
  const jwk = createPrivateKey({ key: Buffer.concat([ED25519, seed]), format: 'der', type: 'pkcs8' }).export({ format: 'jwk' });
  return { ...jwk, use: 'sig', alg: 'Ed25519', kid: createHash('sha256').update(String(jwk.x)).digest('base64url').slice(0, 16) };
}

function derived(key: SecretsKey, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key.bytes, '', `backroom oauth ${purpose}`, 32));
}

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { fetch } from 'undici';
import { z } from 'zod';
import type { AdminApi } from '../../contract/calls.ts';
import type { TestApp } from './app.ts';

/** Clients of /mcp that get their tokens by OAuth, and the browsers in which admins answer them. */

export const REDIRECT = 'http://127.0.0.1:8123/callback';

type Shop = Pick<TestApp, 'url'>;

/** A browser: it keeps cookies, follows redirects within the shop, and stops at the first address elsewhere. */
export function openBrowser({ url }: Shop) {
  const cookies = new Map<string, string>();
  return {
    cookies,
    async go(start: string): Promise<{ status: number; at: string; text: string }> {
      let at = new URL(start, url).href;
      for (let hops = 0; hops < 5; hops++) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const answer = await fetch(at, { redirect: 'manual', headers: { accept: 'text/html', ...(cookie && { cookie }) } });
        for (const one of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
          if (value === '') cookies.delete(name);
          else cookies.set(name, value);
        }
        const location = answer.headers.get('location');
        const text = await answer.text();
        if (location === null) return { status: answer.status, at, text };
        at = new URL(location, at).href;
        if (!at.startsWith(`${url}/`) || at.startsWith(`${url}/connect/`)) return { status: answer.status, at, text };
      }
      throw new Error('too many redirects');
    },
  };
}

export type Browser = ReturnType<typeof openBrowser>;
type Allowed = Partial<Parameters<AdminApi['me']['allow_agent']>[1]>;

/** Opens the request and returns its id, as the page of the console knows it. */
export async function beginRequest(app: Shop, browser: Browser, authorizationUrl: string): Promise<string> {
  const { at, text } = await browser.go(authorizationUrl);
  assert.ok(at.startsWith(`${app.url}/connect/`), `${at} ${text}`);
  return at.slice(`${app.url}/connect/`.length);
}

/** Answers a request as an admin does, and returns where the browser goes in the end. */
export async function allow(api: AdminApi, browser: Browser, request: string, body: Allowed = {}): Promise<URL> {
  const { continue_path } = await api.me.allow_agent(request, { name: 'client', permissions: [], ...body });
  const { at, text } = await browser.go(continue_path ?? '');
  assert.ok(URL.canParse(at), text);
  return new URL(at);
}

export function pkce() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

export async function register({ url }: Shop, metadata: Record<string, unknown> = {}) {
  const answer = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Test client', redirect_uris: [REDIRECT], ...metadata }),
  });
  return {
    status: answer.status,
    body: z
      .object({ client_id: z.string().default('') })
      .loose()
      .parse(await answer.json()),
  };
}

export function authorizationUrl({ url }: Shop, query: Record<string, string | undefined>): string {
  const given = {
    response_type: 'code',
    redirect_uri: REDIRECT,
    code_challenge_method: 'S256',
    state: 'a-state',
    resource: `${url}/mcp`,
    ...query,
  };
  const params = Object.entries(given).filter((one): one is [string, string] => one[1] !== undefined);
  return `${url}/oauth/authorize?${new URLSearchParams(params)}`;
}

const Tokens = z
  .object({ access_token: z.string().default(''), refresh_token: z.string().default(''), error: z.string().optional() })
  .loose();

/** Asks for tokens, or for their revocation. */
export async function tokens({ url }: Shop, form: Record<string, string>, path = '/oauth/token') {
  const answer = await fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams(form) });
  const text = await answer.text();
  return { status: answer.status, body: Tokens.parse(text === '' ? {} : JSON.parse(text)) };
}

export type Connected = {
  clientId: string;
  request: string;
  code: string;
  verifier: string;
  access: string;
  refresh: string;
  form: Record<string, string>;
};

/** The whole way of a client that registers itself, up to its tokens. */
export async function connectByOauth(app: TestApp, body: Allowed = {}, api: AdminApi = app.client): Promise<Connected> {
  const clientId = (await register(app)).body.client_id;
  const { verifier, challenge } = pkce();
  const browser = openBrowser(app);
  const request = await beginRequest(app, browser, authorizationUrl(app, { client_id: clientId, code_challenge: challenge }));
  const code = (await allow(api, browser, request, body)).searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', client_id: clientId, code, redirect_uri: REDIRECT, code_verifier: verifier };
  const got = await tokens(app, form);
  assert.equal(got.status, 200, JSON.stringify(got.body));
  return { clientId, request, code, verifier, access: got.body.access_token, refresh: got.body.refresh_token, form };
}

type Kept = {
  info?: Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0];
  tokens?: Parameters<OAuthClientProvider['saveTokens']>[0];
  verifier?: string;
  redirected?: URL;
};

/** The official client's own OAuth. `documentUrl`: its metadata document; without one it registers itself. */
export function officialClient({ url }: Shop, { redirect = REDIRECT, documentUrl }: { redirect?: string; documentUrl?: string } = {}) {
  const kept: Kept = {};
  const authProvider: OAuthClientProvider = {
    redirectUrl: redirect,
    ...(documentUrl !== undefined && { clientMetadataUrl: documentUrl }),
    clientMetadata: {
      client_name: 'Official client',
      redirect_uris: [redirect],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
    state: () => 'a-state',
    clientInformation: () => kept.info,
    saveClientInformation: (info) => {
      kept.info = info;
    },
    tokens: () => kept.tokens,
    saveTokens: (given) => {
      kept.tokens = given;
    },
    redirectToAuthorization: (to) => {
      kept.redirected = to;
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? '',
  };
  const connect = async () => {
    const client = new Client({ name: 'official', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider });
    return { client, transport, connected: client.connect(transport) };
  };
  return { kept, connect };
}

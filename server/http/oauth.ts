import type { Router } from '@koa/router';
import { parsedBody } from '../calls/input/json-body.ts';
import type { OauthDoor } from '../oauth/provider.ts';
import { registerClient } from '../resources/oauth/clients.ts';
import { oauthRecords } from '../resources/oauth/records.ts';
import { AGENT_SCOPE, AUTHORIZE_PATH, REGISTER_PATH, RESUME_COOKIE, resourceOf } from '../resources/oauth/rules.ts';
import type { Services } from '../services.ts';
import { Refusal } from '../verbs/problem.ts';
import { rawBody } from './body.ts';
import { countRequest } from './rate-limit.ts';
import { sendText } from './send.ts';
import { isBodySent, type Wire, type WireState } from './wire.ts';

/** Anybody may send these requests. */
const PER_MINUTE = 60;
const REGISTRATIONS_PER_MINUTE = 10;
const BODY_LIMIT = 16_384;
/** Characters of the address with which a client asks; it is kept until an admin answers. */
const REQUEST_MAX = 4096;
const COMES_WITHIN_MS = 10_000;

/**
 * The authorization server for clients of /mcp that cannot hold a token (spec MC8). There is none while the shop has no public
 * address. What answers is loaded with the first request.
 */
export function addOauth(router: Router<WireState>, services: Services): void {
  const records = oauthRecords(services);
  const read = rawBody(BODY_LIMIT, COMES_WITHIN_MS);
  const provider = providerOf(services);

  router.get(['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'], async (ctx) => {
    const issuer = await open(ctx, services);
    const resource = resourceOf(issuer);
    const described = { resource, authorization_servers: [issuer], scopes_supported: [AGENT_SCOPE], bearer_methods_supported: ['header'] };
    sendText(ctx, 200, JSON.stringify(described));
  });
  router.get(['/.well-known/oauth-authorization-server', '/oauth/jwks'], async (ctx) => provider(ctx, await open(ctx, services)));
  router.get(AUTHORIZE_PATH, async (ctx) => {
    const issuer = await open(ctx, services);
    if (ctx.url.length > REQUEST_MAX) throw new Refusal('too_long', `A request to be connected has at most ${REQUEST_MAX} characters.`);
    if (await records.areRequestsFull()) throw new Refusal('busy', 'Too many clients ask to be connected; try again later.');
    ctx.req.url = wanted(ctx.url);
    await provider(ctx, issuer);
  });
  router.get(`${AUTHORIZE_PATH}/:request`, async (ctx) => {
    const issuer = await open(ctx, services);
    const { answer } = ctx.query;
    const request = ctx.captures?.[0] ?? '';
    // What goes on is the request that the cookie names: it has to be the answered one.
    const isOfBrowser = ctx.cookies.get(RESUME_COOKIE, { signed: false }) === request;
    if (!isOfBrowser || typeof answer !== 'string' || !(await records.isAnswer(request, answer)))
      throw new Refusal('forbidden', 'This request goes on in the browser in which an admin answered it.');
    await provider(ctx, issuer);
  });
  router.post(['/oauth/token', '/oauth/revoke'], async (ctx) => provider(ctx, await open(ctx, services)));
  router.post(REGISTER_PATH, async (ctx) => {
    await open(ctx, services, { name: 'oauth registrations', perMinute: REGISTRATIONS_PER_MINUTE });
    await read(ctx, async () => undefined);
    const answer = await registerClient(records, parsedBody(ctx.state.rawBody ?? Buffer.alloc(0)).value);
    sendText(ctx, 'error' in answer ? 400 : 201, JSON.stringify(answer));
  });
}

/** Counts the request and returns the issuer. */
async function open(ctx: Wire, services: Services, { name, perMinute } = { name: 'oauth', perMinute: PER_MINUTE }): Promise<string> {
  ctx.state.answeredBy = 'oauth';
  const { public_url: issuer } = await services.settings.get(services.store.reader);
  if (issuer === null) throw new Refusal('route_not_found', 'OAuth is off, because the settings of the shop have no public_url.');
  // Where tokens are not counted, nobody is.
  if (services.config.rateLimit > 0) countRequest(ctx, { name, limiter: services.rateLimits.limiter(name), perMinute }, ctx.state.ip);
  return issuer;
}

/** The query of a request to be connected, with the one scope that all have, and without what changes how it is answered. */
function wanted(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const asked = (searchParams.get('scope') ?? '').split(' ').filter((scope) => scope.startsWith('admin_api.'));
  searchParams.set('scope', [AGENT_SCOPE, ...asked].join(' '));
  searchParams.delete('response_mode');
  return `${pathname}?${searchParams}`;
}

/** Hands requests to the authorization server. It is made anew when the public address or the key of the secrets has changed. */
function providerOf(services: Services) {
  let opened: { of: string; door: Promise<OauthDoor> } | undefined;
  return async (ctx: Wire, issuer: string): Promise<void> => {
    if (isBodySent(ctx) && !(Number(ctx.headers['content-length']) <= BODY_LIMIT))
      throw new Refusal('body_too_large', `The body may have at most ${BODY_LIMIT} bytes, and must tell its length.`);
    const of = `${issuer} ${services.keyring.current().id}`;
    if (opened?.of !== of) opened = { of, door: import('../oauth/provider.ts').then(({ createOauth }) => createOauth(services, issuer)) };
    const serve = await opened.door;
    ctx.respond = false;
    const timer = setTimeout(() => ctx.req.destroy(), COMES_WITHIN_MS);
    try {
      await serve(ctx.req, ctx.res);
    } finally {
      clearTimeout(timer);
    }
  };
}

import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import type { Router } from '@koa/router';
import { type Caller, callerOf } from '../mcp/caller.ts';
import type { McpDoor } from '../mcp/server.ts';
import { resourceMetadataOf } from '../resources/oauth/rules.ts';
import { authenticate, noteUse } from '../resources/tokens/domain.ts';
import type { Services } from '../services.ts';
import type { Actor } from '../verbs/context.ts';
import { Refusal } from '../verbs/problem.ts';
import type { Api } from './api.ts';
import { failuresPolicy, refuseUnknownToken, tokenOf } from './authentication.ts';
import { rawBody } from './body.ts';
import { countRequest, type RatePolicy, tokenPolicy } from './rate-limit.ts';
import { sendText } from './send.ts';
import type { Wire, WireState } from './wire.ts';

const BODY_LIMIT = 4 * 1024 * 1024;
const COMES_WITHIN_MS = 60_000;
/** Where a body takes longer to come, its sender may have lost the token meanwhile. */
const FRESH_MS = 100;
/** Headers of the answer that are the protocol's. */
const SENT_ON = ['content-type', 'allow', 'mcp-session-id', 'mcp-protocol-version'];

type Agent = Extract<Actor, { type: 'admin' }>;

/**
 * Takes the requests of agents at `/mcp` (spec MC1). The SDK checks neither Host, Origin nor token, so that is done here. It is loaded with
 * the first request.
 */
export function addMcp(router: Router<WireState>, services: Services, api: Api): void {
  const failures = failuresPolicy(services);
  const requests = tokenPolicy(services);
  const read = rawBody(BODY_LIMIT, COMES_WITHIN_MS);
  let door: Promise<McpDoor> | undefined;
  for (const method of ['get', 'post', 'delete'] as const)
    router[method]('/mcp', async (ctx) => {
      ctx.state.answeredBy = 'mcp';
      await checkSender(ctx, services);
      const agent = await identify(ctx, services, failures);
      const foundAt = performance.now();
      countRequest(ctx, requests, String(agent.tokenId));
      await read(ctx, async () => undefined);
      door ??= import('../mcp/server.ts').then(({ createMcp }) => createMcp());
      const serve = await door;
      const body = parsedJson(ctx.state);
      await send(ctx, await serve(requestOf(ctx, services, body), body, callerFor(ctx, { services, api, agent, foundAt })));
    });
}

/** A page in a browser of somebody else, or a name that leads here by a trick, is refused (DNS rebinding). */
async function checkSender({ headers, state }: Wire, services: Services): Promise<void> {
  const { public_url } = await services.settings.get(services.store.reader);
  const host = headers.host ?? '';
  if (public_url !== null) state.resourceMetadata = resourceMetadataOf(public_url);
  const own = public_url === null ? null : new URL(public_url).host;
  if (host !== own && !isAddress(host)) {
    const where = own === null ? 'an address of numbers, or set public_url to its name' : `${own}, its public_url`;
    throw new Refusal('forbidden', `Requests of agents to ${host.slice(0, 100)} are refused: a shop is reached at ${where}.`);
  }
  if (headers.origin !== undefined && ![`http://${host}`, `https://${host}`].includes(headers.origin))
    throw new Refusal('forbidden', 'Requests from pages of other origins are refused.');
}

/** Such a host is no name that somebody else's domain could give to this machine. */
function isAddress(host: string): boolean {
  const [, name = '', bracketed = ''] = /^([^:[\]]*|\[([\da-f:.]+)\])(?::\d+)?$/i.exec(host) ?? [];
  return name === 'localhost' || isIP(bracketed || name) !== 0;
}

async function identify(ctx: Wire, services: Services, failures: RatePolicy): Promise<Agent> {
  const token = tokenOf(ctx);
  const now = new Date().toISOString();
  const found = token === undefined ? undefined : await authenticate(services.store.reader, token, now);
  if (found?.outcome !== 'ok') throw refuseUnknownToken(ctx, failures);
  const { actor, tokenId } = found;
  if (actor.type !== 'admin' || !actor.agent || tokenId === null)
    throw new Refusal('forbidden', 'Only the token of an agent is valid here. Make one in the console: Settings, You, Connect an agent.');
  ctx.state.caller = { actor, tokenId, isFenced: false };
  noteUse(services, found, now);
  return actor;
}

/** The parsed body; undefined where there is none, or where it is no JSON, which the SDK then says. */
function parsedJson({ rawBody: raw }: WireState): unknown {
  try {
    return raw === undefined ? undefined : JSON.parse(raw.toString());
  } catch {
    return undefined;
  }
}

/** The headers that the protocol knows. */
const PASSED_ON = /^(content-type|accept|last-event-id|mcp-.*)$/;

/** The request as the web's own type. The token stays outside, and so does a body that is parsed already. */
function requestOf(ctx: Wire, services: Services, body: unknown): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(ctx.headers))
    if (value !== undefined && PASSED_ON.test(name)) headers.set(name, String(value));
  const { rawBody: raw } = ctx.state;
  return new Request(`http://${ctx.headers.host ?? 'localhost'}/mcp`, {
    method: ctx.method,
    headers,
    ...(raw && body === undefined && { body: new Uint8Array(raw) }),
    ...(lasts(body) && { signal: untilGone(ctx, services) }),
  });
}

/** Whether the answer is a stream of what changes. Any other request goes on to its end, whoever waits for it. */
function lasts(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'method' in body && body.method === 'subscriptions/listen';
}

function untilGone(ctx: Wire, { stopping }: Services): AbortSignal {
  const gone = new AbortController();
  ctx.res.once('close', () => gone.abort());
  return AbortSignal.any([gone.signal, stopping]);
}

async function send(ctx: Wire, answer: Response): Promise<void> {
  for (const name of SENT_ON) {
    const value = answer.headers.get(name);
    if (value !== null) ctx.set(name, value);
  }
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream'))
    return sendText(ctx, answer.status, (await answer.text()) || null);
  ctx.status = answer.status;
  ctx.set('X-Accel-Buffering', 'no');
  if (answer.body) ctx.body = Readable.fromWeb(answer.body);
}

type Calling = { services: Services; api: Api; agent: Agent; foundAt: number };

/** The first request of a call is made for whom the call's own token was just found for, as a request to the API is; any other asks again. */
function callerFor(ctx: Wire, { services, api, agent, foundAt }: Calling): Caller {
  const { requestId, ip } = ctx.state;
  const token = tokenOf(ctx) ?? '';
  let isFirst = true;
  const identify = async (): Promise<Agent> => {
    const isFound = isFirst && performance.now() - foundAt < FRESH_MS;
    isFirst = false;
    if (isFound) return agent;
    const found = await authenticate(services.store.reader, token, new Date().toISOString());
    if (found.outcome === 'ok' && found.actor.type === 'admin') return found.actor;
    throw new Refusal('unauthorized', 'The token was revoked meanwhile.');
  };
  return callerOf({ services, carryOut: api.request, identify, agent, requestId, ip, until: services.stopping });
}

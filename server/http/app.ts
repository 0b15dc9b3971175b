import { randomUUIDv7 } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Koa from 'koa';
import { errorCodes } from '../../contract/errors.ts';
import { buildOpenApi } from '../../contract/openapi.ts';
import { REQUEST_ID } from '../../contract/values.ts';
import { isErrorCode, Refusal } from '../problem.ts';
import { asRequest } from '../request-id.ts';
import type { Services } from '../services.ts';
import { VERSION } from '../version.ts';
import { docsHeaders, docsPage } from './docs-page.ts';
import { sendEarly, sendFile } from './file-answer.ts';
import type { PublicPages } from './handlers.ts';
import { createPipeline, type Exchange, type Outcome, type Resources } from './pipeline.ts';
import { problemOf, toRefusal } from './problem.ts';
import { PREFIX } from './route.ts';
import { createWebhooks, WEBHOOKS } from './webhooks.ts';

/** Date of the API; it only ever grows (decisions.md G24). */
const API_VERSION = '2026-11-21';
const EXPOSED = 'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Idempotency-Replayed';

/** What `/readyz` looks at. */
export type Readiness = () => { ready: boolean; checks: Record<string, string> };

/** The Koa application: request id and headers, the open pages at the root, the admin API, and one body for every error. */
export function createApp(services: Services, resources: Resources, readiness: Readiness): Koa {
  const app = new Koa();
  const pipeline = createPipeline(services, resources);
  const webhooks = createWebhooks(resources.webhooks);
  const open = openPages(services, readiness);
  app.use(async (koa) => {
    const started = performance.now();
    const given = koa.get('x-request-id');
    const requestId = REQUEST_ID.test(given) ? given : randomUUIDv7();
    const { pathname, search } = splitTarget(koa.req.url ?? '/');
    const exchange: Exchange = {
      request: koa.req,
      response: koa.res,
      pathname,
      search,
      requestId,
      ip: koa.req.socket.remoteAddress ?? '',
      setHeader: (name, value) => koa.res.setHeader(name, value),
    };
    setCommonHeaders(exchange, services);
    await asRequest(requestId, () => handle(koa, exchange, started));
  });

  async function handle(koa: Koa.Context, exchange: Exchange, started: number): Promise<void> {
    const { pathname } = exchange;
    let outcome: Outcome;
    try {
      if (services.stopping.aborted) throw new Refusal('busy', 'The server is shutting down; try again in a moment.');
      const page = open.get(pathname) ?? (pathname.startsWith('/problems/') ? problemPage : undefined);
      if (page) outcome = await readPage(page, exchange);
      else if (pathname.startsWith(`${PREFIX}/`)) outcome = await pipeline(exchange);
      else if (pathname.startsWith(WEBHOOKS)) outcome = await webhooks(exchange);
      else outcome = await readPublic(resources.publicPages, exchange);
    } catch (error) {
      outcome = answerOf(error, exchange, services, koa.get('accept'));
    }
    if (outcome === 'streamed') {
      koa.respond = false;
      noteAccess(services, exchange, 200, started);
      return;
    }
    // A client that asks again on the same connection would hold up the end.
    if (services.stopping.aborted) koa.res.setHeader('Connection', 'close');
    await send(koa, outcome, services);
    services.metrics.requests.observe(
      { endpoint: exchange.endpointId ?? 'none', status: outcome.status },
      (performance.now() - started) / 1000,
    );
    noteAccess(services, exchange, outcome.status, started);
  }
  app.on('error', (error: unknown) => services.log.debug({ err: error }, 'connection ended early'));
  return app;
}

/** The access log, at level debug. Not the query, nor a path whose name is a secret: neither is for logs. */
function noteAccess({ log }: Services, { request, pathname, endpointId, ip }: Exchange, status: number, started: number): void {
  if (!log.isLevelEnabled('debug')) return;
  const path = pathname.startsWith(`${PREFIX}/`) ? pathname : pathname.replace(/^(\/[a-z]+\/).+$/, '$1…');
  log.debug({ method: request.method, path, endpoint: endpointId, status, ip, ms: Math.round(performance.now() - started) }, 'request');
}

/** Path and query of a request target; an absolute one (RFC 9112) is read from its path on. */
function splitTarget(target: string): { pathname: string; search: string } {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  const at = path.indexOf('?');
  return at === -1 ? { pathname: path, search: '' } : { pathname: path.slice(0, at), search: path.slice(at) };
}

function setCommonHeaders({ setHeader, requestId, request }: Exchange, { config }: Services): void {
  setHeader('X-Request-Id', requestId);
  setHeader('API-Version', API_VERSION);
  setHeader('X-Content-Type-Options', 'nosniff');
  setHeader('Cache-Control', 'no-store');
  const { origin } = request.headers;
  if (origin !== undefined && config.corsOrigins.includes(origin)) {
    setHeader('Access-Control-Allow-Origin', origin);
    setHeader('Access-Control-Expose-Headers', EXPOSED);
    setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id');
    setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE');
    setHeader('Vary', 'Origin');
  }
}

async function send(koa: Koa.Context, outcome: Exclude<Outcome, 'streamed'>, { log }: Services): Promise<void> {
  if ('content' in outcome) {
    koa.respond = false;
    await sendFile(koa.req, koa.res, outcome).catch((err: unknown) => log.debug({ err }, 'a file was not sent to its end'));
    return;
  }
  const { status, headers, body } = outcome;
  koa.status = status;
  for (const [name, value] of Object.entries(headers)) koa.res.setHeader(name, value);
  if (body === null) {
    koa.body = null;
    koa.status = status;
    return;
  }
  if (!koa.res.hasHeader('Content-Type')) koa.res.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (!koa.req.complete && hasBody(koa.req)) {
    koa.respond = false;
    await sendEarly(koa.req, koa.res, status, body);
    return;
  }
  koa.body = body;
}

/** RFC 9457's body; its media type only for a client that asks for it by name (decisions.md C1). */
function answerOf(error: unknown, exchange: Exchange, { log }: Services, accept: string): TextOutcome {
  const refusal = toRefusal(error);
  const problem = problemOf(refusal, exchange.pathname, exchange.requestId);
  if (problem.status >= 500) {
    log.error({ err: refusal.cause ?? error, request_id: exchange.requestId, path: exchange.pathname }, 'request failed');
  }
  const headers: Record<string, string> = { Vary: 'Accept' };
  if (accept.includes('application/problem+json')) headers['Content-Type'] = 'application/problem+json; charset=utf-8';
  if (refusal.code === 'unauthorized') {
    const sent = exchange.request.headers.authorization !== undefined;
    headers['WWW-Authenticate'] = `Bearer realm="admin-api"${sent ? ', error="invalid_token"' : ''}`;
  }
  const { required_permission: missing } = refusal.extra;
  if (typeof missing === 'string') headers['X-Required-Permission'] = missing;
  const { retry_after: retryAfter, ...body } = problem;
  if (typeof retryAfter === 'number') headers['Retry-After'] = String(retryAfter);
  else if (refusal.code === 'busy' || refusal.code === 'idempotency_in_progress') headers['Retry-After'] = '1';
  return { status: problem.status, headers, body: JSON.stringify(body) };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

type TextOutcome = { status: number; headers: Record<string, string>; body: string | null };
type Page = (path: string) => Promise<TextOutcome>;

function readPage(page: Page, { request: { method }, pathname, setHeader }: Exchange): ReturnType<Page> {
  if (method === 'GET' || method === 'HEAD') return page(pathname);
  setHeader('Allow', 'GET, HEAD');
  throw new Refusal('method_not_allowed', `${pathname} takes GET and HEAD.`);
}

/** `/media/<key>`, `/downloads/<token>`: whoever knows the name needs no token. */
async function readPublic(pages: PublicPages, { request, pathname, setHeader }: Exchange): Promise<Outcome> {
  const [, segment = '', name = ''] = /^\/([a-z]+)\/([^/]+)$/.exec(pathname) ?? [];
  const page = Object.hasOwn(pages, segment) ? pages[segment] : undefined;
  if (!page) throw new Refusal('route_not_found', `There is no ${pathname}.`);
  const { method = 'GET', headers } = request;
  if (method !== 'GET' && method !== 'HEAD') {
    setHeader('Allow', 'GET, HEAD');
    throw new Refusal('method_not_allowed', `${pathname} takes GET and HEAD.`);
  }
  return page({ method, name, ifNoneMatch: headers['if-none-match'] });
}

function openPages(services: Services, readiness: Readiness): ReadonlyMap<string, Page> {
  // Made when somebody asks for it: most servers are never asked, and a start would wait for it.
  let docs: string | undefined;
  const json = (status: number, value: unknown) => ({ status, headers: {}, body: JSON.stringify(value) });
  return new Map<string, Page>([
    ['/healthz', async () => json(200, { status: 'ok' })],
    [
      '/readyz',
      async () => {
        const { ready, checks } = readiness();
        return json(ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', checks });
      },
    ],
    ['/openapi.json', async () => ({ status: 200, headers: {}, body: documentText() })],
    [
      '/docs',
      async () => {
        docs ??= docsPage(JSON.parse(documentText()));
        return { status: 200, headers: docsHeaders, body: docs };
      },
    ],
    [
      '/metrics',
      async () => ({
        status: 200,
        headers: { 'Content-Type': services.metrics.registry.contentType },
        body: await services.metrics.registry.metrics(),
      }),
    ],
  ]);
}

let openApi: string | undefined;

/** The same for all servers of one process. */
function documentText(): string {
  openApi ??= JSON.stringify(buildOpenApi({ version: VERSION }));
  return openApi;
}

/** `/problems/<code>`: what an error's `type` resolves to. */
const problemPage: Page = async (path) => {
  const code = path.slice('/problems/'.length);
  if (!isErrorCode(code)) throw new Refusal('route_not_found', `There is no ${path}.`);
  const [status, title] = errorCodes[code];
  return { status: 200, headers: {}, body: JSON.stringify({ type: path, title, status, code }) };
};

import { Router } from '@koa/router';
import { type Endpoint, PREFIX } from '../../contract/endpoint.ts';
import { endpointList } from '../../contract/index.ts';
import { requireAgentsRights } from '../calls/agents-rights.ts';
import type { Answer, Executor, Target } from '../calls/call.ts';
import { createExecutor } from '../calls/executor.ts';
import { validatorOf } from '../calls/input/validator.ts';
import { type InsideRequest, requestInside } from '../calls/inside-request.ts';
import { checkPermission } from '../calls/permission.ts';
import { openContent } from '../calls/verb/file-content.ts';
import { checkIds } from '../calls/verb/record-etags.ts';
import { recordVersions, routes } from '../routes.ts';
import type { Services } from '../services.ts';
import type { Actor } from '../verbs/context.ts';
import type { FileAnswer } from '../verbs/file-answer.ts';
import type { AnyRoute, Params } from '../verbs/route.ts';
import { answering } from './answering.ts';
import { jsonBody } from './body.ts';
import { allowOf } from './methods.ts';
import { type EndpointPath, endpointPath } from './path.ts';
import { callerOf, type Middleware, type WireState } from './wire.ts';

/** The routers of the admin API, made from the list of endpoints. */
export type Api = {
  routes: Middleware;
  /** Finds the endpoint for a whole path that begins with `/admin/api`; null if there is none. */
  find(method: string, path: string): Found | null;
  /** Carries out a read or a write that a part of the server asks for. */
  request(asked: InsideRequest): Promise<Answer>;
  /** Opens the content of a file at a path below `/admin/api`, as a GET request of the actor would. */
  openContent(actor: Actor, path: string): Promise<FileAnswer>;
  /** Whether a request to this whole path needs no token. */
  isOpen(method: string, path: string): boolean;
  /** Whether a request to this whole path works by the cookie that it brings. */
  needsCookie(method: string, path: string): boolean;
  /** The value of an `Allow` header for a path; null if no endpoint has the path. */
  allowOf(path: string): string | null;
};
type Found = { target: Target; params: Params };

/** Makes one router for each first segment of a path, because a router tries each of its routes in turn. */
export function createApi(services: Services): Api {
  const routers = new Map<string, Router<WireState>>();
  const targets = new Map<string, { target: Target; path: EndpointPath }>();
  const routerOf = (path: string) => routers.get(firstSegment(path));
  const find: Api['find'] = (method, path) => {
    const [layer] = routerOf(path)?.match(path, method).pathAndMethod ?? [];
    const found = targets.get(layer?.name ?? '');
    return layer && found ? { target: found.target, params: found.path.paramsOf(layer.captures(path)) } : null;
  };
  const executor = createExecutor({ services, recordVersions, find: (method, pathname) => find(method, `${PREFIX}${pathname}`) });
  const registry: Readonly<Record<string, AnyRoute>> = routes;
  for (const endpoint of endpointList) {
    const route = registry[endpoint.id];
    if (!route) throw new Error(`${endpoint.id} has no route`);
    const target: Target = { endpoint, route, validator: validatorOf(endpoint) };
    const template = `${PREFIX}${endpoint.path}`;
    const path = endpointPath(template);
    targets.set(endpoint.id, { target, path });
    const router = routerOf(template) ?? new Router<WireState>();
    routers.set(firstSegment(template), router);
    const options = { name: endpoint.id, pathAsRegExp: true };
    const layer = router.register(path.pattern, [endpoint.method], endpointStep(executor, target, path), options);
    // HEAD would have to name the length, and an event stream has none.
    if (endpoint.stream && 'methods' in layer) layer.methods = [endpoint.method];
  }
  const dispatchers = new Map([...routers].map(([segment, router]) => [segment, router.routes()]));
  return {
    routes: (ctx, next) => dispatchers.get(firstSegment(ctx.path))?.(ctx, next) ?? next(),
    find,
    request: (asked) => requestInside(executor, asked),
    openContent: (actor, path) => openContent(executor, actor, path),
    isOpen: (method, path) => openRoutes.has(`${method} ${path}`),
    needsCookie: (method, path) => cookieRoutes.has(`${method} ${path}`),
    allowOf: (path) => {
      const layers = routerOf(path)?.match(path, 'OPTIONS').path ?? [];
      return layers.length === 0 ? null : allowOf(layers, ['OPTIONS']);
    },
  };
}

/**
 * What an endpoint does with a request: it checks the permission by the route alone, then reads the body, then checks the ids (spec R10). One step, because the router composes the steps of each request anew.
 */
function endpointStep(executor: Executor, target: Target, path: EndpointPath): Middleware {
  const { endpoint } = target;
  const readBody = takesJson(endpoint) ? jsonBody(endpoint) : undefined;
  const answer = answering(executor, target);
  return async (ctx) => {
    const { state } = ctx;
    state.answeredBy = endpoint.id;
    state.target = target;
    const params = path.paramsOf(ctx.captures ?? []);
    const { actor } = callerOf(ctx);
    const permission = checkPermission(endpoint, actor, params);
    state.permission = permission;
    if (actor.type === 'task' && actor.agentTokenId !== undefined) await requireAgentsRights(executor.services, actor, permission);
    await readBody?.(ctx);
    checkIds(params);
    await answer(ctx, params);
  };
}

/** Paths of open endpoints have no parameters, so the router knows each of them by this spelling alone. */
const openRoutes = routesOf((one) => one.open === true);
const cookieRoutes = routesOf((one) => one.cookie === 'sent');

function routesOf(isOne: (endpoint: Endpoint) => boolean): ReadonlySet<string> {
  return new Set(endpointList.filter(isOne).map(({ method, path }) => `${method} ${PREFIX}${path}`));
}

function takesJson({ method, multipart }: Endpoint): boolean {
  return method !== 'GET' && !multipart;
}

/** The first segment of the path after the prefix. */
function firstSegment(path: string): string {
  const end = path.indexOf('/', PREFIX.length + 1);
  return path.slice(PREFIX.length + 1, end === -1 ? undefined : end);
}

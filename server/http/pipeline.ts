import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpointList } from '../../contract/index.ts';
import type { Permission } from '../../contract/permissions.ts';
import { type Actor, may, type Perform, type Prepared, type TaskActor } from '../context.ts';
import { Refusal, refusePermission } from '../problem.ts';
import type { RecordVersions } from '../record-versions.ts';
import type { Webhook } from '../resources/provider-events/receive.ts';
import type { UploadRule } from '../resources/storage/domain.ts';
import { authenticate as authenticateToken } from '../resources/tokens/domain.ts';
import type { Services } from '../services.ts';
import { type Authenticated, authenticate, BEARER, FAILED_LOGINS_PER_MINUTE, tooMany } from './auth.ts';
import { parsedBody, type RequestBody, readJsonBody } from './body.ts';
import { budgetOf, countCall } from './budgets.ts';
import { performWith } from './dry-run.ts';
import { EarlierAttempts } from './earlier-attempts.ts';
import { type Answer, type Asked, type Call, type Executor, execute, executeOnce } from './execute.ts';
import type { FileAnswer } from './file-answer.ts';
import type {
  Contents,
  DirectHandlers,
  Handlers,
  HeavyReads,
  InsideHandlers,
  PerformingHandlers,
  PublicPages,
  Samples,
  StepsHandlers,
  Streams,
} from './handlers.ts';
import { parseKey } from './idempotency.ts';
import { fenced as claimEnded, holdClaim } from './journal.ts';
import { createRateLimiter, tellLimit } from './rate-limit.ts';
import { currentEtag, findRecord } from './records.ts';
import { answerReplayed } from './replay.ts';
import { checkEncoding, checkIds, createRouter, type Params, type PathMatch, PREFIX } from './route.ts';
import { RunTokens } from './run-tokens.ts';
import { insideVerb, type Stand } from './sample.ts';
import { executeSteps, type StepsCall } from './steps.ts';
import { HeldTimes } from './turns.ts';
import { receiveUpload } from './upload.ts';
import { UsageNotes } from './usage.ts';
import { type Validator, validatorOf } from './validate.ts';
import { watchAccess } from './watched-access.ts';

export type Resources = {
  /** Slow work that a verb needs done before its transaction. */
  prepare: Record<string, (body: Record<string, unknown>) => Promise<Prepared>>;
  handlers: Handlers;
  performing: PerformingHandlers;
  heavy: HeavyReads;
  steps: StepsHandlers;
  inside: InsideHandlers;
  samples: Samples;
  /** What may be uploaded to an endpoint that takes a multipart form. */
  uploads: Record<string, UploadRule>;
  contents: Contents;
  publicPages: PublicPages;
  /** Ends the run whose budget a refused request would have passed. */
  endSpent(actor: TaskActor, spent: { budget: string; limit: number }): Promise<void>;
  direct: DirectHandlers;
  streams: Streams;
  /** By the name below `/webhooks/`. */
  webhooks: Readonly<Record<string, Webhook>>;
  versions: RecordVersions;
};

type IsHeavy = (query: unknown) => boolean;
type Route = {
  endpoint: Endpoint;
  validator: Validator;
  verb: Call['verb'] | undefined;
  isHeavy: IsHeavy | undefined;
  steps: StepsCall['verb'] | undefined;
  stand: Stand;
};

/** What the outer layer tells of one request and sends. */
export type Exchange = {
  request: IncomingMessage;
  response: ServerResponse;
  pathname: string;
  search: string;
  requestId: string;
  ip: string;
  /** The endpoint's id once it is known, for metrics. */
  endpointId?: string;
  setHeader(name: string, value: string): void;
};

export type Outcome = Pick<Answer, 'status' | 'headers' | 'body'> | FileAnswer | 'streamed';

const NOTHING_PREPARED: Prepared = { warnings: [] };
const NO_BODY: RequestBody = { raw: Buffer.alloc(0), value: {} };

/**
 * The admin API: 401, 404/405 route, 403, 413/415/400 body, then the transaction with replay, 404 record, 412, 422
 * and 409 (decisions.md §0, order of checks).
 */
export function createPipeline(services: Services, resources: Resources): (exchange: Exchange) => Promise<Outcome> {
  const verbs = new Map(byId<Call['verb']>(resources.handlers));
  const perform = performWith(
    (write, asked) => callOf(write, asked),
    (call, db) => executeOnce(executor, call, db),
  );
  for (const [id, verbWith] of byId<(given: Perform) => Call['verb']>(resources.performing)) verbs.set(id, verbWith(perform));
  const stepsVerbs = byId<StepsCall['verb']>(resources.steps);
  const inside = byId<NonNullable<Stand['inside']>>(resources.inside);
  const samples = byId<NonNullable<Stand['sample']>>(resources.samples);
  const heavy = heavyOf(resources.heavy);
  const contentsOf = byId<(call: { params: Params; query: unknown; actor: Actor }) => Promise<FileAnswer>>(resources.contents);
  const routeOf = (endpoint: Endpoint): Route => ({
    endpoint,
    validator: validatorOf(endpoint),
    verb: verbs.get(endpoint.id),
    isHeavy: heavy.get(endpoint.id),
    steps: stepsVerbs.get(endpoint.id),
    stand: { inside: inside.get(endpoint.id), sample: samples.get(endpoint.id) },
  });
  refuseVerbless(resources);
  const router = createRouter(endpointList.map((endpoint) => [endpoint, routeOf(endpoint)] as const));
  const limiter = createRateLimiter(services.config.rateLimit);
  const failures = createRateLimiter(FAILED_LOGINS_PER_MINUTE);
  const runTokens = new RunTokens();
  const callOf: Executor['callOf'] = ({ method, path, body }, again) => {
    const [pathname = ''] = path.split('?', 1);
    const found = router.match(pathname)?.find(method);
    const verb = found && (found.route.verb ?? insideVerb(found.route.stand.inside));
    if (!found || !verb) throw new Refusal('route_not_found', `There is no ${method} ${pathname}.`);
    const { route, params } = found;
    const { endpoint, validator } = route;
    const permission = checkPermission(endpoint, again.actor, params['run_id']);
    return {
      ...again,
      ...{ endpoint, validator, permission, params, verb },
      target: path,
      search: new URLSearchParams(path.slice(pathname.length)),
      body: body === null ? NO_BODY : parsedBody(Buffer.from(body)),
      header: () => undefined,
      heavy: false,
    };
  };
  const executor: Executor = {
    callOf,
    services,
    usage: new UsageNotes(),
    heldTimes: new HeldTimes(),
    earlier: new EarlierAttempts(),
    versions: resources.versions,
    etagOfLocation: async (ctx, location) => {
      const found = router.match(location)?.find('GET');
      return found ? currentEtag(resources.versions, ctx, found.route.endpoint, found.params) : null;
    },
  };

  return async (exchange) => {
    const { request } = exchange;
    const method = request.method ?? 'GET';
    const path = exchange.pathname.slice(PREFIX.length);
    if (method === 'OPTIONS') {
      checkEncoding(exchange);
      return options(exchange, router.match(path));
    }
    const identify = () => authenticate(services, request.headers.authorization, exchange.ip, failures, runTokens, exchange.setHeader);
    const authenticated = await identify();
    try {
      return await answer(exchange, method, path, authenticated);
    } catch (error) {
      const { unchecked, actor: asking } = authenticated;
      const spent = budgetOf(error);
      if (spent && asking.type === 'task') {
        await resources.endSpent(asking, spent);
        throw error;
      }
      if (unchecked === undefined) throw error;
      runTokens.forget(unchecked);
      const { fenced, actor } = await identify();
      if (fenced && !mayRepeat(actor, router.match(path)?.find(method)?.route.endpoint, request)) throw claimEnded();
      throw error;
    }
  };

  async function answer(exchange: Exchange, method: string, path: string, { actor, tokenId, fenced }: Authenticated): Promise<Outcome> {
    const { request } = exchange;
    if (tokenId !== null) limit(exchange, String(tokenId), actor);
    checkEncoding(exchange);
    const match = router.match(path);
    const found = match && (method === 'HEAD' ? readOf(match) : match.find(method));
    if (fenced && !mayRepeat(actor, found?.route.endpoint, request)) throw claimEnded();
    if (!match) throw new Refusal('route_not_found', `There is no ${exchange.pathname}.`);
    if (!found) {
      exchange.setHeader('Allow', allowOf(match));
      throw new Refusal('method_not_allowed', `${exchange.pathname} takes ${allowOf(match)}.`);
    }
    const { route, params } = found;
    const { endpoint } = route;
    exchange.endpointId = endpoint.id;
    const permission = checkPermission(endpoint, actor, params['run_id']);
    const body = endpoint.method === 'GET' || endpoint.multipart ? NO_BODY : await readJsonBody(request, endpoint);
    checkIds(params);
    const search = new URLSearchParams(exchange.search);
    const common = { actor, requestId: exchange.requestId, ip: exchange.ip };

    const header = (name: string): string | undefined => {
      const value = request.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    };
    const target = path + exchange.search;
    if (actor.type === 'task' && actor.replay && !endpoint.ownRun) {
      const asked = { ...common, endpoint, validator: route.validator, permission, params, target, search, body, header };
      return tell(exchange, await answerReplayed(services, { ...asked, prepared: NOTHING_PREPARED }, { ...actor, replay: actor.replay }));
    }

    const stream = resources.streams[endpoint.id];
    if (stream) {
      await services.store.snapshot((db) => findRecord(resources.versions, db, endpoint, params));
      return stream({ ...common, params, request, response: exchange.response, until: lasting(exchange, actor) });
    }
    const contents = contentsOf.get(endpoint.id);
    if (contents) {
      if (actor.type === 'task') await noteTaskRead(actor, permission);
      await services.store.snapshot((db) => findRecord(resources.versions, db, endpoint, params));
      return contents({ params, query: route.validator.query(search), actor });
    }
    const direct = resources.direct[endpoint.id];
    if (direct) {
      const result = await direct({ ...common, body: route.validator.body(body.value), signal: lasting(exchange, actor) });
      return { status: endpoint.status, headers: {}, body: JSON.stringify(result) };
    }
    const { verb } = route;
    const prepared = (await resources.prepare[endpoint.id]?.(body.value)) ?? NOTHING_PREPARED;
    const asked = { ...common, endpoint, validator: route.validator, permission, params, target, search, body, prepared, header };
    const given = await (verb ? runVerb({ ...asked, verb, heavy: isHeavy(route, search) }, request) : runSteps(asked, route));
    return tell(exchange, given);
  }

  /** Until the client has gone, or may less than when it asked: what it sees was chosen by that. */
  function lasting(exchange: Exchange, actor: Actor): AbortSignal {
    const [, token = ''] = BEARER.exec(exchange.request.headers.authorization ?? '') ?? [];
    return watchAccess(services, abortOf(exchange), async () => {
      const found = await authenticateToken(services.store.reader, token, new Date().toISOString());
      if (found.outcome !== 'ok') return false;
      const left = permissionsOf(found.actor);
      return [...permissionsOf(actor)].every((permission) => left.has(permission));
    });
  }

  function tell({ setHeader }: Exchange, given: Answer): Answer {
    for (const work of given.after) work();
    setHeader('Backroom-Time', given.at);
    if (given.replayed) setHeader('Idempotency-Replayed', 'true');
    return given;
  }

  /** The content of a file is sent outside of transactions: whether the claim is in force is checked before. */
  async function noteTaskRead(actor: TaskActor, permission: Permission | null): Promise<void> {
    const remember = await services.store.write(async (db) => {
      await holdClaim(db, actor, false);
      const noted = await executor.usage.note(db, actor.runId, permission);
      if (actor.token === 'call') await countCall(db, actor, 0);
      return noted;
    });
    remember();
  }

  function runSteps(asked: Asked, { steps: verb, stand }: Route): Promise<Answer> {
    if (!verb) throw new Error(`${asked.endpoint.id} has no verb`);
    return executeSteps(executor, { ...asked, ...stand, verb });
  }

  /** An upload comes in before the transaction. A refusal has left no row that names it; of any other failure that is not known. */
  async function runVerb(call: Call, request: IncomingMessage): Promise<Answer> {
    const { versions } = resources;
    const rule = resources.uploads[call.endpoint.id];
    if (!rule) return execute(executor, call);
    // What a dry run writes for people is a record of its own.
    if (call.actor.type === 'task' && call.actor.dryRun && !call.endpoint.ownRun)
      throw new Refusal('not_applicable', 'A dry run cannot upload a file.');
    const received = await receiveUpload({ ...call, services, versions, request, key: parseKey(call.header('idempotency-key')) }, rule);
    const { body, upload } = received;
    let isKept = false;
    try {
      const given = await execute(executor, { ...call, body, prepared: upload ? { ...call.prepared, upload } : call.prepared });
      isKept = !given.replayed && given.status < 400;
      if (!isKept) await received.discard();
      return given;
    } catch (error) {
      if (error instanceof Refusal) await received.discard();
      throw error;
    } finally {
      received.settled(isKept);
    }
  }

  function limit(exchange: Exchange, key: string, actor: Actor): void {
    const perMinute = services.config.rateLimit;
    if (perMinute === 0 || actor.type === 'runner') return;
    const taken = limiter.take(key);
    tellLimit(exchange.setHeader, 'default', perMinute, taken);
    if (!taken.allowed) throw tooMany(taken.resetSeconds, 'default');
  }
}

/** The one place that forgets which endpoint a verb is for: its input is what that endpoint's own schemas gave. */
function byId<Verb>(
  handlers: Handlers | PerformingHandlers | StepsHandlers | InsideHandlers | Samples | Contents,
): ReadonlyMap<string, Verb> {
  return new Map(Object.entries(handlers).map(([id, verb]) => [id, verb as Verb]));
}

/** An endpoint that is declared is there: else the server does not start. */
function refuseVerbless({ handlers, performing, steps, contents, direct, streams }: Resources): void {
  const known = new Set([handlers, performing, steps, contents, direct, streams].flatMap((verbs) => Object.keys(verbs)));
  const missing = endpointList.filter(({ id }) => !known.has(id));
  if (missing.length > 0) throw new Error(`declared without a verb: ${missing.map(({ id }) => id).join(', ')}`);
}

function heavyOf(reads: HeavyReads): ReadonlyMap<string, IsHeavy> {
  return new Map(Object.entries(reads).map(([id, isHeavy]) => [id, isHeavy as IsHeavy]));
}

/** A query that will be refused is not heavy. */
function isHeavy(route: Route, search: URLSearchParams): boolean {
  if (!route.isHeavy) return false;
  try {
    return route.isHeavy(route.validator.query(search));
  } catch {
    return false;
  }
}

/** A runner may ask again for the answer to a PATCH that ended its claim (automation.md §5, Events). */
function mayRepeat(actor: Actor, endpoint: Endpoint | undefined, { headers }: IncomingMessage): boolean {
  const reports = actor.type === 'task' && actor.token === 'report';
  return reports && endpoint?.ownRun === true && headers['idempotency-key'] !== undefined;
}

/** What HEAD answers as: every GET but an event stream, which has no end to wait for. */
function readOf(match: PathMatch<Route>): { route: Route; params: Params } | undefined {
  const found = match.find('GET');
  return found?.route.endpoint.stream ? undefined : found;
}

function allowOf(match: PathMatch<Route>): string {
  return [...match.allowed, ...(readOf(match) ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}

function options(exchange: Exchange, match: PathMatch<Route> | null): Outcome {
  if (!match) throw new Refusal('route_not_found', `There is no ${exchange.pathname}.`);
  exchange.setHeader('Allow', allowOf(match));
  return { status: 204, headers: {}, body: null };
}

/** By the route alone, so that 403 before 404 tells nothing (decisions.md §0). */
function checkPermission(endpoint: Endpoint, actor: Actor, runId: string | number | undefined): Permission | null {
  if (actor.type === 'task') {
    if ((actor.token === 'report') !== (endpoint.ownRun === true))
      throw new Refusal('forbidden', `${endpoint.id} is closed to ${CLOSED_TO[actor.token]}.`);
    if (endpoint.ownRun) {
      if (runId !== actor.runId) throw new Refusal('forbidden', 'The token of a run is good for its own run alone.');
      return endpoint.taskPermission == null ? null : requirePermission(actor, endpoint.taskPermission);
    }
    const permission = endpoint.taskPermission === undefined ? endpoint.permission : endpoint.taskPermission;
    if (permission === null || !isOpenToTasks(permission)) throw new Refusal('forbidden', `${endpoint.id} is closed to tasks.`);
    return requirePermission(actor, permission);
  }
  if (endpoint.permission !== null) return requirePermission(actor, endpoint.permission);
  if (actor.type !== 'admin') throw new Refusal('forbidden', `${endpoint.id} is for admins.`);
  return null;
}

/** By the endpoint that the path was routed to, however the path was spelt (automation.md §3, Fencing). */
const CLOSED_TO = { call: 'tasks: only its runner reports about a run', report: 'the token of a runner that reports about its run' };

const CLOSED = /^admin_api\.(ai_tasks|settings|webhooks|admins|preferences|runner)\./;

function isOpenToTasks(permission: Permission): boolean {
  return !CLOSED.test(permission);
}

function requirePermission(actor: Actor, permission: Permission): Permission {
  if (may(actor, permission)) return permission;
  throw refusePermission('forbidden', [permission], `This needs the permission ${permission}.`);
}

function permissionsOf(actor: Actor): ReadonlySet<string> {
  return actor.type === 'system' ? new Set() : actor.permissions;
}

function abortOf({ response }: Exchange): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  return controller.signal;
}

import { type Endpoint, PREFIX } from '../../contract/endpoint.ts';
import { type Answer, type Call, type Executor, NO_BODY, type Target } from '../calls/call.ts';
import { answerReplayed } from '../calls/journal/replay.ts';
import { countContentRead } from '../calls/reads/content-reads.ts';
import { executeSteps } from '../calls/steps/steps.ts';
import { findRecord } from '../calls/verb/record-etags.ts';
import { authenticate } from '../resources/tokens/domain.ts';
import type { Services } from '../services.ts';
import { type Actor, NOTHING_PREPARED } from '../verbs/context.ts';
import type { Params } from '../verbs/route.ts';
import { tokenOf } from './authentication.ts';
import { sendAnswer, sendEvents, sendFile, sendText } from './send.ts';
import { answerUpload } from './upload.ts';
import { watchAccess } from './watched-access.ts';
import { callerOf, headerOf, type Wire } from './wire.ts';

/** The last step of a request: the route of the endpoint makes the answer. */
export function answering(executor: Executor, target: Target): (ctx: Wire, params: Params) => Promise<void> {
  const { endpoint, route } = target;
  const { services, recordVersions, execute } = executor;
  const exists = (call: Call) => services.store.snapshot((db) => findRecord(recordVersions, db, call));
  return async (ctx, params) => {
    const call = callOf(ctx, target, params);
    const { actor } = call;
    if (actor.type === 'task' && actor.replay && !endpoint.ownRun) {
      return sendTimedAnswer(ctx, await answerReplayed(services, call, { ...actor, replay: actor.replay }));
    }
    switch (route.kind) {
      case 'read':
        return sendTimedAnswer(ctx, await execute({ ...call, verb: route.verb, isHeavy: isHeavy(call, route.isHeavy) }));
      case 'write': {
        const prepared = (await route.prepare?.(services, call.body.value)) ?? NOTHING_PREPARED;
        const answer = await execute({ ...call, prepared, verb: route.verb, isHeavy: false });
        if (!route.besides || ctx.res.closed) return sendTimedAnswer(ctx, answer);
        for (const work of answer.after.splice(0)) work();
        const more = await route.besides({ services, body: call.values(call.body.value) });
        return sendTimedAnswer(ctx, { ...answer, body: JSON.stringify({ ...Object(JSON.parse(answer.body ?? '{}')), ...Object(more) }) });
      }
      case 'upload':
        return sendTimedAnswer(ctx, await answerUpload(executor, call, route, ctx.req));
      case 'steps':
        return sendTimedAnswer(ctx, await executeSteps(executor, call, route));
      case 'content': {
        if (actor.type === 'task') await countContentRead(executor, actor, call.permission);
        await exists(call);
        return sendFile(ctx, await route.open({ services, actor, params, query: call.query() }));
      }
      case 'stream': {
        await exists(call);
        call.query();
        const lastEventId = headerOf(ctx, 'last-event-id');
        const events = await route.open({ services, actor, params, lastEventId, until: accessSignal(services, ctx, actor) });
        return events === null ? sendText(ctx, 204, null) : sendEvents(ctx, events);
      }
      case 'wait': {
        if (endpoint.record !== undefined) await exists(call);
        call.query();
        const body = call.values(call.body.value);
        const result = await route.wait({ services, actor, params, body, until: accessSignal(services, ctx, actor) });
        return sendText(ctx, endpoint.status, JSON.stringify(result));
      }
      default:
        return route satisfies never;
    }
  };
}

function callOf(ctx: Wire, { endpoint, validator }: Target, params: Params): Call {
  const { requestId, ip, permission = null, body = NO_BODY } = ctx.state;
  const { actor } = callerOf(ctx);
  const unknown = isForRunners(endpoint, actor) ? 'ignored' : 'refused';
  // What a run or its runner sends comes from a program whose numbers are what they are; from others, a number may have been another one.
  const isProgram = actor.type === 'task' || actor.type === 'runner';
  const numbers = isProgram ? body.numbers.filter(({ isChanged }) => isChanged) : body.numbers;
  const search = new URLSearchParams(ctx.search);
  let query: Record<string, unknown> | undefined;
  return {
    ...{ endpoint, permission, params, body, actor, requestId, ip },
    target: ctx.url.slice(PREFIX.length),
    search,
    query: () => (query ??= validator.query(search, unknown)),
    values: (value) => validator.body(value, unknown, value === body.value ? numbers : []),
    prepared: NOTHING_PREPARED,
    header: (name) => headerOf(ctx, name),
  };
}

/** What a runner reports. It may be newer than this server, and then says more than the server knows. */
function isForRunners({ permission }: Endpoint, actor: Actor): boolean {
  return permission === 'admin_api.runner.write' || (actor.type === 'task' && actor.token === 'report');
}

function sendTimedAnswer(ctx: Wire, answer: Answer): void {
  for (const work of answer.after) work();
  ctx.set('Backroom-Time', answer.at);
  if (answer.replayed) ctx.set('Idempotency-Replayed', 'true');
  sendAnswer(ctx, answer);
}

/** A query that the schema will refuse with 422 is not heavy. */
function isHeavy({ query }: Call, judge: ((query: unknown) => boolean) | undefined): boolean {
  if (!judge) return false;
  try {
    return judge(query());
  } catch {
    return false;
  }
}

/**
 * A signal that ends a lasting answer: when the client has gone, when the server stops, or when the caller has lost a permission, since the
 * permissions decided what the answer shows.
 */
function accessSignal(services: Services, ctx: Wire, actor: Actor): AbortSignal {
  const token = tokenOf(ctx) ?? '';
  const gone = new AbortController();
  ctx.res.once('close', () => gone.abort());
  return watchAccess(services, AbortSignal.any([gone.signal, services.stopping]), async () => {
    const found = await authenticate(services.store.reader, token, new Date().toISOString());
    if (found.outcome !== 'ok') return false;
    const left = permissionsOf(found.actor);
    return [...permissionsOf(actor)].every((permission) => left.has(permission));
  });
}

function permissionsOf(actor: Actor): ReadonlySet<string> {
  return actor.type === 'system' ? new Set() : actor.permissions;
}

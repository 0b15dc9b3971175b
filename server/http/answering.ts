import { PREFIX } from '../../contract/endpoint.ts';
import { type Answer, type Call, type Executor, NO_BODY, type Target } from '../calls/call.ts';
import { answerReplayed } from '../calls/journal/replay.ts';
import { isHeavy, makeCall } from '../calls/made-call.ts';
import { refuseHiddenContent, shownTo } from '../calls/personal-data.ts';
import { countContentRead } from '../calls/reads/content-reads.ts';
import { executeSteps } from '../calls/steps/steps.ts';
import { findRecord } from '../calls/verb/record-etags.ts';
import { cookieOf, requireOwnOrigin, secretIn } from '../resources/passkeys/cookie.ts';
import { requirePlace } from '../resources/passkeys/place.ts';
import { SESSION_MS } from '../resources/passkeys/sessions.ts';
import { authenticate, authenticateMaker, SESSION_TOKEN_PREFIX } from '../resources/tokens/domain.ts';
import type { Services } from '../services.ts';
import { type Actor, NOTHING_PREPARED } from '../verbs/context.ts';
import type { Input, Params, SessionRoute } from '../verbs/route.ts';
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
      return sendTimedAnswer(ctx, call, await answerReplayed(services, call, { ...actor, replay: actor.replay }));
    }
    switch (route.kind) {
      case 'read':
        return sendTimedAnswer(ctx, call, await execute({ ...call, verb: route.verb, isHeavy: isHeavy(call, route.isHeavy) }));
      case 'write': {
        const prepared = (await route.prepare?.(services, call.body.value)) ?? NOTHING_PREPARED;
        const answer = await execute({ ...call, prepared, verb: route.verb, isHeavy: false });
        if (!route.besides || ctx.res.closed) return sendTimedAnswer(ctx, call, answer);
        for (const work of answer.after.splice(0)) work();
        const more = await route.besides({ services, body: call.values(call.body.value) });
        return sendTimedAnswer(ctx, call, {
          ...answer,
          body: JSON.stringify({ ...Object(JSON.parse(answer.body ?? '{}')), ...Object(more) }),
        });
      }
      case 'upload':
        return sendTimedAnswer(ctx, call, await answerUpload(executor, call, route, ctx.req));
      case 'steps':
        return sendTimedAnswer(ctx, call, await executeSteps(executor, call, route));
      case 'content': {
        refuseHiddenContent(call);
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
      case 'session':
        return answerSession(services, ctx, { call, route });
      default:
        return route satisfies never;
    }
  };
}

/** The only answers that depend on a cookie, and the only ones that set one (spec AU21). */
async function answerSession(services: Services, ctx: Wire, { call, route }: { call: Call; route: SessionRoute<Input, unknown> }) {
  const { endpoint, requestId, ip } = call;
  const place = requirePlace({ services, settings: await services.settings.get(services.store.reader) });
  const [cookie, origin, site] = ['cookie', 'origin', 'sec-fetch-site'].map((name) => headerOf(ctx, name));
  requireOwnOrigin({ origin, 'sec-fetch-site': site }, place);
  const asked = { body: call.values(call.body.value), secret: secretIn(cookie) };
  const origins = { requestId, ip, path: ctx.path };
  const { answer, secret } = await services.transact(endpoint.id, (opened) => route.act(opened, asked), origins);
  if (secret !== undefined) ctx.set('Set-Cookie', cookieOf(secret, SESSION_MS / 1000));
  sendText(ctx, endpoint.status, answer === undefined ? null : JSON.stringify(answer));
}

function callOf(ctx: Wire, target: Target, params: Params): Call {
  const { requestId, ip, permission = null, body = NO_BODY } = ctx.state;
  const { actor } = callerOf(ctx);
  const asked = { permission, params, body, actor, requestId, ip, target: ctx.url.slice(PREFIX.length) };
  return makeCall(target, { ...asked, header: (name) => headerOf(ctx, name) });
}

function sendTimedAnswer(ctx: Wire, call: Call, answer: Answer): void {
  for (const work of answer.after) work();
  ctx.set('Backroom-Time', answer.at);
  if (answer.replayed) ctx.set('Idempotency-Replayed', 'true');
  sendAnswer(ctx, shownTo(call, answer));
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
    const [db, now] = [services.store.reader, new Date().toISOString()];
    // A session outlives each of its access tokens, and so does what was opened with one.
    const isSession = actor.type === 'admin' && token.startsWith(SESSION_TOKEN_PREFIX);
    const found = await (isSession ? authenticateMaker(db, actor.tokenId, now) : authenticate(db, token, now));
    if (found.outcome !== 'ok') return false;
    const left = permissionsOf(found.actor);
    return [...permissionsOf(actor)].every((permission) => left.has(permission));
  });
}

function permissionsOf(actor: Actor): ReadonlySet<string> {
  return actor.type === 'system' ? new Set() : actor.permissions;
}

import { HTTP_ANSWER_MAX_BYTES, type HttpAnswer } from '../../../contract/http.ts';
import { AnswerLost, AnswerTooLarge, NotSent } from '../../providers/http/send.ts';
import type { Ctx, Steps, TaskActor } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import type { Filling } from '../secrets/filling.ts';
import { grantsOf } from '../tasks/grants.ts';
import { shownAddress } from './address.ts';
import { type Exchanged, exchange, RedirectRefused } from './exchange.ts';
import { type Body, checkRequest, isSend, lowerCased, type Prepared, prepare } from './prepare.ts';
import { shownBody, withoutQuery } from './rules.ts';

type Call = { steps: Steps; actor: TaskActor; scope: string; body: Body };

/**
 * Sends one request of a run. One that changes something carries a key of ours, and the call is stored as begun before it is sent. Where
 * its answer was lost, or its server died, nobody here knows whether it arrived: then it is not sent again, unless the script says so.
 */
export async function sendRequest(steps: Steps, body: Body): Promise<(ctx: Ctx) => Promise<HttpAnswer>> {
  const { actor, scope } = steps;
  if (actor.type !== 'task' || scope === null) throw new Refusal('forbidden', 'Only a run sends requests to other systems.');
  const call = { steps, actor, scope, body };
  if (isSend(body) && steps.wasBegun && !body.repeat) throw await unknownOutcome(call, 'the server stopped before it got the answer');
  const prepared = await steps.step((ctx) => prepare(ctx, call));
  const { asked, filling } = prepared;
  const exchanged = await attempt(call, prepared);
  const shown = shownBody(exchanged.answer.body);
  const { status, headers } = exchanged.answer;
  const answer: HttpAnswer = {
    status,
    headers: masked(headers, filling),
    ...shown,
    body: filling.mask(shown.body),
    url: exchanged.url === asked.url ? shownAddress(body.url) : filling.mask(exchanged.url),
  };
  if (Buffer.byteLength(JSON.stringify(answer)) > HTTP_ANSWER_MAX_BYTES) throw await tooLarge(call, exchanged.mayBeTwice);
  return async (ctx) => {
    tell(ctx, call, { status, mayBeTwice: exchanged.mayBeTwice });
    return answer;
  };
}

/** What a dry run is answered. The request is checked as if it were sent. */
export async function sampleAnswer(ctx: Ctx, body: Body): Promise<HttpAnswer> {
  if (ctx.actor.type !== 'task') throw new Refusal('forbidden', 'Only a run sends requests to other systems.');
  checkRequest(body, await grantsOf(ctx.db, ctx.actor));
  if (body.sample === undefined) {
    throw new Refusal(
      'sample_required',
      `A dry run sends nothing: ${body.method} ${withoutQuery(shownAddress(body.url))} needs a sample, such as {sample: {status: 200, body: {}}}, to be answered with.`,
    );
  }
  const { status, headers, body: value } = body.sample;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { status, headers: lowerCased(headers), body: text, encoding: 'text', url: shownAddress(body.url), dry_run: true };
}

/** The other system may send back what it got; no script sees a value. */
function masked(headers: Readonly<Record<string, string>>, { mask }: Filling): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, mask(text)]));
}

async function attempt(call: Call, { asked, grants, filling }: Prepared): Promise<Exchanged> {
  const { steps, body } = call;
  const signal = AbortSignal.any([steps.signal, AbortSignal.timeout(body.timeout_ms)]);
  const how = {
    outgoing: steps.services.outgoing,
    allow: grants.http_allow,
    filling,
    signal,
    until: performance.now() + body.timeout_ms,
  };
  try {
    return await exchange({ ...how, mayRepeat: !isSend(body) || body.repeat }, asked);
  } catch (error) {
    throw await refusalFor(call, filling, error);
  }
}

/** What the script is told; of a request that may have changed something, the effects tell it too. */
async function refusalFor(call: Call, { mask }: Filling, cause: unknown): Promise<Error> {
  const { steps, actor, body } = call;
  const reason = mask(cause instanceof Error ? cause.message : String(cause));
  steps.log.warn(
    { run_id: actor.runId, method: body.method, url: withoutQuery(shownAddress(body.url)), reason },
    'a request of a run got no answer',
  );
  if (steps.signal.aborted) {
    // What has not left this machine is sent by whichever server gets the repeated call.
    if (cause instanceof NotSent) return new Refusal('busy', 'The server is stopping; repeat the request with the same key.', { cause });
    return new Refusal('idempotency_in_progress', 'The server is stopping; repeat the request with the same key.', { cause });
  }
  if (cause instanceof NotSent && cause.isFinal) return new Refusal('http_not_allowed', `The request is not sent: ${reason}.`, { cause });
  if (cause instanceof NotSent) return new Refusal('http_failed', `The request was not sent: ${reason}.`, { cause });
  if (cause instanceof AnswerTooLarge) return tooLarge(call, false);
  if (cause instanceof RedirectRefused) {
    if (isSend(body)) await steps.step(async (ctx) => tell(ctx, call, { status: null, mayBeTwice: false }));
    return new Refusal(cause.code, `The request was answered, but ${reason}.`, { cause });
  }
  if (cause instanceof AnswerLost && isSend(body)) return unknownOutcome(call, reason);
  if (cause instanceof AnswerLost) return new Refusal('http_failed', `The request got no answer: ${reason}.`, { cause });
  return cause instanceof Error ? cause : new Error(reason);
}

async function unknownOutcome(call: Call, reason: string): Promise<Refusal> {
  const { steps, body } = call;
  await steps.step(async (ctx) => tell(ctx, call, { status: 'unknown', mayBeTwice: false }));
  return new Refusal(
    'outcome_unknown',
    `It is not known whether ${body.method} ${withoutQuery(shownAddress(body.url))} arrived: ${reason}. It is not sent again unless the script says {repeat: true}.`,
  );
}

async function tooLarge(call: Call, mayBeTwice: boolean): Promise<Refusal> {
  if (isSend(call.body)) await call.steps.step(async (ctx) => tell(ctx, call, { status: null, mayBeTwice }));
  return new Refusal('http_answer_too_large', `The answer is larger than ${HTTP_ANSWER_MAX_BYTES} bytes of JSON.`);
}

type Told = { status: number | 'unknown' | null; mayBeTwice: boolean };

/** Stores a request that changes something as an effect of the run, without its query, headers and body. */
function tell(ctx: Ctx, { steps, actor, body }: Call, { status, mayBeTwice }: Told): void {
  if (!isSend(body)) return;
  const request = `${body.method} ${withoutQuery(shownAddress(body.url))}`;
  ctx.audit({
    resource: { type: 'http_request', id: null },
    changes: { request: [null, request], status: [null, status] },
    summary: `Run ${actor.runId}: ${request}${status === null ? '' : status === 'unknown' ? ', outcome unknown' : ` answered ${status}`}`,
    maybeTwice: mayBeTwice || (steps.wasBegun && body.repeat),
  });
}

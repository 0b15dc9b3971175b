import type { ErrorCode } from '../../../contract/errors.ts';
import { HTTP_ANSWER_MAX_BYTES, type HttpAnswer } from '../../../contract/http.ts';
import { shownAddress, shownRequest } from '../../../contract/http-shown.ts';
import { TokenRefused } from '../../providers/http/access-tokens.ts';
import { AnswerLost, AnswerTooLarge, NotSent } from '../../providers/http/send.ts';
import type { Ctx, Steps, TaskActor } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import type { Filling } from '../secrets/filling.ts';
import { grantsOf } from '../tasks/grants.ts';
import { type Exchanged, exchange, RedirectRefused } from './exchange.ts';
import { type Body, checkRequest, isSend, lowerCased, type Prepared, prepare } from './prepare.ts';
import { shownBody } from './rules.ts';
import { type Sending, tellAnswered, tellMaybe, tellNotSent, tellPlanned, tellStarted } from './telling.ts';

/** `sent.twice`: it was sent again although an earlier one may have arrived. */
type Call = { steps: Steps; actor: TaskActor; scope: string; body: Body; sent: { twice: boolean } };

/**
 * Sends one request of a run. One that changes something carries a key of ours, and is stored as begun before it is sent. Once it has left,
 * it counts as a write whatever becomes of the call. Where its answer was lost, or its server died, nobody here knows whether it arrived:
 * then it is not sent again, unless the script says so.
 */
export async function sendRequest(steps: Steps, body: Body): Promise<(ctx: Ctx) => Promise<HttpAnswer>> {
  const { actor, scope } = steps;
  if (actor.type !== 'task' || scope === null) throw new Refusal('forbidden', 'Only a run sends requests to other systems.');
  const call = { steps, actor, scope, body, sent: { twice: false } };
  if (isSend(body) && steps.wasBegun && !body.repeat) throw await unknownOutcome(call, 'the server stopped before it got the answer');
  const prepared = await steps
    .step((ctx) => begin(ctx, call))
    .catch((error: unknown) => {
      throw steps.wasBegun && isSend(body) && error instanceof Refusal ? asSent(error) : error;
    });
  const { asked, filling } = prepared;
  const exchanged = await attempt(call, prepared);
  const shown = shownBody(await filling.maskBytes(exchanged.answer.body));
  const { status, headers } = exchanged.answer;
  const answer: HttpAnswer = {
    status,
    headers: masked(headers, filling),
    ...shown,
    url: exchanged.url === asked.url ? shownAddress(body.url) : filling.mask(exchanged.url),
  };
  if (Buffer.byteLength(JSON.stringify(answer)) > HTTP_ANSWER_MAX_BYTES) throw await tooLarge(call);
  return async (ctx) => {
    const sending = sendingOf(call);
    if (sending) await tellAnswered(ctx, sending, { status, mayBeTwice: mayBeTwice(call) });
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
      `A dry run sends nothing: ${shownRequest(body)} needs a sample, such as {sample: {status: 200, body: {}}}, to be answered with.`,
    );
  }
  if (isSend(body)) tellPlanned(ctx, ctx.actor, body);
  const { status, headers, body: value } = body.sample;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { status, headers: lowerCased(headers), body: text, encoding: 'text', url: shownAddress(body.url), dry_run: true };
}

/** The request, if it is one that changes something. */
function sendingOf({ actor, scope, body }: Call): Sending | null {
  return isSend(body) ? { actor, scope, body } : null;
}

function mayBeTwice({ steps, sent }: Call): boolean {
  return steps.wasBegun || sent.twice;
}

/** Checks and completes the request, and notes one that changes something before it leaves. */
async function begin(ctx: Ctx, call: Call): Promise<Prepared> {
  const prepared = await prepare(ctx, call);
  const sending = sendingOf(call);
  if (sending) await tellStarted(ctx, sending, mayBeTwice(call));
  return prepared;
}

/** Masks secrets in the answer, because the other system may echo what it was sent. */
function masked(headers: Readonly<Record<string, string>>, { mask }: Filling): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, mask(text)]));
}

async function attempt(call: Call, { asked, grants, filling, signing }: Prepared): Promise<Exchanged> {
  const { steps, body, sent } = call;
  const signal = AbortSignal.any([steps.signal, AbortSignal.timeout(body.timeout_ms)]);
  const how = {
    outgoing: steps.services.outgoing,
    allow: grants.http_allow,
    filling,
    signing,
    signal,
    until: performance.now() + body.timeout_ms,
  };
  try {
    return await exchange({ ...how, sent, mayRepeat: !isSend(body) || body.repeat }, asked);
  } catch (error) {
    throw await refusalFor(call, filling, error);
  }
}

const REASON_MAX = 300;

/** What the script is told; of a request that may have changed something, the effects tell it too. */
async function refusalFor(call: Call, { mask }: Filling, cause: unknown): Promise<Error> {
  const { steps, actor, body } = call;
  // Masked before it is cut: the beginning of a secret would not be found.
  const said = mask(cause instanceof Error ? cause.message : String(cause));
  const reason = cause instanceof RedirectRefused ? said : said.slice(0, REASON_MAX);
  steps.log.warn({ run_id: actor.runId, request: shownRequest(body), reason }, 'a request of a run got no answer');
  if (cause instanceof NotSent) return notSent(call, cause, reason);
  if (steps.signal.aborted) {
    return new Refusal('idempotency_in_progress', 'The server is stopping; repeat the request with the same key.', { cause });
  }
  if (cause instanceof AnswerTooLarge) return tooLarge(call);
  if (cause instanceof RedirectRefused) return mayHaveActed(call, cause.code, `The request was answered, but ${reason}.`);
  if (cause instanceof AnswerLost && isSend(body)) return unknownOutcome(call, reason);
  if (cause instanceof AnswerLost) return new Refusal('http_failed', `The request got no answer: ${reason}.`, { cause });
  return cause instanceof Error ? cause : new Error(reason);
}

/** A request that has not left this machine may be repeated; when this server stops, the server that gets the repeated call sends it. */
async function notSent(call: Call, cause: NotSent, reason: string): Promise<Refusal> {
  const { steps } = call;
  const sending = sendingOf(call);
  if (sending) await steps.step((ctx) => (steps.wasBegun ? tellMaybe(ctx, sending, false) : tellNotSent(ctx, sending)));
  if (steps.signal.aborted) return new Refusal('busy', 'The server is stopping; repeat the request with the same key.', { cause });
  if (!cause.isFinal || cause instanceof TokenRefused) return new Refusal('http_failed', `The request was not sent: ${reason}.`, { cause });
  return new Refusal('http_not_allowed', `The request is not sent: ${reason}.`, { sent: steps.wasBegun, cause });
}

function unknownOutcome(call: Call, reason: string): Promise<Refusal> {
  return mayHaveActed(
    call,
    'outcome_unknown',
    `It is not known whether ${shownRequest(call.body)} arrived: ${reason}. It is not sent again unless the script says {repeat: true}.`,
  );
}

function tooLarge(call: Call): Promise<Refusal> {
  return mayHaveActed(call, 'http_answer_too_large', `The answer is larger than ${HTTP_ANSWER_MAX_BYTES} bytes of JSON.`);
}

/** Refuses a call whose request has left: one that changes something is a write that may have happened. */
async function mayHaveActed(call: Call, code: ErrorCode, detail: string): Promise<Refusal> {
  const sending = sendingOf(call);
  if (sending) await call.steps.step((ctx) => tellMaybe(ctx, sending, call.sent.twice || (call.steps.wasBegun && sending.body.repeat)));
  return new Refusal(code, detail, { sent: sending !== null });
}

function asSent({ code, message, errors, extra, cause }: Refusal): Refusal {
  return new Refusal(code, message, { errors, extra, sent: true, cause });
}

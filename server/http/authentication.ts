import { RUN_TOKEN_PREFIX } from '../../contract/runner.ts';
import { budgetOf } from '../calls/journal/budgets.ts';
import { authenticate, noteUse, takeSingleUse } from '../resources/tokens/domain.ts';
import type { Services } from '../services.ts';
import { Refusal } from '../verbs/problem.ts';
import type { Api } from './api.ts';
import { refuseFenced } from './fencing.ts';
import { countRequest, type RatePolicy } from './rate-limit.ts';
import { RunTokens } from './run-tokens.ts';
import type { Caller, Middleware, Wire } from './wire.ts';

const UNAUTHORIZED_DETAIL = 'Send Authorization: Bearer <ACCESS_TOKEN> with a token that is known, not expired and not revoked.';
const BEARER = /^bearer +([\x21-\x7e]{1,512})$/i;
/** Failed log-ins from one address before they are refused with 429. */
const FAILED_LOGINS_PER_MINUTE = 20;
/** Requests without a token from one address to endpoints that need none, before they are refused with 429. */
const OPEN_PER_MINUTE = 20;
/** Of these, requests by the cookie of a session: many people may sit behind one address, each with some tabs. */
const RENEWALS_PER_MINUTE = 300;

/** Authenticates the token. Every reason for a 401 has the same body (spec AU6); too many 401s from one address become 429. */
export function authentication(services: Services, api: Api): Middleware {
  const failures = failuresPolicy(services);
  const guests = { name: 'sign-in', limiter: services.rateLimits.limiter('sign-in'), perMinute: OPEN_PER_MINUTE };
  const renewals = { name: 'session', limiter: services.rateLimits.limiter('session'), perMinute: RENEWALS_PER_MINUTE };
  const runTokens = new RunTokens();
  return async (ctx, next) => {
    if (ctx.headers.authorization === undefined && api.isOpen(ctx.method, ctx.path)) {
      ctx.state.caller = guest(ctx, api.needsCookie(ctx.method, ctx.path) ? renewals : guests);
      return next();
    }
    const caller = await identify(services, ctx, failures, runTokens);
    ctx.state.caller = caller;
    try {
      await next();
    } catch (error) {
      if (caller.unchecked === undefined || budgetOf(error) !== null) throw error;
      // The refusal may be told to a run that is still going, but not to one whose claim has ended.
      runTokens.forget(caller.unchecked);
      refuseFenced(ctx, await identify(services, ctx, failures, runTokens), api);
      throw error;
    }
  };
}

const GUEST: Caller = { actor: { type: 'guest', permissions: new Set() }, tokenId: null, isFenced: false };

/** Lets in a sender without a token. Every such request counts, so that nobody can try many codes, or keep the store busy. */
function guest(ctx: Wire, guests: RatePolicy): Caller {
  countRequest(ctx, guests, ctx.state.ip);
  return GUEST;
}

/** The token of an `Authorization: Bearer …` header. */
export function tokenOf({ headers }: Pick<Wire, 'headers'>): string | undefined {
  return headers.authorization === undefined ? undefined : BEARER.exec(headers.authorization)?.[1];
}

async function identify(services: Services, ctx: Wire, failures: RatePolicy, runTokens: RunTokens): Promise<Caller> {
  const token = tokenOf(ctx);
  const isRun = token?.startsWith(RUN_TOKEN_PREFIX) === true;
  const known = isRun ? runTokens.find(token) : undefined;
  if (isRun && known) return { actor: known, tokenId: null, isFenced: false, unchecked: token };
  const now = new Date().toISOString();
  const found = token === undefined ? undefined : await authenticate(services.store.reader, token, now);
  if (found === undefined || found.outcome === 'refused') throw refuseUnknownToken(ctx, failures);
  if (found.outcome === 'fenced') return { actor: found.actor, tokenId: null, isFenced: true };
  const { actor, tokenId } = found;
  if (actor.type === 'admin' && actor.agent) throw new Refusal('forbidden', 'The token of an agent is valid at /mcp alone.');
  if (isRun) runTokens.keep(token, actor);
  if (!found.isSingleUse || tokenId === null) noteUse(services, found, now);
  else if (!(await takeSingleUse(services, tokenId, now))) throw refuseUnknownToken(ctx, failures);
  return { actor, tokenId, isFenced: false, ...(isRun && { unchecked: token }) };
}

/** The limit of requests from one address with tokens that are not valid. */
export function failuresPolicy({ rateLimits }: Services): RatePolicy {
  return { name: 'unauthorized', limiter: rateLimits.limiter('unauthorized'), perMinute: FAILED_LOGINS_PER_MINUTE };
}

/** The refusal of a token that is not valid; too many from one address become 429. */
export function refuseUnknownToken(ctx: Wire, failures: RatePolicy): Refusal {
  countRequest(ctx, failures, ctx.state.ip);
  return new Refusal('unauthorized', UNAUTHORIZED_DETAIL);
}

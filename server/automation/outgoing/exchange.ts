import { setTimeout as delay } from 'node:timers/promises';
import { canonical, withoutQuery } from '../../../contract/http-shown.ts';
import { AnswerLost, NotSent, type Outgoing, type OutgoingAnswer } from '../../providers/http/send.ts';
import type { Filling } from '../secrets/filling.ts';
import { type Asked, redirected, refusalOf, retryAfterOf, waitMs } from './rules.ts';
import type { Signed, Signer } from './signer.ts';

/** One request of a run with its redirects and its repeats, all within one time. */

const TRIES_MAX = 4;
const REDIRECTS_MAX = 5;

export type Exchange = {
  outgoing: Outgoing;
  allow: readonly string[];
  /** The secrets of the request. */
  filling: Filling;
  /** Null: the request is sent as it is. `secrets`: those that the signature is made of. */
  signing: { signer: Signer; secrets: readonly string[] } | null;
  /** Aborted when the time is over or the run has ended. */
  signal: AbortSignal;
  /** When the time is over, by `performance.now()`. */
  until: number;
  /** Whether a request whose answer was lost may be sent again. */
  mayRepeat: boolean;
  /** `twice` is set once it was sent again although an earlier one may have arrived. */
  sent: { twice: boolean };
};

export type Exchanged = { answer: OutgoingAnswer; url: string };

/** A redirect leads to where the version may send nothing, or a secret may not go, or there are too many of them. */
export class RedirectRefused extends Error {
  readonly code: 'http_not_allowed' | 'secret_host_not_allowed';
  constructor(message: string, code: RedirectRefused['code'] = 'http_not_allowed') {
    super(message);
    this.code = code;
  }
}

export async function exchange(how: Exchange, first: Asked): Promise<Exchanged> {
  let asked: Asked = first;
  for (let redirects = 0; ; redirects += 1) {
    const exchanged = await sendUntilAnswered(how, asked).catch((error: unknown) => {
      // An earlier request of the chain has arrived, so it is not true that nothing was sent.
      throw redirects > 0 && error instanceof NotSent ? new AnswerLost(error.message, { cause: error }) : error;
    });
    const { status, headers } = exchanged.answer;
    const next = redirected(asked, status, headers['location']);
    if (next === null) return { ...exchanged, url: asked.url };
    if (redirects === REDIRECTS_MAX) throw new RedirectRefused(`there were more than ${REDIRECTS_MAX} redirects`);
    const problem = refusalOf(how.allow, next.method, next.url, withoutQuery(how.filling.mask(next.url)));
    if (problem !== null) throw new RedirectRefused(`it redirects elsewhere: ${problem}`);
    // Headers with a secret are left out. Secrets in the body, or which the other system put into the address, go along: check their host.
    // A signed request is signed anew, so it goes to hosts of its secrets alone.
    const carried = [...next.bodySecrets, ...(how.signing?.secrets ?? []), ...how.filling.foundIn(next.url)];
    const secretProblem = how.filling.hostProblem(carried, next.url);
    if (secretProblem !== null) throw new RedirectRefused(`it redirects with a secret: ${secretProblem}`, 'secret_host_not_allowed');
    asked = { ...next, url: canonical(next.url) };
  }
}

async function sendUntilAnswered(how: Exchange, asked: Asked): Promise<Omit<Exchanged, 'url'>> {
  let wasLost = false;
  /** The answer to a signature that was renewed since. */
  let refused: OutgoingAnswer | null = null;
  for (let tries = 1; ; tries += 1) {
    let retryAfterMs: number | null = null;
    try {
      const { url, headers, renew } = await signed(how, asked);
      const { origin, pathname, search } = new URL(url);
      const answer = await how.outgoing.send({ ...asked, headers, origin, target: `${pathname}${search}` }, how.signal);
      how.sent.twice ||= wasLost;
      if (answer.status === 401 && renew !== null && refused === null) {
        refused = answer;
        renew();
        continue;
      }
      if (answer.status !== 429 && answer.status !== 503) return { answer };
      retryAfterMs = retryAfterOf(answer.headers['retry-after'], Date.now());
      if (!(await pause(how, tries, retryAfterMs))) return { answer };
    } catch (error) {
      if (refused !== null && error instanceof NotSent) return { answer: refused };
      const isLost = error instanceof AnswerLost;
      how.sent.twice ||= wasLost && !(error instanceof NotSent);
      const isWorthATry = isLost ? how.mayRepeat : error instanceof NotSent && !error.isFinal;
      if (!isWorthATry || !(await pause(how, tries, null))) {
        throw wasLost && error instanceof NotSent ? new AnswerLost(error.message, { cause: error }) : error;
      }
      wasLost ||= isLost;
    }
  }
}

async function signed({ signing, filling, signal }: Exchange, asked: Asked): Promise<Pick<Signed, 'url' | 'headers' | 'renew'>> {
  if (signing === null) return { url: asked.url, headers: { ...asked.headers }, renew: null };
  const { url, headers, derived, renew } = await signing.signer(asked, signal);
  filling.derive(derived);
  return { url, headers: { ...asked.headers, ...headers }, renew };
}

/** Waits before another try; false: there are no further tries, or no time for one. */
async function pause({ signal, until }: Exchange, tries: number, retryAfterMs: number | null): Promise<boolean> {
  const ms = waitMs(tries, retryAfterMs, Math.random());
  if (tries === TRIES_MAX || signal.aborted || performance.now() + ms >= until) return false;
  return delay(ms, true, { signal }).catch(() => false);
}

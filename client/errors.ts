import { isProblem } from '../contract/calls.ts';

/** The server could not be reached, or its answer did not arrive whole; a write may have been carried out. */
export class Unreachable extends Error {
  constructor(url: string, options: ErrorOptions) {
    super(`the server ${url} cannot be reached`, options);
    this.name = 'Unreachable';
  }
}

/** Answered, but not as a Backroom server does. */
export class NotBackroom extends Error {
  readonly status: number;

  constructor(url: string, status: number) {
    super(`${url} answered ${status}, but not as a Backroom server does`);
    this.name = 'NotBackroom';
    this.status = status;
  }
}

/** Busy or throttled; where a gateway says it, the server was not reached. 409: the first request with this key is still at work. */
const PASSING = new Set([429, 503]);
const OF_GATEWAYS = new Set([502, 504]);
const IN_PROGRESS = 'idempotency_in_progress';

/** Whether the answer says that the same request may get another one later. */
export function isPassing(status: number, body: unknown): boolean {
  if (status === 409) return isProblem(body) && body.code === IN_PROGRESS;
  // Of the server itself, a 502 tells what another system answered.
  return PASSING.has(status) || (OF_GATEWAYS.has(status) && !isProblem(body));
}

import type { Readable } from 'node:stream';
import type { EndpointId, Endpoints } from '../contract/index.ts';
import { currentPlace } from '../tracing/current.ts';
import type { Span } from '../tracing/tracing.ts';
import type { AnswersTold } from './answers-told.ts';
import type { ScriptPath } from './api-path.ts';
import type { Answered, Reply, Request, ServerClient } from './server-client.ts';

/**
 * The two clients of a claim (spec RU6). `ScriptCalls` sends what the script asks for, with the call token.
 * `Reports` sends what the runner reports, with the report token, to paths that the runner builds. Each client takes its own
 * path type, so that the compiler refuses a request with the wrong token.
 */
export type ScriptCalls = {
  /** Sends the call until the server answers it; null once `alive()` is false, because nobody waits for the answer any more. */
  untilAnswered(call: ScriptCall, alive: () => boolean): Promise<Answered | null>;
};
export type ScriptCall = Pick<Request, 'unawaited'> & {
  method: Request['method'];
  path: ScriptPath;
  idempotencyKey: string;
  body?: string;
};

export type Reports = {
  /** Sends the report once; throws when no answer came. */
  once(report: Report): Promise<Reply>;
  untilAnswered(report: Report, alive: () => boolean): Promise<Answered | null>;
  /** The target of a report about this run. `name` fills the path parameter `{name}`; `query` takes numbers only. */
  target(endpoint: Reporting, filled?: { name?: string; query?: Record<string, number> }): ReportTarget;
};
export type Report = Pick<Request, 'contentType' | 'idempotencyKey' | 'timeoutMs' | 'signal'> & {
  to: ReportTarget;
  body?: string | Readable;
};

/** Endpoints that accept the report token. */
type Reporting = Extract<Endpoints[EndpointId], { ownRun: true }>;

/** A method and a path that the runner built from the contract and the ids of its claim. */
export class ReportTarget {
  readonly #method: Request['method'];
  readonly #path: string;
  constructor({ method, path }: Reporting, ids: { taskId: number; runId: number }, { name = '', query = {} } = {}) {
    // A name of "." or ".." is dropped: URL parsers would treat it as a dot segment and change the path.
    const segment = /^\.{1,2}$/.test(name) ? '' : encodeURIComponent(name);
    this.#method = method;
    const filled = path
      .replace('{id}', String(ids.taskId))
      .replace('{run_id}', String(ids.runId))
      .replace('{name}', () => segment);
    const pairs = Object.entries(query).map(([key, value]) => `${key}=${Number(value)}`);
    this.#path = pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
  }
  get method(): Request['method'] {
    return this.#method;
  }
  get path(): string {
    return this.#path;
  }
}

/** `span`: of the run; a request belongs to the span of the call that makes it, else to this one. `told`: what the requests tell. */
export function createScriptCalls(client: ServerClient, token: string, span: Span | null, told: AnswersTold): ScriptCalls {
  return {
    untilAnswered: ({ path, ...call }, alive) => tellWith(client, { ...call, ...placeIn(span), path: String(path), token }, told, alive),
  };
}

/** Tells the server in which order the script got its answers. It has stored that where its answer has a time. */
async function tellWith(client: ServerClient, request: Request, told: AnswersTold, alive: () => boolean): Promise<Answered | null> {
  const part = told.untold();
  if (part === null) return client.requestUntilAnswered(request, alive);
  const reply = await client.requestUntilAnswered({ ...request, answers: part.text }, alive);
  if (reply !== null && reply.timeMs !== null) told.stored(part);
  return reply;
}

function placeIn(span: Span | null): Pick<Request, 'traceparent'> {
  return span === null ? {} : { traceparent: currentPlace()?.traceparent ?? span.traceparent };
}

export function createReports(
  client: ServerClient,
  token: string,
  ids: { taskId: number; runId: number },
  span: Span | null,
  told: AnswersTold,
): Reports {
  const requestOf = ({ to: { method, path }, ...rest }: Report): Request => ({ ...rest, ...placeIn(span), method, path, token });
  return {
    once: (report) => client.request(requestOf(report)),
    untilAnswered: (report, alive) =>
      report.to.method === 'GET' ? client.requestUntilAnswered(requestOf(report), alive) : tellWith(client, requestOf(report), told, alive),
    target: (endpoint, filled) => new ReportTarget(endpoint, ids, filled),
  };
}

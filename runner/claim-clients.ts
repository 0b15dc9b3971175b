import type { Readable } from 'node:stream';
import type { EndpointId, Endpoints } from '../contract/index.ts';
import type { ScriptPath } from './api-path.ts';
import type { Answered, Reply, Request, ServerClient } from './server-client.ts';

/**
 * The two ways to the server that a claim has (automation.md §3, Fencing). What a script asks goes by `ScriptCalls`, with
 * the call token; what the runner reports by `Reports`, with the report token, to paths that the runner builds. Each takes
 * a path of its own type, so that neither can be sent by the other.
 */
export type ScriptCalls = {
  /** Until the server answers; null once `alive` says that nobody waits any more. */
  untilAnswered(call: ScriptCall, alive: () => boolean): Promise<Answered | null>;
};
export type ScriptCall = { method: Request['method']; path: ScriptPath; idempotencyKey: string; body?: string };

export type Reports = {
  /** One attempt; throws when no answer came. */
  once(report: Report): Promise<Reply>;
  untilAnswered(report: Report, alive: () => boolean): Promise<Answered | null>;
  /** A place of this run. `name`: the parameter of that name; `query`: numbers alone. */
  place(endpoint: Reporting, filled?: { name?: string; query?: Record<string, number> }): ReportPlace;
};
export type Report = Pick<Request, 'contentType' | 'idempotencyKey' | 'timeoutMs' | 'signal'> & {
  to: ReportPlace;
  body?: string | Readable;
};

/** Endpoints that take the report token. */
type Reporting = Extract<Endpoints[EndpointId], { ownRun: true }>;

/** A method and a path that the runner built from the contract and the ids of its claim. */
export class ReportPlace {
  readonly #method: Request['method'];
  readonly #path: string;
  constructor({ method, path }: Reporting, ids: { taskId: number; runId: number }, { name = '', query = {} } = {}) {
    // A dot segment is no name: on its way it would become another path.
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

export function createScriptCalls(client: ServerClient, token: string): ScriptCalls {
  return { untilAnswered: ({ path, ...call }, alive) => client.requestUntilAnswered({ ...call, path: String(path), token }, alive) };
}

export function createReports(client: ServerClient, token: string, ids: { taskId: number; runId: number }): Reports {
  const requestOf = ({ to: { method, path }, ...rest }: Report): Request => ({ ...rest, method, path, token });
  return {
    once: (report) => client.request(requestOf(report)),
    untilAnswered: (report, alive) => client.requestUntilAnswered(requestOf(report), alive),
    place: (endpoint, filled) => new ReportPlace(endpoint, ids, filled),
  };
}

import {
  type AdminApi,
  ApiError,
  type ClientRequest,
  type ClientResponse,
  createCalls,
  type FilePart,
  isProblem,
  type Operation,
} from '../contract/calls.ts';
import type { ApiWithEach } from '../contract/each.ts';
import { PREFIX } from '../contract/endpoint.ts';
import { eachRow } from '../contract/pages-of-rows.ts';
import { NotBackroom, Unreachable } from './errors.ts';
import { isPassing, pause, type Retries, waitBefore } from './retries.ts';
import { readMessages, type StreamMessage } from './streams.ts';

export type ShopOptions = {
  /** Where the server is, such as `https://shop.example`. */
  url: string;
  /** An access token; a function is asked before each request. */
  token: string | (() => string | Promise<string>);
  /** A request that fails in passing is sent again, a write with the same `Idempotency-Key`, so that it is carried out once. */
  retries?: Retries;
  /** Ends all requests, waits and streams. */
  signal?: AbortSignal;
  /** Sends the requests; default: the `fetch` of this environment. */
  fetch?: typeof fetch;
};

export type ShopClient = {
  /** `api.<resource>.<operation>(…path parameters, body, query, options)`; `each` beside a `list` yields the rows of all its pages. */
  api: ApiWithEach;
  /**
   * Follows an event stream over lost connections: it goes on after the last message that came, so each comes once. Ends where the server
   * says that nothing more will come. `after`: the id of a message that is known already.
   */
  follow(path: string, options?: { after?: string; signal?: AbortSignal }): AsyncGenerator<StreamMessage, void>;
  /** Sends a file of any size (`openAsBlob` of Node reads it only while it is sent), and resolves with the body of the answer. */
  upload(path: string, file: Blob, name: string, fields?: Record<string, string>): Promise<unknown>;
  /** The content of a file; `path` is below `/admin/api`. */
  download(path: string): Promise<Response>;
  /** The same client, whose requests and streams end with this signal, too. */
  until(signal: AbortSignal): ShopClient;
};

/** A client of one shop. `operations` is the table of the contract. */
export function createShop(operations: readonly Operation[], options: ShopOptions): ShopClient {
  const { url, token, retries, signal, fetch: send = fetch } = options;
  if (!/^https?:/i.test(url) || !URL.canParse(url))
    throw new TypeError(`the address of the server is "${url}": one such as https://shop.example is expected`);
  const base = `${url.replace(/\/+$/, '')}${PREFIX}`;

  async function once(path: string, { headers, ...init }: RequestInit & { headers: Record<string, string> }): Promise<Response> {
    const authorization = `Bearer ${typeof token === 'string' ? token : await token()}`;
    return send(`${base}${path}`, { ...init, headers: { authorization, ...headers } }).catch((error: unknown) => {
      init.signal?.throwIfAborted();
      throw new Unreachable(url, { cause: error });
    });
  }

  /** Sends until there is an answer that is not passing; `read` makes of it what is wanted. Throws `Unreachable` where there is none. */
  async function ask<T extends ClientResponse | Response>(
    path: string,
    init: RequestInit & { headers: Record<string, string> },
    read: Read<T>,
  ) {
    const sent = { ...init, ...(signal === undefined ? {} : { signal }) };
    for (let nth = 0; ; nth++) {
      const answer = await once(path, sent)
        .then((response) => read(url, response))
        .catch((error: unknown) => ({ error }));
      signal?.throwIfAborted();
      const isFailed = 'error' in answer;
      if (isFailed && !(answer.error instanceof Unreachable)) throw answer.error;
      if (!isFailed && !(answer.status >= 400 && isPassing(answer.status, answer.body))) return answer;
      const wait = waitBefore(nth, isFailed ? null : retryAfterOf(answer.headers), retries);
      if (wait === null) {
        if (isFailed) throw answer.error;
        return answer;
      }
      await pause(wait, signal);
    }
  }

  const call = ({ method, path, headers, body }: ClientRequest): Promise<ClientResponse> =>
    ask(
      path,
      {
        method,
        headers: { ...keyOf(method), ...(body === undefined ? {} : typeOf(body)), ...inLowerCase(headers) },
        ...(body === undefined ? {} : { body: contentOf(body) }),
      },
      whole,
    );

  async function* follow(path: string, { after = '', signal: own }: { after?: string; signal?: AbortSignal } = {}) {
    const ends = anyOf(signal, own);
    let lastId = after;
    for (let failures = 0; ; ) {
      const headers = { accept: 'text/event-stream', ...(lastId === '' ? {} : { 'last-event-id': lastId }) };
      let failure: unknown = new Unreachable(url, { cause: new Error('the stream broke off') });
      let asked: string | null = null;
      try {
        const answer = await once(path, { headers, ...(ends === undefined ? {} : { signal: ends }) });
        if (answer.status === 204) return;
        asked = answer.headers.get('retry-after');
        if (answer.status !== 200) throw refusalOf(await whole(url, answer));
        if (answer.body === null || !/^text\/event-stream\b/.test(answer.headers.get('content-type') ?? ''))
          throw new NotBackroom(url, 200);
        for await (const message of readMessages(url, answer.body)) {
          if (message.id !== '') lastId = message.id;
          failures = 0;
          yield message;
        }
        if (lastId === 'end') return;
      } catch (error) {
        ends?.throwIfAborted();
        // What is not Backroom may be a gateway while the server is replaced, once the stream has begun.
        if (!mayPass(error, lastId !== after)) throw error;
        failure = error;
      }
      ends?.throwIfAborted();
      const wait = waitBefore(failures++, asked, retries);
      if (wait === null) throw failure;
      await pause(wait, ends);
    }
  }

  return {
    api: withEach(createCalls(call, operations), operations),
    follow,
    async upload(path, file, name, fields = {}) {
      const answer = await call({ method: 'POST', path, body: formOf(fields, file, name) });
      if (answer.status >= 400) throw refusalOf(answer);
      return answer.body;
    },
    async download(path) {
      const answer = await ask<Response | ClientResponse>(path, { headers: {} }, (at, response) =>
        response.ok ? Promise.resolve(response) : whole(at, response),
      );
      if (answer instanceof Response) return answer;
      throw refusalOf(answer);
    },
    until: (other) => createShop(operations, { ...options, signal: anyOf(signal, other) ?? other }),
  };
}

type Read<T> = (url: string, response: Response) => Promise<T>;

function mayPass(error: unknown, hasBegun: boolean): boolean {
  if (error instanceof ApiError) return error.status >= 500 || isPassing(error.status, error.problem);
  return error instanceof Unreachable || (error instanceof NotBackroom && hasBegun);
}

function retryAfterOf(headers: Headers | Record<string, string>): string | null {
  return headers instanceof Headers ? headers.get('retry-after') : (headers['retry-after'] ?? null);
}

/** Two spellings of one header would be sent as two. */
function inLowerCase(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function anyOf(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((one) => one !== undefined);
  return given.length < 2 ? given[0] : AbortSignal.any(given);
}

/** A key for each write: when its answer is lost, it is sent again and carried out once. */
function keyOf(method: string): Record<string, string> {
  if (method === 'GET') return {};
  // `randomUUID` is missing on pages without TLS.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return { 'idempotency-key': `"${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}"` };
}

function typeOf(body: unknown): Record<string, string> {
  return body instanceof FormData || hasFile(body) ? {} : { 'content-type': 'application/json' };
}

function contentOf(body: unknown): string | FormData {
  if (body instanceof FormData) return body;
  if (!hasFile(body)) return JSON.stringify(body);
  const { file, ...fields } = body;
  const { filename, content, content_type: type } = file;
  const bytes = typeof content === 'string' ? content : new Uint8Array(content);
  return formOf(fields, new Blob([bytes], type === undefined ? {} : { type }), filename);
}

/** The file comes last, when the server knows all other parts. */
function formOf(fields: object, file: Blob, name: string): FormData {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) form.append(key, String(value));
  form.append('file', file, name);
  return form;
}

function hasFile(body: unknown): body is { file: FilePart } {
  if (typeof body !== 'object' || body === null || !('file' in body)) return false;
  const { file } = body;
  return typeof file === 'object' && file !== null && 'filename' in file && 'content' in file;
}

/** Reads an answer; throws `Unreachable` where it breaks off, and `NotBackroom` where it is not one of the API. */
async function whole(url: string, answer: Response): Promise<ClientResponse> {
  const headers = Object.fromEntries(answer.headers);
  const { status } = answer;
  const text = await answer.text().catch((error: unknown) => {
    throw new Unreachable(url, { cause: error });
  });
  if (text === '') return { status, headers, body: null };
  const body = /\bjson\b/.test(headers['content-type'] ?? '') ? parsed(text) : undefined;
  if (answer.ok ? body === undefined : !isProblem(body) && !isPassing(status, body)) throw new NotBackroom(url, status);
  return { status, headers, body };
}

/** undefined: it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusalOf({ status, body }: ClientResponse): ApiError {
  return new ApiError(status, isProblem(body) ? body : null);
}

/** Adds `each` beside each `list` of rows that has pages. */
function withEach(api: AdminApi, operations: readonly Operation[]): ApiWithEach {
  const resources: Record<string, Record<string, unknown>> = api;
  for (const { id, paramNames, hasQuery } of operations) {
    const [resource = '', name] = id.split('.');
    const calls = resources[resource];
    const list = calls?.['list'];
    if (name !== 'list' || !hasQuery || calls === undefined || typeof list !== 'function') continue;
    calls['each'] = (...args: unknown[]) =>
      eachRow(id, args[paramNames.length], (query) => list(...args.slice(0, paramNames.length), query));
  }
  if (!hasEach(api, operations)) throw new Error('the table of operations lacks lists');
  return api;
}

function hasEach(api: AdminApi, operations: readonly Operation[]): api is AdminApi & ApiWithEach {
  return operations.every(
    ({ id, hasQuery }) => !id.endsWith('.list') || !hasQuery || 'each' in (Reflect.get(api, id.split('.')[0] ?? '') ?? {}),
  );
}

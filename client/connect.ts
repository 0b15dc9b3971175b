import { type AdminApi, type ClientRequest, type ClientResponse, createCalls, type FilePart, type Operation } from '../contract/calls.ts';
import type { ApiWithEach } from '../contract/each.ts';
import { eachRow } from '../contract/pages-of-rows.ts';
import { followMessages } from './follow.ts';
import { createSender, formOf, initOf, refusalOf, whole } from './requests.ts';
import { ask, type Retries } from './retries.ts';
import type { StreamMessage } from './streams.ts';

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
  const { url, token, retries, signal, fetch: send } = options;
  if (!/^https?:/i.test(url) || !URL.canParse(url))
    throw new TypeError(`the address of the server is "${url}": one such as https://shop.example is expected`);
  const sender = createSender({ url, token, ...(send && { fetch: send }) });
  const call = ({ method, path, headers, body }: ClientRequest): Promise<ClientResponse> =>
    ask(
      sender,
      path,
      initOf({ method, path, headers: { ...keyOf(method), ...inLowerCase(headers) }, body: encoded(body) }, signal),
      whole,
      retries,
    );

  return {
    api: withEach(createCalls(call, operations), operations),
    async *follow(path, { signal: own, ...where } = {}) {
      for await (const message of followMessages(sender, path, { ...where, retries, signal: anyOf(signal, own) }))
        yield { ...message, data: JSON.parse(message.data) };
    },
    async upload(path, file, name, fields = {}) {
      const answer = await call({ method: 'POST', path, body: formOf(fields, file, name) });
      if (answer.status >= 400) throw refusalOf(answer);
      return answer.body;
    },
    async download(path) {
      const read = (at: string, response: Response): Promise<Response | ClientResponse> =>
        response.ok ? Promise.resolve(response) : whole(at, response);
      const answer = await ask(sender, path, { headers: {}, ...(signal && { signal }) }, read, retries);
      if (answer instanceof Response) return answer;
      throw refusalOf(answer);
    },
    until: (other) => createShop(operations, { ...options, signal: anyOf(signal, other) ?? other }),
  };
}

function anyOf(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((one) => one !== undefined);
  return given.length < 2 ? given[0] : AbortSignal.any(given);
}

/** Two spellings of one header would be sent as two. */
function inLowerCase(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** A key for each write: when its answer is lost, it is sent again and carried out once. */
function keyOf(method: string): Record<string, string> {
  if (method === 'GET') return {};
  // `randomUUID` is missing on pages without TLS.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return { 'idempotency-key': `"${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}"` };
}

/** A body with a file is sent as a form. */
function encoded(body: unknown): unknown {
  if (!hasFile(body)) return body;
  const { file, ...fields } = body;
  const { filename, content, content_type: type } = file;
  const bytes = typeof content === 'string' ? content : new Uint8Array(content);
  return formOf(fields, new Blob([bytes], type === undefined ? {} : { type }), filename);
}

function hasFile(body: unknown): body is { file: FilePart } {
  if (typeof body !== 'object' || body === null || !('file' in body)) return false;
  const { file } = body;
  return typeof file === 'object' && file !== null && 'filename' in file && 'content' in file;
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
      eachRow(id, args[paramNames.length], (query) => list(...args.slice(0, paramNames.length), query, args[paramNames.length + 1]));
  }
  if (!hasEach(api, operations)) throw new Error('the table of operations lacks lists');
  return api;
}

function hasEach(api: AdminApi, operations: readonly Operation[]): api is AdminApi & ApiWithEach {
  return operations.every(
    ({ id, hasQuery }) => !id.endsWith('.list') || !hasQuery || 'each' in (Reflect.get(api, id.split('.')[0] ?? '') ?? {}),
  );
}

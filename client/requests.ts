import { ApiError, type ClientRequest, type ClientResponse, isProblem } from '../contract/calls.ts';
import { PREFIX } from '../contract/endpoint.ts';
import { isPassing, NotBackroom, Unreachable } from './errors.ts';

export type SenderOptions = {
  /** Where the server is. */
  url: string;
  /** Sent with each request; a function is asked before each. null: nobody is signed in. */
  token: string | null | (() => string | null | Promise<string | null>);
  fetch?: typeof fetch;
};

export type Sent = Omit<RequestInit, 'headers'> & { headers: Record<string, string> };

export type Sender = {
  url: string;
  /** Sends a request once; throws `Unreachable` where no answer comes. */
  once(path: string, init: Sent): Promise<Response>;
  /** Sends a request once and reads its answer. */
  call(request: ClientRequest, signal?: AbortSignal): Promise<ClientResponse>;
};

/** How a request is sent to a server. */
export function createSender({ url, token, fetch: send = fetch }: SenderOptions): Sender {
  const base = `${url.replace(/\/+$/, '')}${PREFIX}`;

  async function once(path: string, { headers, ...init }: Sent): Promise<Response> {
    const own = typeof token === 'function' ? await token() : token;
    const authorization = own === null ? {} : { authorization: `Bearer ${own}` };
    return send(`${base}${path}`, { ...init, headers: { ...authorization, ...headers } }).catch((error: unknown) => {
      init.signal?.throwIfAborted();
      throw new Unreachable(url, { cause: error });
    });
  }

  const call = async (request: ClientRequest, signal?: AbortSignal): Promise<ClientResponse> =>
    whole(url, await once(request.path, initOf(request, signal)));

  return { url, once, call };
}

/** A body is sent as JSON, unless it is a form. */
export function initOf({ method, headers, body }: ClientRequest, signal?: AbortSignal): Sent {
  const isForm = body instanceof FormData;
  return {
    method,
    headers: { ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  };
}

/** Reads an answer; throws `Unreachable` where it breaks off, and `NotBackroom` where it is not one of the API. */
export async function whole(url: string, answer: Response): Promise<ClientResponse> {
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

export function refusalOf({ status, body }: ClientResponse): ApiError {
  return new ApiError(status, isProblem(body) ? body : null);
}

/** The file comes last, when the server knows all other parts. */
export function formOf(fields: object, file: Blob, name: string): FormData {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) form.append(key, String(value));
  form.append('file', file, name);
  return form;
}

/** undefined: it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

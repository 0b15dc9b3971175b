import type { Request } from './admin-api.ts';

/** Makes `http.request`: the server sends the request, after it has looked into the version's list of addresses. */
export function createHttp(request: Request): object {
  return Object.freeze({
    async request(asked: unknown) {
      if (typeof asked !== 'object' || asked === null) throw new TypeError('http.request takes {method?, url, headers?, body?, …}');
      const { method = 'GET', body, headers = {}, ...rest } = asked as Asked;
      const upper = typeof method === 'string' ? method.toUpperCase() : method;
      if (upper === 'GET' || upper === 'HEAD') {
        if (body !== undefined) throw new TypeError(`a ${upper} request has no body`);
        // Repeating a read changes nothing, so it is repeated anyway.
        const { repeat: _repeat, ...read } = rest;
        return (await request('POST', '/http/fetch', { method: upper, headers, ...read })).body;
      }
      return (await request('POST', '/http/send', { method: upper, ...rest, ...sent(body, headers) })).body;
    },
  });
}

type Asked = { method?: unknown; body?: unknown; headers?: unknown; repeat?: unknown };

/** A text goes as it is, bytes as base64, any other value as its JSON. */
function sent(body: unknown, headers: unknown): object {
  if (body === undefined) return { headers };
  if (typeof body === 'string') return { headers: withType(headers, 'text/plain;charset=UTF-8'), body };
  if (body instanceof Uint8Array) {
    return { headers: withType(headers, 'application/octet-stream'), body: base64(body), encoding: 'base64' };
  }
  return { headers: withType(headers, 'application/json'), body: JSON.stringify(body) };
}

function withType(headers: unknown, type: string): unknown {
  if (typeof headers !== 'object' || headers === null) return headers;
  const isNamed = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  return isNamed ? headers : { ...headers, 'content-type': type };
}

const BLOCK = 8192;

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += BLOCK) text += String.fromCharCode(...bytes.subarray(at, at + BLOCK));
  return btoa(text);
}

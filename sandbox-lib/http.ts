import type { Request } from './admin-api.ts';
import { TextEncoder } from './encoding.ts';
import type { Limits } from './guest.ts';
import { Headers } from './headers.ts';
import { noteLoss, toJson, toQuietJson } from './json.ts';
import type { Places } from './secret-places.ts';
import { byteLength } from './text.ts';

const FETCH = '/http/fetch';
const SEND = '/http/send';
const WHAT = 'the body of a request';

/** Makes `http.request`: the server sends the request, after it has looked into the version's list of addresses. */
export function createHttp(request: Request): object {
  return Object.freeze({
    async request(asked: unknown) {
      if (typeof asked !== 'object' || asked === null) throw new TypeError('http.request takes {method?, url, headers?, body?, …}');
      const { method = 'GET', body, headers: given = {}, ...rest } = asked as Asked;
      const headers = plainHeaders(given);
      const upper = typeof method === 'string' ? method.toUpperCase() : method;
      if (upper === 'GET' || upper === 'HEAD') {
        if (body !== undefined) throw new TypeError(`a ${upper} request has no body`);
        // Repeating a read changes nothing, so it is repeated anyway.
        const { repeat: _repeat, ...read } = rest;
        return (await request('POST', FETCH, { method: upper, headers, ...read })).body;
      }
      return (await request('POST', SEND, { method: upper, ...rest, ...sent(body, headers) })).body;
    },
  });
}

/** Headers, a Map and a list of pairs become the object that the server knows. */
function plainHeaders(headers: unknown): unknown {
  const isList = typeof headers === 'object' && headers !== null && Symbol.iterator in headers;
  return isList ? Object.fromEntries(new Headers(headers as Headers)) : headers;
}

type Asked = { method?: unknown; body?: unknown; headers?: unknown; repeat?: unknown };

/** A text goes as it is, bytes as base64, any other value as its JSON. */
function sent(body: unknown, headers: unknown): object {
  if (body === undefined) return { headers };
  if (typeof body === 'string') return { headers: withType(headers, 'text/plain;charset=UTF-8'), body };
  if (body instanceof Uint8Array) {
    return { headers: withType(headers, 'application/octet-stream'), body: body.toBase64(), encoding: 'base64' };
  }
  const text = JSON.stringify(body);
  if (text !== undefined) noteLoss(body, text, WHAT);
  return { headers: withType(headers, 'application/json'), body: text };
}

function withType(headers: unknown, type: string): unknown {
  if (typeof headers !== 'object' || headers === null) return headers;
  const isNamed = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  return isNamed ? headers : { ...headers, 'content-type': type };
}

/** The JSON of a call's body. Of a request to another system, the body that it sends has its own limit, which no escape counts towards. */
export function bodyText(path: string, body: unknown, getPlaces: () => Places, limits: Limits): string {
  const placed = withPlaces(path, body, getPlaces);
  if (path !== SEND || typeof placed !== 'object' || placed === null) return toJson(placed, WHAT, limits.body_bytes);
  const { body: content, ...rest }: Asked & { encoding?: unknown } = placed;
  if (bytesIn(content, rest.encoding === 'base64') > limits.body_bytes)
    throw new RangeError(`${WHAT} may have at most ${limits.body_bytes} bytes`);
  toJson(rest, 'what a request has besides its body', limits.body_bytes);
  const isText = typeof content === 'string' && rest.encoding !== 'base64';
  // Losses in the parts were told above. Control characters take six characters each as JSON.
  if (!isText || JSON.stringify(content).length <= 2 * limits.body_bytes) return toQuietJson(placed, WHAT, limits.request_bytes);
  return toQuietJson({ ...rest, body: new TextEncoder().encode(content).toBase64(), encoding: 'base64' }, WHAT, limits.request_bytes);
}

/** How many bytes are sent of a body, without the values of its secrets. */
function bytesIn(content: unknown, isBase64: boolean): number {
  if (Array.isArray(content)) return content.reduce((sum: number, piece) => sum + bytesIn(piece, isBase64), 0);
  if (typeof content === 'string') return isBase64 ? Math.floor((content.replace(/=+$/, '').length * 3) / 4) : byteLength(content);
  const pieces: unknown = typeof content === 'object' && content !== null ? Reflect.get(content, 'base64') : undefined;
  // The characters of such a piece stand for its bytes.
  return Array.isArray(pieces)
    ? Math.ceil(pieces.reduce((sum: number, one) => sum + (typeof one === 'string' ? one.length : 0), 0) / 3) * 4
    : 0;
}

/** A signature names its secrets, so a placeholder in it would be signed as a text. */
function namesOnly(sign: unknown, places: Places): unknown {
  const text = JSON.stringify(sign);
  if (text === undefined) return sign;
  if (typeof places.of(text) !== 'string') throw new TypeError('sign takes the name of a secret, such as "signing_key", and no secret()');
  const copy: unknown = JSON.parse(text);
  return copy;
}

/** The body of a call with places instead of the placeholders in it, where the call sends a request to another system. */
function withPlaces(path: string, body: unknown, getPlaces: () => Places): unknown {
  if ((path !== FETCH && path !== SEND) || typeof body !== 'object' || body === null) return body;
  const places = getPlaces();
  const placed = (value: unknown): unknown => (typeof value === 'string' ? places.of(value) : value);
  const parts = Object.entries(body).map(([name, value]): [string, unknown] => {
    if (name === 'url') return [name, placed(value)];
    if (name === 'sign') return [name, namesOnly(value, places)];
    if (name === 'headers' && typeof value === 'object' && value !== null) {
      return [name, Object.fromEntries(Object.entries(value).map(([header, text]) => [header, placed(text)]))];
    }
    if (name !== 'body' || typeof value !== 'string') return [name, value];
    return [name, Reflect.get(body, 'encoding') === 'base64' ? places.inBytes(value) : places.of(value)];
  });
  return Object.fromEntries(parts);
}

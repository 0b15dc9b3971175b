import { HttpMethodEnum, koaBody } from 'koa-body';
import type { Endpoint } from '../../contract/endpoint.ts';
import { NO_BODY } from '../calls/call.ts';
import { parsedBody } from '../calls/input/json-body.ts';
import { Refusal } from '../verbs/problem.ts';
import { isBodySent, type Middleware, type Wire } from './wire.ts';

const DEFAULT_LIMIT_BYTES = 1024 * 1024;
/** A JSON body must arrive within five minutes; a slower connection is closed. */
const COMES_WITHIN_MS = 300_000;
/** Media types of JSON, in lower case and without parameters. */
export const JSON_TYPE = /^application\/(json|[a-z0-9!#$&^_.+-]+\+json)$/;

/** Reads and parses the JSON object that a write may have as its body; refuses with 413, 415 or 400 (spec G4, G5, R2). */
export function jsonBody({ bodyLimitBytes = DEFAULT_LIMIT_BYTES }: Endpoint): (ctx: Wire) => Promise<void> {
  const read = rawBody(bodyLimitBytes, COMES_WITHIN_MS);
  return async (ctx) => {
    const type = ctx.headers['content-type'];
    await read(ctx, async () => undefined);
    const { rawBody: raw } = ctx.state;
    if (raw === undefined ? isBodySent(ctx) : raw.length > 0) checkContentType(type);
    ctx.state.body = raw === undefined || raw.length === 0 ? NO_BODY : parsedBody(raw);
  };
}

/**
 * Reads the bytes of a body of any type. koa-body returns them as latin1 text, one character per byte. Its own JSON parser is not used: it
 * accepts invalid UTF-8, any depth and compressed bodies, and refuses `__proto__` as a name.
 */
export function rawBody(limitBytes: number, withinMs: number): Middleware {
  const read = koaBody({
    json: false,
    urlencoded: false,
    textTypes: ['*/*'],
    encoding: 'latin1',
    textLimit: limitBytes,
    parsedMethods: [HttpMethodEnum.POST, HttpMethodEnum.PUT, HttpMethodEnum.PATCH, HttpMethodEnum.DELETE],
    onError: (cause) => {
      if ('type' in cause && cause.type === 'entity.too.large') throw tooLarge(limitBytes);
      throw new Refusal('malformed_json', 'The body ended before its announced end.', { cause });
    },
  });
  return async (ctx, next) => {
    if (!isBodySent(ctx)) return next();
    if (Number(ctx.headers['content-length']) > limitBytes) throw tooLarge(limitBytes);
    checkEncoding(ctx);
    // A body without a type counts as application/octet-stream (RFC 9110, 8.3); koa-body would not read it otherwise.
    ctx.headers['content-type'] ??= 'application/octet-stream';
    const timer = setTimeout(() => ctx.req.destroy(), withinMs);
    try {
      await read(ctx, async () => undefined);
    } finally {
      clearTimeout(timer);
    }
    const { body } = ctx.request;
    if (typeof body === 'string') ctx.state.rawBody = Buffer.from(body, 'latin1');
    return next();
  };
}

function tooLarge(limit: number): Refusal {
  return new Refusal('body_too_large', `The body may have at most ${limit} bytes.`, { extra: { limit_bytes: limit } });
}

function checkEncoding({ headers }: Wire): void {
  const encoding = headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return;
  throw new Refusal('unsupported_media_type', `Send the body without Content-Encoding, not as ${encoding}.`);
}

function checkContentType(header = ''): void {
  const [type = '', ...parameters] = header.toLowerCase().split(';');
  if (!JSON_TYPE.test(type.trim())) {
    throw new Refusal('unsupported_media_type', `Send application/json, not ${type.trim() || 'a body without a Content-Type'}.`);
  }
  for (const parameter of parameters) {
    const [name, value = ''] = parameter.split('=').map((part) => part.trim().replaceAll('"', ''));
    if (name === 'charset' && value !== 'utf-8' && value !== 'utf8') {
      throw new Refusal('unsupported_media_type', `Send JSON in UTF-8, not in ${value}.`);
    }
  }
}

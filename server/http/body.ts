import type { IncomingMessage } from 'node:http';
import type { Endpoint } from '../../contract/endpoint.ts';
import { Refusal } from '../problem.ts';

const DEFAULT_LIMIT_BYTES = 1024 * 1024;
/** No body of JSON takes longer over any line that is worth waiting for. */
const COMES_WITHIN_MS = 300_000;
const MAX_DEPTH = 200;
const JSON_TYPE = /^application\/(json|[a-z0-9!#$&^_.+-]+\+json)$/;
const EMPTY = Buffer.alloc(0);

export type RequestBody = { raw: Buffer; value: Record<string, unknown> };

/** Reads and parses a JSON body: 413, 415 and 400 in this order (decisions.md G4, G5, R2); no body is `{}`. */
export async function readJsonBody(request: IncomingMessage, endpoint: Endpoint): Promise<RequestBody> {
  const raw = await readBytes(request, endpoint.bodyLimitBytes ?? DEFAULT_LIMIT_BYTES);
  if (raw.length === 0) return { raw, value: {} };
  checkContentType(request);
  return parsedBody(raw);
}

export function parsedBody(raw: Buffer): RequestBody {
  return { raw, value: parseObject(raw) };
}

function tooLarge(limit: number): Refusal {
  return new Refusal('body_too_large', `The body may have at most ${limit} bytes.`, { extra: { limit_bytes: limit } });
}

/** 413 as soon as there are too many. */
export async function readBytes(request: IncomingMessage, limit: number, withinMs: number = COMES_WITHIN_MS): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  if (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined) return EMPTY;
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => request.destroy(), withinMs);
  try {
    for await (const chunk of request) {
      if (!Buffer.isBuffer(chunk)) continue;
      size += chunk.length;
      if (size > limit) throw tooLarge(limit);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    throw new Refusal('malformed_json', 'The body ended before its announced end.', { cause });
  } finally {
    clearTimeout(timer);
  }
  return chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks);
}

function checkContentType(request: IncomingMessage): void {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  if (!JSON_TYPE.test(type.trim())) {
    throw new Refusal('unsupported_media_type', `Send application/json, not ${type.trim() || 'a body without a Content-Type'}.`);
  }
  for (const parameter of parameters) {
    const [name, value = ''] = parameter.split('=').map((part) => part.trim().replaceAll('"', ''));
    if (name === 'charset' && value !== 'utf-8' && value !== 'utf8') {
      throw new Refusal('unsupported_media_type', `Send JSON in UTF-8, not in ${value}.`);
    }
  }
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Refusal('unsupported_media_type', `Send the body without Content-Encoding, not as ${encoding}.`);
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function parseObject(raw: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    const text = decoder.decode(raw);
    if (isTooDeep(text)) throw new Refusal('malformed_json', `The body nests deeper than ${MAX_DEPTH} levels.`);
    value = JSON.parse(text);
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    const detail = cause instanceof SyntaxError ? cause.message : 'not valid UTF-8';
    throw new Refusal('malformed_json', `The body is not valid JSON: ${detail.slice(0, 200)}`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal(
      'body_not_object',
      `The body must be a JSON object, not ${Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`}.`,
    );
  }
  return { ...value };
}

/** What is nested deeper would overflow the stack of every recursive walk that follows. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x22) {
      for (i++; i < text.length && text.charCodeAt(i) !== 0x22; i++) if (text.charCodeAt(i) === 0x5c) i++;
    } else if (c === 0x5b || c === 0x7b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (c === 0x5d || c === 0x7d) depth--;
  }
  return false;
}

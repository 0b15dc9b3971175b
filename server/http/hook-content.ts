import { Json, type JsonObject } from '../../contract/run-events.ts';
import type { CalledHook } from '../automation/hooks/calling.ts';
import { parsedJson } from '../calls/input/json-body.ts';
import { errorsAbout, faultOf, type Inexact } from '../calls/input/json-numbers.ts';
import { Refusal } from '../verbs/problem.ts';
import { JSON_TYPE } from './body.ts';

/** The headers that a script gets: what a call is about, but nothing that could be a secret of its sender. */
const TOLD = [
  ...['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp', 'x-event-key', 'x-event-type', 'x-gitlab-event'],
  ...['x-github-delivery', 'x-github-event', 'x-github-hook-id'],
  ...['x-shopify-api-version', 'x-shopify-event-id', 'x-shopify-shop-domain', 'x-shopify-topic', 'x-shopify-triggered-at'],
  'x-shopify-webhook-id',
] as const;
/** JSON may be several times as long when it is written again; a run's parameters may not. */
const CONTENT_LIMIT_BYTES = 2 * 1024 * 1024;

export type HookSent = { header(name: string): string | undefined; querystring: string };

/**
 * What was sent, as a script gets it: `{headers, query, body}`. The body is JSON, the fields of a form, or text; null: there is
 * none. The hook tells another header, and whether the script gets the text of the body, too.
 */
export function contentOf(sent: HookSent, body: Buffer, hook: Pick<CalledHook, 'idempotency_header' | 'raw_body'>): JsonObject {
  const { idempotency_header: more, raw_body } = hook;
  const names = [...new Set([...TOLD, ...(more === null ? [] : [more.toLowerCase()])])];
  const headers = names.flatMap((name) => {
    const value = sent.header(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const content = {
    headers: Object.fromEntries(headers),
    query: fieldsOf(sent.querystring),
    body: body.length === 0 ? null : bodyOf(sent, body, raw_body === 1 ? 'text' : 'number'),
    ...(raw_body === 1 ? { raw_body: textOf(body) } : {}),
  };
  const size = Buffer.byteLength(JSON.stringify(content));
  if (size <= CONTENT_LIMIT_BYTES) return content;
  const detail = `As JSON, the body has ${size} bytes; it may have at most ${CONTENT_LIMIT_BYTES}.`;
  throw new Refusal('body_too_large', detail, { extra: { limit_bytes: CONTENT_LIMIT_BYTES } });
}

function bodyOf({ header }: HookSent, body: Buffer, inexact: Inexact): Json {
  const [type = ''] = (header('content-type') ?? '').toLowerCase().split(';');
  if (JSON_TYPE.test(type.trim())) return jsonOf(body, inexact);
  const text = textOf(body);
  return type.trim() === 'application/x-www-form-urlencoded' ? fieldsOf(text) : text;
}

/** A number that a script cannot hold is refused, unless the hook asks for its text. */
function jsonOf(body: Buffer, inexact: Inexact): Json {
  const { value, numbers } = parsedJson(body, inexact);
  const first = numbers.find(({ kind }) => kind === 'infinite' || inexact === 'number');
  if (!first) return Json.parse(value);
  const detail = `The number at ${first.pointer || 'the top'} of the body ${faultOf(first)}.`;
  throw new Refusal('malformed_json', detail, { errors: errorsAbout([first]) });
}

/** It keeps a byte order mark, which may be signed with the rest. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(body: Buffer): string {
  try {
    return decoder.decode(body);
  } catch (cause) {
    throw new Refusal('unsupported_media_type', 'Send JSON, a form, or text, in UTF-8.', { cause });
  }
}

/** A field that is there several times has a list of its values. */
function fieldsOf(text: string): JsonObject {
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  return Object.fromEntries([...fields].map(([name, [first = '', ...more]]) => [name, more.length === 0 ? first : [first, ...more]]));
}

import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { type Endpoint, readsRecord, returnsEtag, takesIfMatch } from './endpoint.ts';
import { errorCodes, Problem } from './errors.ts';
import { REQUEST_ID } from './values.ts';

/** Describes the responses of endpoints in the OpenAPI document. */

/**
 * COMMON: statuses that every endpoint can return (409: to a run whose claim has ended; 422: for a parameter that it does not know).
 * WITH_BODY: in addition, endpoints that take a body.
 */
const COMMON = [400, 401, 403, 404, 405, 409, 422, 429, 500, 503];
const WITH_BODY = [413, 415];

export function responsesOf(e: Endpoint): Record<string, ZodOpenApiResponseObject | { $ref: string }> {
  return {
    [e.status]: success(e),
    ...(e.sse?.ends
      ? {
          204: {
            description: 'The run has ended and the client has received all of its events: it sent `Last-Event-ID: end`',
            headers: headersOf(e),
          },
        }
      : {}),
    ...(readsRecord(e)
      ? { 304: { description: 'The record still has the ETag of If-None-Match', headers: headersOf(e, 'Backroom-Time', 'ETag') } }
      : {}),
    ...problemsOf(e),
  };
}

function success(e: Endpoint): ZodOpenApiResponseObject {
  if (e.stream) {
    return {
      description: e.sse?.description ?? 'The events',
      headers: headersOf(e),
      content: { 'text/event-stream': { schema: z.string() } },
    };
  }
  if (e.binary) return fileContent(e);
  const headers = headersOf(
    e,
    'Backroom-Time',
    // Also for reads: the response of a run's read is kept in the journal and can be repeated from there.
    'Idempotency-Replayed',
    ...(e.reportsEpoch ? (['Backroom-Epoch'] as const) : []),
    ...(returnsEtag(e) ? (['ETag'] as const) : []),
    ...(e.location ? (['Location'] as const) : []),
    ...(e.cookie ? (['Set-Cookie'] as const) : []),
    ...(isPaged(e) ? (['Link'] as const) : []),
  );
  if (e.status === 204) return { description: 'Done; no content', headers };
  const description = e.status === 201 ? 'Created' : 'OK';
  return { description, headers, content: { 'application/json': { schema: e.response ?? z.unknown() } } };
}

/** The success response of a file: of the declared type, else of the type that the file was stored with. */
function fileContent(e: Endpoint): ZodOpenApiResponseObject {
  const { contentType = '*/*' } = e;
  const schema = contentType.startsWith('text/') ? z.string() : BinaryContent;
  return {
    description: e.contentType ? 'The content' : 'The content of the file, with the type that it was stored with',
    headers: headersOf(
      e,
      // A page is shown; every other content is saved.
      ...(contentType === 'text/html' ? [] : (['Content-Disposition'] as const)),
      ...(e.partial ? (['Content-Range'] as const) : []),
    ),
    content: { [contentType]: { schema } },
  };
}

export const BinaryContent = z.string().meta({ format: 'binary', description: 'The content of the file' });

function problemsOf(e: Endpoint): Record<string, { $ref: string }> {
  const statuses = new Set(COMMON);
  const add = (list: readonly number[]): void => {
    for (const status of list) statuses.add(status);
  };
  if (e.method !== 'GET') add(WITH_BODY);
  if (takesIfMatch(e)) add([412]);
  add((e.refusals ?? []).map((code) => (isErrorCode(code) ? errorCodes[code][0] : 422)));
  return Object.fromEntries(
    [...statuses].sort((a, b) => a - b).map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]),
  );
}

function isErrorCode(code: string): code is keyof typeof errorCodes {
  return code in errorCodes;
}

/** One shared response for each status: the problem body, with the codes that have this status. */
export function problemResponses(used: ReadonlySet<string>): Record<string, ZodOpenApiResponseObject> {
  const codes = new Map<number, string[]>();
  for (const [code, [status]] of Object.entries(errorCodes)) codes.set(status, [...(codes.get(status) ?? []), code]);
  return Object.fromEntries(
    [...codes]
      .filter(([status]) => used.has(String(status)))
      .map(([status, list]) => [
        `Problem${status}`,
        {
          description: `One of ${list.map((code) => `\`${code}\``).join(', ')}`,
          headers: headerRefs(
            ...ALWAYS,
            ...COUNTED,
            ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
            // Refusals of a script's calls are kept in the journal too, and can be repeated from there.
            ...(status !== 401 && status !== 429 && status !== 503 ? (['Backroom-Time', 'Idempotency-Replayed'] as const) : []),
            ...(status === 403 ? (['X-Required-Permission'] as const) : []),
            ...(status === 405 ? (['Allow'] as const) : []),
            ...(status === 409 || status === 429 || status === 503 ? (['Retry-After'] as const) : []),
          ),
          content: { 'application/json': { schema: Problem }, 'application/problem+json': { schema: Problem } },
        },
      ]),
  );
}

type HeaderName = keyof typeof responseHeaders;

const ALWAYS = ['X-Request-Id', 'API-Version'] as const;
const COUNTED = ['RateLimit', 'RateLimit-Policy'] as const;

function headersOf(e: Endpoint, ...names: HeaderName[]): Record<string, { $ref: string }> {
  return headerRefs(...ALWAYS, ...(isCounted(e) ? COUNTED : []), ...names);
}

/** Calls of runners and runs do not count against the rate limit; they have budgets of their own. */
function isCounted({ permission }: Endpoint): boolean {
  return permission !== 'admin_api.runner.write';
}

function headerRefs(...names: HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function isPaged(e: Endpoint): boolean {
  return e.method === 'GET' && e.query !== undefined && 'page' in e.query.shape;
}

const header = (description: string, pattern?: string) => ({
  description,
  schema: { type: 'string' as const, ...(pattern === undefined ? {} : { pattern }) },
});

const NOT_COUNTED =
  'requests without a valid token count as `unauthorized`, or as `sign-in` where none is needed; runs and runners with a valid token get no such header, because their calls have budgets instead';

export const responseHeaders = {
  'X-Request-Id': { required: true, ...header('Id of the request', REQUEST_ID.source) },
  'API-Version': {
    required: true,
    ...header('Date of the last change of the API; the API only grows, so older clients keep working', '^\\d{4}-\\d{2}-\\d{2}$'),
  },
  RateLimit: header(
    `What is left of the rate limit (r) and the seconds until it is reset (t); ${NOT_COUNTED}`,
    '^"(default|unauthorized|sign-in|session|hooks)";r=\\d+;t=\\d+$',
  ),
  'RateLimit-Policy': header(
    `The rate limit: requests (q) in a window of seconds (w); ${NOT_COUNTED}`,
    '^"(default|unauthorized|sign-in|session|hooks)";q=\\d+;w=60$',
  ),
  'Retry-After': header('Seconds to wait', '^\\d+$'),
  ETag: header(
    'Version of the record, for If-Match and If-None-Match. After a dot there can be a digest of fields that depend on other records or on the time; If-Match ignores it',
    '^"[a-z-]+(-\\d+)*(\\.[A-Za-z0-9_-]{16})?"$',
  ),
  'Set-Cookie': header('The cookie of the session; empty where the session has ended', '^__Host-backroom_session='),
  Location: header('Path of the new record', '^/admin/api/'),
  Link: header('Links to the first, prev, next and last page', '^<'),
  'Idempotency-Replayed': header('`true` if this is the stored response of an earlier request with the same key', '^true$'),
  'Backroom-Time': header("Time of the write or of the read; a script's clock moves to this time", '^\\d{4}-\\d{2}-\\d{2}T[0-9:.]+Z$'),
  'Backroom-Epoch': header('The epoch of the run after its checkpoint', '^\\d+$'),
  'Content-Disposition': header('File name for saving; browsers download the file and never display it', '^attachment'),
  'Content-Range': header('The byte range of this part, and the size of the whole file', '^bytes (\\d+-\\d+|\\*)/\\d+$'),
  'WWW-Authenticate': header('The scheme, Bearer', '^Bearer '),
  'X-Required-Permission': header('The permission that is missing'),
  Allow: header('Methods that the path takes'),
};

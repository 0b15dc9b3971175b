import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject, type ZodOpenApiResponseObject } from 'zod-openapi';
import { type Endpoint, hasBody, isWrite, readsOne } from './endpoint.ts';
import { errorCodes, Problem } from './errors.ts';
import { endpointList } from './index.ts';
import { webhooksOf } from './openapi-webhooks.ts';
import { explainParameters } from './openapi-words.ts';
import { Json } from './run-events.ts';
import { Id } from './values.ts';

const PREFIX = '/admin/api';

/** Every endpoint can answer these; a body adds the second list (decisions.md Appendix A). */
const COMMON = [401, 403, 404, 405, 429, 500, 503];
const WITH_BODY = [400, 413, 415, 422];

/** The OpenAPI 3.1 document of all endpoints. */
export function buildOpenApi(options: { version: string }): object {
  const operations = endpointList.map((e) => ({ path: PREFIX + templateOf(e), method: methodKey(e), operation: operationOf(e) }));
  const paths: ZodOpenApiPathsObject = {};
  for (const { path, method, operation } of operations) {
    paths[path] = inOrder({ ...paths[path], [method]: operation });
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Storefront Administration API',
        version: options.version,
        description:
          'Back office of an online shop: pages, access groups, orders, customers, automation tasks, notifications, logs, dashboard and subscriptions.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'This server' }],
      security: [{ pat: [] }],
      tags: [...new Set(endpointList.map(tagOf))].map((name) => ({ name, description: `Operations on ${name.replaceAll('_', ' ')}` })),
      paths,
      webhooks: webhooksOf('webhooks'),
      components: {
        securitySchemes: {
          pat: { type: 'http', scheme: 'bearer', description: 'Personal access token of an administrator' },
        },
        responses: problemResponses(new Set(operations.flatMap(({ operation }) => Object.keys(operation.responses)))),
        headers: responseHeaders,
        parameters: headerParameters,
      },
    },
    { override: ({ zodSchema, jsonSchema }) => (zodSchema === Json ? makeAny(jsonSchema) : simplify(jsonSchema)) },
  );
  return explainParameters(document);
}

type PathItem = { [Method in (typeof methodOrder)[number]]?: ZodOpenApiOperationObject };
const methodOrder = ['get', 'post', 'put', 'patch', 'delete'] as const;

function inOrder(item: PathItem): PathItem {
  return Object.fromEntries(methodOrder.flatMap((method) => (item[method] ? [[method, item[method]]] : [])));
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Said in full, JSON is a type that refers to itself, which many generators of clients cannot say. */
function makeAny(schema: JsonSchema): void {
  for (const name of Object.keys(schema)) {
    if (name !== 'description') delete schema[name];
  }
}

/** Fields may be added to any object, so the document must not forbid them; `X|null` becomes a list of types. */
function simplify(schema: JsonSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  const [first, second, ...more] = schema.anyOf ?? [];
  if (!first || more.length > 0 || second?.type !== 'null') return;
  if (typeof first.type !== 'string' || first.enum || first.$ref) return;
  const description = schema.description ?? first.description;
  delete schema.anyOf;
  Object.assign(schema, first, { type: [first.type, 'null'] }, description === undefined ? {} : { description });
}

function operationOf(e: Endpoint): ZodOpenApiOperationObject {
  const operation: ZodOpenApiOperationObject = {
    operationId: e.id,
    tags: [tagOf(e)],
    summary: e.summary,
    description: describe(e),
    parameters: headersOf(e),
    responses: { [e.status]: success(e), ...(takesIfNoneMatch(e) ? { 304: notModified } : {}), ...problemsOf(e) },
    'x-required-permission': e.permission,
  };
  if (e.taskPermission !== undefined) operation['x-task-permission'] = e.taskPermission;
  const path = pathParameters(e);
  operation.requestParams = { ...(path ? { path } : {}), ...(e.query ? { query: e.query } : {}) };
  if (hasBody(e)) operation.requestBody = requestBody(e);
  if (e.stream) operation['x-sse-events'] = sseEvents;
  return operation;
}

function describe(e: Endpoint): string {
  const sentences = [`${e.summary}.`, e.permission === null ? 'Any valid token.' : `Needs \`${e.permission}\`.`];
  if (e.refusals?.length) sentences.push(`Refusals: ${e.refusals.map((code) => `\`${code}\``).join(', ')}.`);
  return sentences.join(' ');
}

function requestBody(e: Endpoint): NonNullable<ZodOpenApiOperationObject['requestBody']> {
  if (!e.multipart) return { required: true, content: { 'application/json': { schema: e.body ?? z.unknown() } } };
  const parts = e.body instanceof z.ZodObject ? e.body : z.object({});
  return { required: true, content: { 'multipart/form-data': { schema: parts.extend({ file: BinaryContent }) } } };
}

const BinaryContent = z.string().meta({ contentMediaType: 'application/octet-stream', description: 'The file' });

function success(e: Endpoint): ZodOpenApiResponseObject {
  const headers = {
    ...headerRefs('X-Request-Id', 'RateLimit', 'RateLimit-Policy'),
    ...(readsOne(e) || isWrite(e) ? headerRefs('ETag') : {}),
    ...(e.location ? headerRefs('Location') : {}),
    ...(isPaged(e) ? headerRefs('Link') : {}),
    ...(isWrite(e) ? headerRefs('Idempotency-Replayed') : {}),
  };
  if (e.status === 204) return { description: 'Done', headers };
  const description = e.status === 201 ? 'Created' : 'OK';
  if (e.stream) return { description: 'The events, then one `status`', headers, content: { 'text/event-stream': { schema: z.string() } } };
  if (e.binary)
    return {
      description: 'The content of the file',
      headers,
      content: { [e.contentType ?? 'application/octet-stream']: { schema: e.contentType ? z.string() : BinaryContent } },
    };
  return { description, headers, content: { 'application/json': { schema: e.response ?? z.unknown() } } };
}

const notModified: ZodOpenApiResponseObject = {
  description: 'The record still has the version of If-None-Match',
  headers: headerRefs('X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'ETag'),
};

function problemsOf(e: Endpoint): Record<string, { $ref: string }> {
  const statuses = new Set(COMMON);
  const add = (list: number[]): void => {
    for (const status of list) statuses.add(status);
  };
  if (hasBody(e)) add(WITH_BODY);
  if (e.query) add([422]);
  if (isWrite(e)) add([409, 422]);
  if (takesIfMatch(e)) add([412]);
  add((e.refusals ?? []).map((code) => (isErrorCode(code) ? errorCodes[code][0] : 422)));
  return Object.fromEntries(
    [...statuses].sort((a, b) => a - b).map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]),
  );
}

/** Parameters of the path: the names are the template's, the type follows from the endpoint's own (decisions.md 1.11). */
function pathParameters(e: Endpoint): z.ZodObject | null {
  const own = namesOf(e.path);
  if (own.length === 0) return null;
  const names = namesOf(templateOf(e));
  return z.object(
    Object.fromEntries(
      own.map((name, i) => [names[i] ?? name, name.endsWith('id') ? Id : z.string().meta({ description: name.replaceAll('_', ' ') })]),
    ),
  );
}

/** OpenAPI takes paths that differ only in the names of parameters for one, so the first one's names serve for all. */
function templateOf(e: Endpoint): string {
  const shape = shapeOf(e.path);
  return endpointList.find((other) => shapeOf(other.path) === shape)?.path ?? e.path;
}

function shapeOf(path: string): string {
  return path.replace(/\{\w+\}/g, '{}');
}

function namesOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

function headersOf(e: Endpoint): { $ref: string }[] {
  const names = [
    ...(isWrite(e) ? ['IdempotencyKey'] : []),
    ...(takesIfMatch(e) ? ['IfMatch'] : []),
    ...(takesIfNoneMatch(e) ? ['IfNoneMatch'] : []),
    ...(e.stream ? ['LastEventId'] : []),
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** The record's version answers If-Match; a POST below a record takes none (decisions.md §2, Concurrency). */
function takesIfMatch(e: Endpoint): boolean {
  return e.record !== undefined && (e.method === 'PUT' || e.method === 'PATCH' || e.method === 'DELETE');
}

function takesIfNoneMatch(e: Endpoint): boolean {
  return readsOne(e) && e.volatile !== true;
}

function isPaged(e: Endpoint): boolean {
  return e.method === 'GET' && e.query !== undefined && 'page' in e.query.shape;
}

function isErrorCode(code: string): code is keyof typeof errorCodes {
  return code in errorCodes;
}

function tagOf(e: Endpoint): string {
  return e.id.slice(0, e.id.indexOf('.'));
}

function methodKey(e: Endpoint): keyof PathItem {
  return ({ GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const)[e.method];
}

function headerRefs(...names: (keyof typeof responseHeaders)[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** One shared response a status: the problem body, and the codes that come with it. */
function problemResponses(used: ReadonlySet<string>): Record<string, ZodOpenApiResponseObject> {
  const codes = new Map<number, string[]>();
  for (const [code, [status]] of Object.entries(errorCodes)) codes.set(status, [...(codes.get(status) ?? []), code]);
  return Object.fromEntries(
    [...codes]
      .filter(([status]) => used.has(String(status)))
      .map(([status, list]) => [
        `Problem${status}`,
        {
          description: `One of ${list.map((code) => `\`${code}\``).join(', ')}`,
          headers: {
            ...headerRefs('X-Request-Id'),
            ...(status === 401 ? headerRefs('WWW-Authenticate') : {}),
            ...(status === 403 ? headerRefs('X-Required-Permission') : {}),
            ...(status === 405 ? headerRefs('Allow') : {}),
            ...(status === 429 || status === 503 ? headerRefs('Retry-After') : {}),
          },
          content: { 'application/json': { schema: Problem }, 'application/problem+json': { schema: Problem } },
        },
      ]),
  );
}

const header = (description: string) => ({ description, schema: { type: 'string' as const } });

const responseHeaders = {
  'X-Request-Id': header('Id of the request'),
  RateLimit: header('What is left of the rate limit'),
  'RateLimit-Policy': header('The rate limit'),
  'Retry-After': header('Seconds to wait'),
  ETag: header('Version of the record, for If-Match and If-None-Match'),
  Location: header('Path of the new record'),
  Link: header('first, prev, next and last page'),
  'Idempotency-Replayed': header('`true` where the answer is that of an earlier request with the same key'),
  'WWW-Authenticate': header('The scheme, Bearer'),
  'X-Required-Permission': header('The permission that is missing'),
  Allow: header('Methods that the path takes'),
};

const headerParameter = (name: string, description: string) => ({
  name,
  in: 'header' as const,
  required: false,
  description,
  schema: { type: 'string' as const },
});

const headerParameters = {
  IdempotencyKey: headerParameter('Idempotency-Key', 'The same key with the same body is done once; kept 24 hours'),
  IfMatch: headerParameter('If-Match', 'The ETag that the record must still have'),
  IfNoneMatch: headerParameter('If-None-Match', 'The ETag that is known: answered 304 while the record still has it'),
  LastEventId: headerParameter('Last-Event-ID', 'Follow after this event; `end` answers 204'),
};

const sseEvents = {
  event: { description: 'One line of the log', data: 'A logged event: `kind` and its fields' },
  status: { description: 'The end of the run', data: '{"status": string, "error": string|null}' },
};

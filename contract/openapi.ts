import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { type Endpoint, hasBody, isWrite, PREFIX, readsRecord, takesIfMatch } from './endpoint.ts';
import { endpointList } from './index.ts';
import { hookPaths } from './openapi-hooks.ts';
import { BinaryContent, problemResponses, responseHeaders, responsesOf } from './openapi-responses.ts';
import { webhooksOf } from './openapi-webhooks.ts';
import { addParameterDescriptions } from './openapi-words.ts';
import { SESSION_COOKIE } from './sessions.ts';
import { Id } from './values.ts';

/** Builds the OpenAPI 3.1 document of all endpoints. */
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
          'Back office of an online shop: pages, access groups, orders, customers, automation tasks, notifications, logs, dashboard and subscriptions. ' +
          'Requests: a field or parameter that is not declared is refused (422 `unknown_field`, `unknown_parameter`). What an answer about the same resource carries may be sent back: names that a request does not declare are then ignored, but a list or an object that a new record would lose is refused. The parameters `page`, `per_page`, `limit`, `offset` and `cursor`, and names that begin with `_`, are ignored where they mean nothing.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'This server' }],
      security: [{ pat: [] }],
      tags: [...new Set(endpointList.map(tagOf))].map((name) => ({ name, description: `Operations on ${name.replaceAll('_', ' ')}` })),
      paths: { ...paths, ...hookPaths('ai_tasks') },
      webhooks: webhooksOf('webhooks'),
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: SESSION_COOKIE,
            description: 'Session of the console; it gives access tokens, and opens nothing else',
          },
          pat: { type: 'http', scheme: 'bearer', description: 'Personal access token of an administrator' },
        },
        responses: problemResponses(new Set(operations.flatMap(({ operation }) => Object.keys(operation.responses)))),
        headers: responseHeaders,
        parameters: headerParameters,
      },
    },
    { override: ({ jsonSchema }) => simplify(jsonSchema) },
  );
  return addParameterDescriptions(document);
}

type PathItem = { [Method in (typeof methodOrder)[number]]?: ZodOpenApiOperationObject };
const methodOrder = ['get', 'post', 'put', 'patch', 'delete'] as const;

function inOrder(item: PathItem): PathItem {
  return Object.fromEntries(methodOrder.flatMap((method) => (item[method] ? [[method, item[method]]] : [])));
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Later versions may add fields to any object, so the schemas must not forbid unknown ones. `X|null` becomes a list of types. */
function simplify(schema: JsonSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  closeTuple(schema);
  const [first, second, ...more] = schema.anyOf ?? [];
  if (!first || more.length > 0 || second?.type !== 'null') return;
  if (typeof first.type !== 'string' || first.enum || first.$ref) return;
  const description = schema.description ?? first.description;
  delete schema.anyOf;
  if (first.additionalProperties === false) delete first.additionalProperties;
  Object.assign(schema, first, { type: [first.type, 'null'] }, description === undefined ? {} : { description });
}

/** Many tools require a schema of `items` for every array; `minItems` and `maxItems` give the length of the tuple. */
function closeTuple(schema: JsonSchema): void {
  const { prefixItems } = schema;
  if (!prefixItems) return;
  Object.assign(schema, { items: {}, minItems: prefixItems.length, maxItems: prefixItems.length });
}

function operationOf(e: Endpoint): ZodOpenApiOperationObject {
  const operation: ZodOpenApiOperationObject = {
    operationId: e.id,
    tags: [tagOf(e)],
    summary: e.summary,
    description: describe(e),
    parameters: headersOf(e),
    responses: responsesOf(e),
    'x-required-permission': e.permission,
  };
  if (e.open) operation.security = e.cookie === 'sent' ? [{ session: [] }] : [];
  if (e.taskPermission !== undefined) operation['x-task-permission'] = e.taskPermission;
  if (e.undo !== undefined) operation['x-undo'] = e.undo;
  const path = pathParameters(e);
  operation.requestParams = { ...(path ? { path } : {}), ...(e.query ? { query: e.query } : {}) };
  if (hasBody(e)) operation.requestBody = requestBody(e);
  if (e.sse) operation['x-sse-events'] = e.sse.events;
  return operation;
}

function describe(e: Endpoint): string {
  const sentences = [
    `${e.summary}.`,
    e.cookie === 'sent'
      ? 'The cookie of a session is needed, and no token.'
      : e.open
        ? 'No token is needed.'
        : e.permission === null
          ? 'Any valid token is accepted.'
          : `Needs \`${e.permission}\`.`,
  ];
  if (e.refusals?.length) sentences.push(`Refusals: ${e.refusals.map((code) => `\`${code}\``).join(', ')}.`);
  return sentences.join(' ');
}

function requestBody(e: Endpoint): NonNullable<ZodOpenApiOperationObject['requestBody']> {
  if (!e.multipart) return { required: true, content: { 'application/json': { schema: e.body ?? z.unknown() } } };
  const parts = e.body instanceof z.ZodObject ? e.body : z.object({});
  return { required: true, content: { 'multipart/form-data': { schema: parts.extend({ file: BinaryContent }) } } };
}

/** The path parameters: the names come from the template, the types from the endpoint's own names (spec G2). */
function pathParameters(e: Endpoint): z.ZodObject | null {
  const own = namesOf(e.path);
  if (own.length === 0) return null;
  const names = namesOf(templateOf(e));
  return z.object(
    Object.fromEntries(
      own.map((name, i) => [names[i] ?? name, isId(name) ? Id : z.string().meta({ description: name.replaceAll('_', ' ') })]),
    ),
  );
}

/**
 * OpenAPI treats paths that differ only in parameter names as one path. So all endpoints with the same path shape get the first one's name
 * for an id; a place that is an id for one endpoint and a word for another gets both names, joined by `_or_`.
 */
function templateOf(e: Endpoint): string {
  const same = endpointList.filter(({ path }) => shapeOf(path) === shapeOf(e.path)).map(({ path }) => namesOf(path));
  let place = 0;
  return e.path.replaceAll(/\{\w+\}/g, () => {
    const here = same.map((names) => names[place] ?? '');
    place += 1;
    const names = [here.find(isId), here.find((name) => !isId(name))].filter((name) => name !== undefined);
    return `{${names.join('_or_')}}`;
  });
}

function isId(name: string): boolean {
  return name.endsWith('id');
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
    ...(readsRecord(e) ? ['IfNoneMatch'] : []),
    ...(e.stream ? ['LastEventId'] : []),
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function tagOf(e: Endpoint): string {
  return e.id.slice(0, e.id.indexOf('.'));
}

function methodKey(e: Endpoint): keyof PathItem {
  return ({ GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const)[e.method];
}

const headerParameter = (name: string, description: string) => ({
  name,
  in: 'header' as const,
  required: false,
  description,
  schema: { type: 'string' as const },
});

const headerParameters = {
  IdempotencyKey: headerParameter(
    'Idempotency-Key',
    'Requests with the same key and body are carried out once; the key is kept for 24 hours',
  ),
  IfMatch: headerParameter('If-Match', 'The ETag that the record must still have; otherwise 412'),
  IfNoneMatch: headerParameter('If-None-Match', 'The ETag that the client knows; the response is 304 while the record still has it'),
  LastEventId: headerParameter(
    'Last-Event-ID',
    'Id of the last event that the client received; the stream continues after it. `end` gives 204',
  ),
};

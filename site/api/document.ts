import { z } from 'zod';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpointList } from '../../contract/index.ts';
import { buildOpenApi } from '../../contract/openapi.ts';
import { VERSION } from '../../server/process/version.ts';

/** The OpenAPI document, read for the pages. */

export type Schema = { readonly [name: string]: unknown };
const Schema: z.ZodType<Schema> = z.record(z.string(), z.unknown());

const Parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().default(false),
  description: z.string().default(''),
  schema: Schema,
});
export type Parameter = z.infer<typeof Parameter>;
const Ref = z.object({ $ref: z.string() });
const Content = z.record(z.string(), z.object({ schema: Schema }));
const Response = z.object({
  description: z.string(),
  headers: z.record(z.string(), z.unknown()).default({}),
  content: Content.default({}),
});
const RawOperation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string(),
  parameters: z.array(z.union([Ref, Parameter])).default([]),
  requestBody: z.object({ required: z.boolean().default(false), content: Content }).optional(),
  responses: z.record(z.string(), z.union([Ref, Response])),
});
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), RawOperation)),
  webhooks: z.record(z.string(), z.object({ post: z.object({ summary: z.string(), requestBody: z.object({ content: Content }) }) })),
  components: z.object({ schemas: z.record(z.string(), Schema), parameters: z.record(z.string(), Parameter) }),
});

export type Operation = {
  id: string;
  tag: string;
  summary: string;
  description: string;
  method: string;
  path: string;
  parameters: readonly Parameter[];
  /** By media type. */
  body: Readonly<Record<string, Schema>> | null;
  /** The successes, and what else is no error; the errors stand with the codes of the endpoint. */
  answers: readonly { status: string; description: string; headers: readonly string[]; content: Readonly<Record<string, Schema>> }[];
  /** null: the operation is outside the administration API. */
  endpoint: Endpoint | null;
};

export type ApiDocument = {
  operations: readonly Operation[];
  schemas: Readonly<Record<string, Schema>>;
  webhooks: readonly { type: string; summary: string; schema: Schema }[];
};

export function readDocument(): ApiDocument {
  const { paths, webhooks, components } = Document.parse(JSON.parse(JSON.stringify(buildOpenApi({ version: VERSION }))));
  const byId = new Map(endpointList.map((endpoint) => [endpoint.id, endpoint]));
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]): Operation => {
      const endpoint = byId.get(one.operationId) ?? null;
      return {
        id: one.operationId,
        tag: one.tags[0] ?? '',
        summary: one.summary,
        description: one.description,
        method: method.toUpperCase(),
        // Paths that differ only in the names of their parameters are one path of the document.
        path: endpoint === null ? path : `/admin/api${endpoint.path}`,
        parameters: one.parameters.map((parameter) =>
          '$ref' in parameter ? (components.parameters[nameOf(parameter.$ref)] ?? missing()) : parameter,
        ),
        body: one.requestBody === undefined ? null : schemasOf(one.requestBody.content),
        answers: Object.entries(one.responses).flatMap(([status, answer]) =>
          '$ref' in answer || Number(status) >= 400
            ? []
            : [{ status, description: answer.description, headers: Object.keys(answer.headers), content: schemasOf(answer.content) }],
        ),
        endpoint,
      };
    }),
  );
  // In the order of the contract, in which what belongs together stands together.
  const place = new Map(endpointList.map(({ id }, n) => [id, n]));
  operations.sort((a, b) => (place.get(a.id) ?? Infinity) - (place.get(b.id) ?? Infinity));
  return {
    operations,
    schemas: components.schemas,
    webhooks: Object.entries(webhooks).map(([type, { post }]) => ({
      type,
      summary: post.summary,
      schema: post.requestBody.content['application/json']?.schema ?? {},
    })),
  };
}

export function nameOf(ref: string): string {
  return ref.split('/').at(-1) ?? '';
}

function schemasOf(content: z.infer<typeof Content>): Record<string, Schema> {
  return Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, schema]));
}

function missing(): never {
  throw new Error('the document lacks a parameter that it names');
}

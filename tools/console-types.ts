import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { ScriptCall, ScriptTypes } from '../console/editor/script-types.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { endpointList } from '../contract/index.ts';
import { buildOpenApi } from '../contract/openapi.ts';
import { taskCalls } from '../contract/task-calls.ts';

/** Everything that the editor's types are made of, flat, so that a browser needs neither zod nor the contract. */
export function scriptTypes(): ScriptTypes {
  const document = Document.parse(buildOpenApi({ version: '0' }));
  const names = new Set<string>();
  const operations = new Map(Object.values(document.paths).flatMap((path) => Object.values(path).map((one) => [one.operationId, one])));
  const calls = Object.entries(taskCalls()).map(([id, needs]) => {
    const operation = operations.get(id);
    const endpoint = endpointList.find((e) => e.id === id);
    if (!operation || !endpoint) throw new Error(`the document lacks ${id}`);
    return scriptCall(endpoint, operation, needs, document.components.schemas, names);
  });
  return { schemas: schemasOf(document.components.schemas, names), calls, library: libraryOf(), libs: libsOf() };
}

const Schema = z.record(z.string(), z.unknown());
type Schema = z.infer<typeof Schema>;
const Content = z.record(z.string(), z.object({ schema: Schema }));
const Operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  parameters: z
    .array(
      z.union([
        z.object({ $ref: z.string() }),
        z.object({ in: z.string(), name: z.string(), required: z.boolean().optional(), schema: Schema }),
      ]),
    )
    .optional(),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.object({ content: Content.optional() })),
});
type Operation = z.infer<typeof Operation>;
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
});
type Schemas = z.infer<typeof Document>['components']['schemas'];

function scriptCall(e: Endpoint, operation: Operation, needs: string, schemas: Schemas, names: Set<string>): ScriptCall {
  const type = (schema: Schema): string => typeOf(schema, names);
  const ids = [...e.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => `${name}: ${name.endsWith('id') ? 'number' : 'string'}`);
  const query = queryOf(operation, type);
  const response = Object.values(operation.responses[String(e.status)]?.content ?? {})[0]?.schema;
  const args = [...ids, ...bodyOf(e, operation, schemas, type), ...(query === null ? [] : [query])];
  const row = e.id.endsWith('.list') && query !== null && response ? rowOf(response, schemas) : undefined;
  const followed = response && 'changes_cursor' in fieldsOf(response, schemas) ? ' & { readonly changes_cursor: string | null }' : '';
  return {
    id: e.id,
    needs,
    summary: operation.summary,
    signature: `(${args.join(', ')}): Promise<${response ? type(response) : 'undefined'}>`,
    ...(row ? { each: `(${args.join(', ')}): AsyncIterableIterator<${type(row)}>${followed}` } : {}),
  };
}

function bodyOf(e: Endpoint, operation: Operation, schemas: Schemas, type: (schema: Schema) => string): string[] {
  const content = operation.requestBody?.content;
  if (!content) return [];
  if (e.multipart) return ['body: { file: { filename: string; content: Uint8Array | string; content_type?: string } }'];
  const [schema] = Object.values(content).map((one) => one.schema);
  if (!schema) return [];
  const named = resolved(schema, schemas);
  const isOptional = named['type'] === 'object' && asList(named['required']).length === 0;
  return [`body${isOptional ? '?' : ''}: ${type(schema)}`];
}

function queryOf({ parameters = [] }: Operation, type: (schema: Schema) => string): string | null {
  const own = parameters.flatMap((one) => ('in' in one && one.in === 'query' ? [one] : []));
  if (own.length === 0) return null;
  const fields = own.map(({ name, required, schema }) => `${key(name)}${required ? '' : '?'}: ${type(schema)}`);
  return `query${own.some(({ required }) => required) ? '' : '?'}: { ${fields.join('; ')} }`;
}

/** The rows of a page that has a cursor, by the same rule as the type `Row` of sandbox-lib. */
function rowOf(response: Schema, schemas: Schemas): Schema | undefined {
  const fields = fieldsOf(response, schemas);
  if (!('next_cursor' in fields)) return undefined;
  const list = Object.values(fields)
    .map((one) => Schema.parse(one))
    .find((one) => one['type'] === 'array');
  return list === undefined ? undefined : Schema.parse(list['items']);
}

function fieldsOf(response: Schema, schemas: Schemas): Schema {
  return Schema.safeParse(resolved(response, schemas)['properties']).data ?? {};
}

function resolved(schema: Schema, schemas: Schemas): Schema {
  return typeof schema['$ref'] === 'string' ? (schemas[nameIn(schema['$ref'])] ?? {}) : schema;
}

function schemasOf(schemas: Schemas, used: Set<string>): string {
  const lines = new Map<string, string>();
  // A schema may name others that nothing else names; they are written too.
  for (let next = [...used]; next.length > 0; next = [...used].filter((name) => !lines.has(name))) {
    for (const name of next) lines.set(name, name === 'Json' ? JSON_TYPE : `export type ${name} = ${typeOf(schemas[name] ?? {}, used)};`);
  }
  return [...lines]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, line]) => `${line}\n`)
    .join('');
}

const JSON_TYPE = 'export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };';

/** A JSON schema as a type. `names` collects the schemas that it names. */
function typeOf(schema: Schema, names: Set<string>): string {
  const { $ref, type, anyOf, oneOf, allOf } = schema;
  const all = (list: unknown): string[] => asList(list).map((one) => typeOf(Schema.parse(one), names));
  if (typeof $ref === 'string') {
    names.add(nameIn($ref));
    return nameIn($ref);
  }
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return union(schema['enum'].map((value) => JSON.stringify(value)));
  if (anyOf ?? oneOf) return union(all(anyOf ?? oneOf));
  if (allOf) return all(allOf).map(inBrackets).join(' & ');
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one }, names)));
  if (type === 'array') return arrayOf(schema, names);
  if (type === 'object' || (type === undefined && schema['properties'])) return objectOf(schema, names);
  return typeof type === 'string' ? (simple[type] ?? 'unknown') : 'unknown';
}

const simple: Record<string, string> = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' };

function arrayOf(schema: Schema, names: Set<string>): string {
  const tuple = schema['prefixItems'];
  if (Array.isArray(tuple)) return `[${tuple.map((one) => typeOf(Schema.parse(one), names)).join(', ')}]`;
  return `${inBrackets(typeOf(Schema.safeParse(schema['items']).data ?? {}, names))}[]`;
}

function objectOf(schema: Schema, names: Set<string>): string {
  const required = new Set(asList(schema['required']));
  const fields = Object.entries(Schema.safeParse(schema['properties']).data ?? {}).map(
    ([name, one]) => `${key(name)}${required.has(name) ? '' : '?'}: ${typeOf(Schema.parse(one), names)}`,
  );
  const others = Schema.safeParse(schema['additionalProperties']).data;
  if (others) fields.push(`[name: string]: ${typeOf(others, names)}`);
  return fields.length === 0 ? 'Record<string, unknown>' : `{ ${fields.join('; ')} }`;
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');
const inBrackets = (type: string): string => (/[|&]/.test(type) ? `(${type})` : type);
const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
const nameIn = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** The files that `web-types.ts` and `index.ts` take types from. */
const LIBRARY = [
  ...['index.ts', 'signing-types.ts', 'start-types.ts', 'web-types.ts'],
  ...['abort.ts', 'dom-exception.ts', 'encoding.ts', 'event-target.ts', 'headers.ts', 'text.ts'],
];

/** index.ts is `library.ts`, because the editor makes an index.ts for the permissions of each version (console/editor/declarations.ts). */
function libraryOf(): Record<string, string> {
  const files = LIBRARY.map((name) => {
    const text = readFileSync(new URL(`../sandbox-lib/${name}`, import.meta.url), 'utf8');
    return [name === 'index.ts' ? 'library.ts' : name, text] as const;
  });
  return { ...Object.fromEntries(files), 'permission-types.ts': 'export type ScriptWith<_> = unknown;\n' };
}

const LIB_FOLDER = new URL('../console/editor/node_modules/typescript/lib/', import.meta.url);

function libsOf(): ScriptTypes['libs'] {
  const config = z
    .object({ compilerOptions: z.object({ lib: z.array(z.string()) }) })
    .parse(JSON.parse(readFileSync(new URL('../sandbox-lib/tsconfig.json', import.meta.url), 'utf8')));
  const roots = config.compilerOptions.lib.map(libFile);
  const files: Record<string, string> = {};
  for (const waiting = [...roots]; ; ) {
    const name = waiting.pop();
    if (name === undefined) return { roots, files };
    if (files[name] !== undefined) continue;
    const text = readFileSync(new URL(name, LIB_FOLDER), 'utf8');
    files[name] = text;
    for (const [, lib = ''] of text.matchAll(/^\/\/\/ <reference lib="([^"]+)"/gm)) waiting.push(libFile(lib));
  }
}

/** What has become part of a language edition is in that edition's file, and keeps its name of before. */
function libFile(name: string): string {
  const candidates = [name, name.replace('esnext', 'es2025'), name.replace('esnext', 'es2024')].map((one) => `lib.${one}.d.ts`);
  const found = candidates.find((file) => existsSync(new URL(file, LIB_FOLDER)));
  if (found === undefined) throw new Error(`TypeScript has no library ${name}`);
  return found;
}

import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { buildOpenApi } from '../../contract/openapi.ts';

/** Checks answers against the OpenAPI document that the server serves, with a validator that is not ours. */

/** The variable with the path of the document's file, which test/global-setup.ts writes once for all test files. */
export const DOCUMENT_VARIABLE = 'BACKROOM_TEST_DOCUMENT';

export type AnswerHead = { method: string; path: string; status: number; headers: Readonly<Record<string, unknown>> };
export type SeenAnswer = AnswerHead & { text: string };

export type Checked = {
  /** The operation's id; null: the document has no such operation, so the answer must be a refusal. */
  id: string | null;
  fault: string | null;
};
export type CheckedHead = Checked & {
  /** Checks the whole body; null: there is no body, or it may have any bytes, as a file may. */
  faultOfBody: FaultOfBody | null;
};
export type FaultOfBody = (text: string) => string | null;

type Schema = { [name: string]: unknown };
const Schema = z.record(z.string(), z.unknown());
const Ref = z.object({ $ref: z.string() });
const Response = z.object({
  headers: z.record(z.string(), Ref).default({}),
  content: z.record(z.string(), z.object({ schema: Schema })).optional(),
});
type Response = z.infer<typeof Response>;
const Operation = z.object({ operationId: z.string(), responses: z.record(z.string(), z.union([Ref, Response])) });
type Operation = z.infer<typeof Operation>;
/** The hundreds of operations and schemas are parsed only when an answer needs them. */
const Document = z.object({
  paths: z.record(z.string(), Schema),
  components: z.object({
    schemas: Schema,
    responses: z.record(z.string(), Response),
    headers: z.record(z.string(), z.object({ required: z.boolean().optional(), schema: Schema })),
  }),
});

/** What the document describes; other paths are not checked. */
const DESCRIBED = /^\/(admin\/api|hooks)\//;
/** Headers of HTTP itself and of browsers' rules, which the document does not list for each endpoint. */
const TRANSPORT =
  /^(date|connection|keep-alive|content-length|content-type|content-encoding|transfer-encoding|cache-control|vary|x-content-type-options|content-security-policy|x-accel-buffering|access-control-.*)$/;

let headChecker: HeadChecker | undefined;

/** Checks status and headers of one answer. The document is read once in a process, and each validator is made at its first use. */
export function checkHead(head: AnswerHead): CheckedHead {
  headChecker ??= headCheckerOf(readDocument());
  return headChecker(head);
}

/** Checks status, headers and body of one answer. */
export function checkByDocument(answer: SeenAnswer): Checked {
  return checkWhole(checkHead(answer), answer);
}

/** Makes a checker for another document than the tests' own. */
export function checkerOf(document: string): (answer: SeenAnswer) => Checked {
  const check = headCheckerOf(document);
  return (answer) => checkWhole(check(answer), answer);
}

function checkWhole({ id, fault, faultOfBody }: CheckedHead, { text }: SeenAnswer): Checked {
  return { id, fault: fault ?? faultOfBody?.(text) ?? null };
}

function readDocument(): string {
  const file = process.env[DOCUMENT_VARIABLE];
  return file === undefined ? writeDocument() : readFileSync(file, 'utf8');
}

export function writeDocument(): string {
  return JSON.stringify(buildOpenApi({ version: 'of the tests' }));
}

type HeadChecker = (head: AnswerHead) => CheckedHead;

function headCheckerOf(text: string): HeadChecker {
  const document = Document.parse(JSON.parse(text.replaceAll('"#/components/schemas/', '"document#/components/schemas/')));
  const { components } = document;
  // Whether the document itself is valid is checked by other tools (test/openapi-tools).
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    formats: FORMATS,
    meta: false,
    validateSchema: false,
    code: { optimize: false },
  });
  ajv.addSchema({ $id: 'document', components: { schemas: closed(components.schemas) } });
  const validators = new Map<Schema, ValidateFunction>();
  const findOperation = routesOf(document.paths);

  return (head) => {
    if (!DESCRIBED.test(head.path) || head.method === 'OPTIONS') return { id: null, fault: null, faultOfBody: null };
    const operation = findOperation(head.method === 'HEAD' ? 'GET' : head.method, head.path);
    const id = operation?.operationId ?? null;
    const named = `${id ?? 'a path without an operation'} ${head.status}`;
    const response = responseOf(operation, head.status);
    if (!response) return { id, fault: `${named}: it has no such answer`, faultOfBody: null };
    const fault = faultOfHeaders(response, head) ?? faultOfType(response, head);
    return { id, fault: fault && `${named}: ${fault}`, faultOfBody: readerOfBody(named, response, head) };
  };

  /** The declared answer with this status. A request without an endpoint must get the refusal that is declared for all endpoints. */
  function responseOf(operation: Operation | undefined, status: number): Response | undefined {
    if (!operation) return components.responses[`Problem${status}`];
    const found = operation.responses[status];
    return found && '$ref' in found ? components.responses[found.$ref.split('/').at(-1) ?? ''] : found;
  }

  function faultOfHeaders({ headers }: Response, answer: AnswerHead): string | null {
    const declared = new Map(Object.keys(headers).map((name) => [name.toLowerCase(), components.headers[name]]));
    for (const [name, header] of declared) {
      if (header?.required && answer.headers[name] === undefined) return `the header ${name} is missing`;
    }
    for (const [name, value] of Object.entries(answer.headers)) {
      if (TRANSPORT.test(name)) continue;
      const header = declared.get(name);
      if (!header) return `the header ${name} is not declared`;
      const sent = Array.isArray(value) ? value.join(', ') : String(value);
      const fault = faultBy(header.schema, sent);
      if (fault !== null) return `the header ${name} is ${sent}: ${fault}`;
    }
    return null;
  }

  function faultOfType({ content }: Response, { method, headers }: AnswerHead): string | null {
    if (!content || method === 'HEAD') return null;
    const type = typeOf(headers);
    return content[type] || content['*/*'] ? null : `its type is ${type}, declared are ${Object.keys(content).join()}`;
  }

  function readerOfBody(named: string, { content }: Response, { method, headers }: AnswerHead): FaultOfBody | null {
    if (!content) return (text) => (text === '' ? null : `${named}: a body where none is declared`);
    const type = typeOf(headers);
    const declared = content[type];
    if (method === 'HEAD' || !declared || !type.endsWith('json')) return null;
    return (text) => {
      const fault = faultOfJson(declared.schema, text);
      return fault && `${named}: ${fault}`;
    };
  }

  function faultOfJson(schema: Schema, text: string): string | null {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      return String(error);
    }
    return faultBy(schema, value);
  }

  function faultBy(schema: Schema, value: unknown): string | null {
    const validate = validators.get(schema) ?? ajv.compile(closed(schema));
    validators.set(schema, validate);
    return validate(value) ? null : ajv.errorsText(validate.errors, { dataVar: '' });
  }
}

function typeOf(headers: AnswerHead['headers']): string {
  return String(headers['content-type'] ?? '').split(';')[0] ?? '';
}

const FORMATS = {
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
};

/** Finds the operation of a method and path. A literal path segment goes before a parameter; an id consists of digits. */
function routesOf(paths: z.infer<typeof Document>['paths']): (method: string, path: string) => Operation | undefined {
  const operations = new Map<unknown, Operation>();
  const routes = Object.entries(paths)
    .map(([path, item]) => ({ shape: shapeOf(path), parameters: path.split('{').length, item }))
    .sort((a, b) => a.parameters - b.parameters);
  return (method, path) => {
    const [target = ''] = path.split('?', 1);
    const found = routes.find(({ shape, item }) => item[method.toLowerCase()] && shape.test(target))?.item[method.toLowerCase()];
    if (found === undefined) return undefined;
    const operation = operations.get(found) ?? Operation.parse(found);
    operations.set(found, operation);
    return operation;
  };
}

function shapeOf(path: string): RegExp {
  const shape = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'path' ? '.+' : /id$/.test(name) ? String.raw`\d+` : '[^/]+'));
  return new RegExp(`^${shape}$`);
}

/** The same schema, but without additional properties: every field of an answer must be in the document. */
function closed(schema: Schema): Schema {
  const copy: Schema = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      isSchema(value) ? closed(value) : Array.isArray(value) ? value.map((one) => (isSchema(one) ? closed(one) : one)) : value,
    ]),
  );
  if (isSchema(copy['properties']) && copy['type'] !== undefined && copy['additionalProperties'] === undefined)
    copy['additionalProperties'] = false;
  return copy;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { hasBody, isOwnTaskRight, isWrite, takesIfMatch } from '../../contract/endpoint.ts';
import { errorCodes } from '../../contract/errors.ts';
import type { Operation, Schema } from './document.ts';
import { code, inlineCode, paragraphs, prose, table } from './markdown.ts';
import { fieldsOf, limitsOf, OF_IDS, type Schemas, typeOf } from './schemas.ts';

/** One operation on its page: what it needs, takes, answers and refuses, and its example. */

export function operationText(operation: Operation, schemas: Schemas, example: string): string {
  const { id, summary, endpoint } = operation;
  const title = titleOf(summary);
  return paragraphs([
    `## ${prose(title)} {#${id}}`,
    code('http', `${operation.method} ${operation.path}`),
    `${needsOf(operation)} Operation \`${id}\`.`,
    summary !== title && `${prose(summary)}.`,
    parametersText(operation, schemas),
    bodyText(operation, schemas),
    answersText(operation, schemas),
    endpoint !== null && errorsText(operation),
    '**Example**',
    example,
  ]);
}

const TITLE_MOST = 90;

/** The first clause of the summary. */
export function titleOf(summary: string): string {
  const [first = summary] = summary.split(/(?<=\w)[;:] |(?<=\w)\. (?=[A-Z])/);
  if (first.length <= TITLE_MOST) return first;
  const [shorter = first] = first.split(/, /);
  return shorter;
}

function needsOf({ endpoint }: Operation): string {
  if (endpoint === null) return 'No token is needed: the address is the secret.';
  if (endpoint.open) return 'No token is needed.';
  const { permission, taskPermission, ownRun } = endpoint;
  if (permission === null)
    return `Any token of an admin will do.${taskPermission == null ? '' : ` A task needs ${inlineCode(taskPermission)}.`}`;
  const parts = [`Needs ${inlineCode(permission)}.`];
  if (ownRun) parts.push('The token of the run itself will do.');
  if (taskPermission === null) parts.push('Tasks cannot call it.');
  else if (taskPermission !== undefined && isOwnTaskRight(taskPermission)) parts.push('Every run may call it for its own task.');
  else if (taskPermission !== undefined) parts.push(`A task needs ${inlineCode(taskPermission)}.`);
  return parts.join(' ');
}

function parametersText({ parameters }: Operation, schemas: Schemas): string {
  const own = parameters.filter((one) => one.in !== 'header' || one.name === 'prefer');
  const titles = { path: 'Path', query: 'Query', header: 'Headers' };
  const tables = (['path', 'query', 'header'] as const).map((where) => {
    const rows = own
      .filter((one) => one.in === where)
      .map(({ name, required, description, schema }) => {
        const told = { required: required && where !== 'path', limits: limitsOf(schema, schemas), words: ownWords(name, description) };
        return [inlineCode(name), cellOf(typeOf(schema, schemas), told)];
      });
    return rows.length > 0 && `**${titles[where]}**\n\n${table(['Parameter', 'Value'], rows)}`;
  });
  const headers = parameters.filter((one) => one.in === 'header' && one.name !== 'prefer').map(({ name }) => headerLink(name));
  return paragraphs([
    ...tables,
    headers.length > 0 && `Takes the ${headers.length === 1 ? 'header' : 'headers'} ${headers.join(', ')}.`,
  ]).trim();
}

/** One cell with all that is told of a value, so that a table fits a small screen. */
function cellOf(
  type: string,
  { required, limits, words }: { required: boolean | string; limits: readonly string[]; words: string },
): string {
  const facts = [type, ...(required === true ? ['required'] : typeof required === 'string' ? [required] : []), ...limits.map(prose)];
  return words === '' ? facts.join(', ') : `${facts.join(', ')}. ${prose(words)}`;
}

/** The description, unless it only repeats the name. */
function ownWords(name: string, description: string): string {
  return description === OF_IDS || description === name.replaceAll('_', ' ') ? '' : description;
}

const HEADER_PLACES: Readonly<Record<string, string>> = {
  'Idempotency-Key': 'idempotency',
  'Idempotency-Replayed': 'idempotency',
  'If-Match': 'versions',
  'If-None-Match': 'versions',
  ETag: 'versions',
  Link: 'paging',
  'Last-Event-ID': 'streams',
};

function headerLink(name: string): string {
  const place = HEADER_PLACES[name];
  return place === undefined ? inlineCode(name) : `[\`${name}\`](./index.md#${place})`;
}

function bodyText({ body, endpoint }: Operation, schemas: Schemas): string {
  const [type, schema] = Object.entries(body ?? {})[0] ?? [];
  if (type === undefined || schema === undefined) return '';
  const limit = endpoint?.bodyLimitBytes === undefined ? '' : ` of at most ${sizeText(endpoint.bodyLimitBytes)}`;
  const kind =
    type === 'multipart/form-data' ? 'A form (`multipart/form-data`)' : type === 'application/json' ? 'JSON' : prose('Any content');
  const rows = fieldsOf(schema, schemas).map((field) => [inlineCode(field.name), cellOf(field.type, field)]);
  const whole = rows.length === 0 ? `: ${typeOf(schema, schemas)}` : '';
  return paragraphs([`**Body**: ${kind}${limit}${whole}`, table(['Field', 'Value'], rows)]).trim();
}

function sizeText(bytes: number): string {
  return bytes % 1_048_576 === 0 ? `${bytes / 1_048_576} MiB` : `${Math.round(bytes / 1024)} KiB`;
}

const TOLD_HEADERS = new Set([
  'ETag',
  'Location',
  'Link',
  'Idempotency-Replayed',
  'Backroom-Epoch',
  'Content-Disposition',
  'Content-Range',
]);

function answersText({ answers, endpoint }: Operation, schemas: Schemas): string {
  const isRead = endpoint !== null && !isWrite(endpoint);
  return answers
    .map(({ status, description, headers, content }) => {
      const told = headers.filter((name) => TOLD_HEADERS.has(name) && !(isRead && name === 'Idempotency-Replayed'));
      const [type, schema] = Object.entries(content)[0] ?? [];
      const shape = type === undefined || schema === undefined ? prose(description) : contentText(type, schema, schemas);
      const fields = schema !== undefined && type === 'application/json' ? ownFields(schema, schemas) : '';
      return paragraphs([
        `**Answer** \`${status}\`: ${shape}.${told.length === 0 ? '' : ` Headers: ${told.map(headerLink).join(', ')}.`}`,
        fields !== '' && `::: details Fields of the answer\n\n${fields}\n\n:::`,
        endpoint?.sse !== undefined && status === '200' && eventsText(endpoint.sse),
      ]).trim();
    })
    .join('\n\n');
}

function eventsText({ description, events }: NonNullable<NonNullable<Operation['endpoint']>['sse']>): string {
  const rows = Object.entries(events).map(([name, one]) => [inlineCode(name), prose(one.description), prose(one.data)]);
  return paragraphs([`${prose(description)}.`, table(['Event', 'When', 'Data'], rows)]).trim();
}

function contentText(type: string, schema: Schema, schemas: Schemas): string {
  if (type === 'text/event-stream') return 'a stream of server-sent events';
  if (type === '*/*') return 'the content of the file, with the type that it was stored with';
  if (type !== 'application/json') return inlineCode(type);
  return typeOf(schema, schemas);
}

/** Fields of an answer that has no section of its own. */
function ownFields(schema: Schema, schemas: Schemas): string {
  if (typeof schema['$ref'] === 'string') return '';
  const items = schema['items'];
  const inner = schema['type'] === 'array' && typeof items === 'object' && items !== null ? { ...items } : schema;
  if ('$ref' in inner) return '';
  return fieldTable(inner, schemas);
}

export function fieldTable(schema: Schema, schemas: Schemas): string {
  const rows = fieldsOf(schema, schemas).map((field) => {
    const presence = field.required ? false : 'may be missing';
    return [inlineCode(field.name), cellOf(field.type, { ...field, required: presence })];
  });
  return table(['Field', 'Value'], rows);
}

function errorsText({ endpoint }: Operation): string {
  if (endpoint === null) return '';
  const own = (endpoint.refusals ?? []).filter((one) => one in errorCodes);
  const also = [
    ...(endpoint.open ? [] : ['unauthorized']),
    ...(endpoint.permission === null ? [] : ['forbidden']),
    ...(endpoint.record === undefined ? [] : ['not_found']),
    ...(hasBody(endpoint) || endpoint.query ? ['validation_failed'] : []),
    ...(takesIfMatch(endpoint) ? ['precondition_failed'] : []),
    ...(isWrite(endpoint) ? ['idempotency_key_reused'] : []),
    'rate_limited',
  ].filter((one) => !own.includes(one));
  const link = (name: string): string => `[\`${name}\`](./index.md#${name})`;
  return `**Errors**: ${own.length === 0 ? '' : `${own.map(link).join(', ')}; `}as other calls, ${also.map(link).join(', ')}.`;
}

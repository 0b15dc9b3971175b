import { STATUS_CODES } from 'node:http';
import { type Endpoint, taskLiterals } from '../../contract/endpoint.ts';
import { isTaskPermission } from '../../contract/permissions.ts';
import type { Answered, Content } from './carry-out.ts';
import { code, paragraphs, prose } from './markdown.ts';
import { type Masks, type Shown, shownCode, shownJson } from './shown.ts';

/** An example as it stands on a page: the call in each of its forms, and the answer that it had. */

export const ADDRESS = 'http://127.0.0.1:8787';
/** The same by a name, which passkeys need. */
export const NAMED_ADDRESS = 'http://localhost:8787';

const SHORTENED = '`…` stands for what is left out here.';

export function exampleText(answered: Answered, masks: Masks): string {
  const forms = [
    code('sh [curl]', masks.apply(curlOf({ ...answered, url: `/admin/api${answered.path}` }))),
    ...clientText(answered).map((text) => code('ts [Client]', masks.apply(text))),
    ...taskText(answered).map((text) => code('ts [Task]', masks.apply(text))),
  ];
  const answer = answerText(answered);
  const { note, refused } = answered;
  const told = [
    note ?? '',
    refused === undefined ? '' : `The shop of the examples refuses it: [\`${refused}\`](./index.md#${refused}).`,
    answer.isCut ? SHORTENED : '',
  ].filter((text) => text !== '');
  return paragraphs([
    `::: code-group\n\n${forms.join('\n\n')}\n\n:::`,
    code('http', masks.apply(answer.text)),
    told.length > 0 && told.map((text) => (text.includes('](') ? text : prose(text))).join(' '),
  ]).trimEnd();
}

export type Sent = Pick<Answered, 'body' | 'by' | 'sentHeaders'> & {
  endpoint: Pick<Endpoint, 'method' | 'multipart' | 'binary' | 'stream'>;
  /** Path and query. */
  url: string;
};

export function curlOf({ endpoint, url, body, by, sentHeaders }: Sent): string {
  const { method, multipart, binary, stream } = endpoint;
  const parts = [
    `curl ${stream ? '-N' : binary ? '-D - -o answer' : '-i'}${method === 'GET' || (method === 'POST' && (body !== undefined || multipart)) ? '' : ` -X ${method}`} ${single(`${ADDRESS}${url}`)}`,
    ...(by === null ? [] : [`-H "Authorization: Bearer $${by.shown}"`]),
    ...Object.entries(sentHeaders).map(([name, value]) => `-H ${single(`${headerCase(name)}: ${value}`)}`),
    ...(multipart ? formParts(body) : []),
    ...(body === undefined || multipart ? [] : ["-H 'Content-Type: application/json'", `-d ${single(whole(body))}`]),
  ];
  return parts.join(' \\\n  ');
}

/** The whole body, on one line where it is short. */
function whole(body: unknown): string {
  const line = JSON.stringify(body);
  return line.length <= 90 ? line : JSON.stringify(body, null, 2).replaceAll('\n', '\n  ');
}

function formParts(body: unknown): string[] {
  const { file, ...fields } = partsOf(body);
  return [
    ...Object.entries(fields).map(([name, value]) => `-F ${single(`${name}=${String(value)}`)}`),
    ...(isFile(file) ? [`-F ${single(`file=@${file.filename};type=${file.content_type}`)}`] : []),
  ];
}

function partsOf(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

function isFile(value: unknown): value is { filename: string; content_type: string } {
  return typeof value === 'object' && value !== null && 'filename' in value && 'content_type' in value;
}

function single(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The same call by `backroom/client`, which carries an admin's token. */
function clientText({ endpoint, args, path, body, by, sentHeaders }: Answered): string[] {
  if (by?.shown !== 'BACKROOM_TOKEN') return [];
  const { id, stream, binary, multipart } = endpoint;
  if (stream) return [`for await (const { event, data } of shop.follow(${shownCode(path)})) console.log(event, data);`];
  if (binary) return [`const file = await shop.download(${shownCode(path)});`];
  if (multipart) {
    const { file, ...fields } = partsOf(body);
    const name = isFile(file) ? file.filename : '';
    const more = Object.keys(fields).length > 0 ? `, ${shownCode(fields)}` : '';
    return [`await shop.upload(${shownCode(path)}, await openAsBlob(${shownCode(name)}), ${shownCode(name)}${more});`];
  }
  const options = Object.keys(sentHeaders).length > 0 ? [{ headers: sentHeaders }] : [];
  return [callText(`await shop.api.${id}`, options.length > 0 ? [...args, ...options] : args)];
}

/** The same call in the script of a task, where scripts have it under this name. */
function taskText({ endpoint, args }: Answered): string[] {
  return isInScripts(endpoint) ? [callText(`await admin.${endpoint.id}`, args)] : [];
}

export function taskPermissionOf({ permission, taskPermission = permission }: Endpoint): string | null {
  return taskPermission !== null && isTaskPermission(taskPermission) ? taskPermission : null;
}

function isInScripts(endpoint: Endpoint): boolean {
  const permission = taskPermissionOf(endpoint);
  return (
    permission !== null && !taskLiterals.some((one) => one === permission) && !endpoint.stream && !endpoint.binary && !endpoint.multipart
  );
}

const LINE_MOST = 100;

function callText(name: string, args: readonly unknown[]): string {
  const given = [...args];
  while (given.length > 0 && (given.at(-1) === undefined || isEmpty(given.at(-1)))) given.pop();
  const texts: string[] = [];
  for (const one of given) texts.push(shownCode(one, 0, LINE_MOST - `${name}(${texts.join(', ')}, );`.length));
  return `${name}(${texts.join(', ')});`;
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

/** Headers that are the same in every answer are told once, on the first page. */
const EVERYWHERE =
  /^(x-request-id|api-version|ratelimit|ratelimit-policy|date|connection|keep-alive|content-length|content-encoding|transfer-encoding|cache-control|vary|x-content-type-options|content-security-policy|x-accel-buffering|backroom-time|access-control-.*|accept-ranges)$/;

export function answerText(
  { status, headers, content }: Pick<Answered, 'status' | 'headers' | 'content'>,
  also: readonly string[] = [],
): Shown {
  const lines = Object.entries(headers)
    .filter(([name]) => also.includes(name) || !EVERYWHERE.test(name))
    .map(([name, value]) => `${headerCase(name)}: ${value}`);
  const body = bodyText(content);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines].join('\n');
  return { text: body.text === '' ? head : `${head}\n\n${body.text}`, isCut: body.isCut };
}

const TEXT_LINES = 14;

function bodyText(content: Content): Shown {
  if (content.kind === 'none') return { text: '', isCut: false };
  if (content.kind === 'json') return shownJson(content.value);
  if (content.kind === 'bytes') return { text: `(${content.size.toLocaleString('en')} bytes)`, isCut: false };
  const lines = content.text.split('\n');
  if (content.kind === 'events') return { text: `${content.text}\n\n…`, isCut: true };
  return lines.length <= TEXT_LINES
    ? { text: content.text, isCut: false }
    : { text: [...lines.slice(0, TEXT_LINES), '…'].join('\n'), isCut: true };
}

const CAPITALS: Readonly<Record<string, string>> = {
  etag: 'ETag',
  'www-authenticate': 'WWW-Authenticate',
  ratelimit: 'RateLimit',
  'ratelimit-policy': 'RateLimit-Policy',
  'api-version': 'API-Version',
};

function headerCase(name: string): string {
  return CAPITALS[name] ?? name.replaceAll(/(^|-)([a-z])/g, (_, before: string, letter: string) => `${before}${letter.toUpperCase()}`);
}

import { buildRequest } from '../../contract/calls.ts';
import { type Endpoint, hasBody, type ResponseOf } from '../../contract/endpoint.ts';
import { type EndpointId, type Endpoints, endpoints } from '../../contract/index.ts';
import { OWNER_TOKEN } from '../../test/helpers/app.ts';
import type { Bearer, Details } from './examples/example.ts';
import { type AnyExample, examples } from './examples/index.ts';
import { type OpenShop, openExampleShop } from './shop.ts';

/** Carries out the examples, one after the other, in a shop of their own. */

export type Content =
  | { kind: 'none' }
  | { kind: 'json'; value: unknown }
  | { kind: 'text'; type: string; text: string }
  | { kind: 'bytes'; type: string; size: number }
  /** The first events of a stream. */
  | { kind: 'events'; text: string };

export type Answered = {
  endpoint: Endpoint;
  /** The arguments of the call, in the order of the client's. */
  args: readonly unknown[];
  /** Path and query below `/admin/api`. */
  path: string;
  body: unknown;
  by: Bearer;
  sentHeaders: Readonly<Record<string, string>>;
  status: number;
  headers: Readonly<Record<string, string>>;
  content: Content;
} & Pick<Details, 'note' | 'refused'>;

export type AllAnswers = { answers: ReadonlyMap<string, Answered>; open: OpenShop };

const OWNER: Bearer = { value: OWNER_TOKEN, shown: 'BACKROOM_TOKEN' };

/** The shop is left open, so that more can be asked of it; the caller closes it. */
export async function carryOut(): Promise<AllAnswers> {
  const open = await openExampleShop();
  const answers = new Map<string, Answered>();
  const shop = { ...open.shop, got: <Id extends EndpointId>(id: Id) => answerOf(id, answers.get(id)) };
  try {
    for (const [id, made] of examples) {
      const example = typeof made === 'function' ? await made(shop) : made;
      answers.set(id, await carryOutOne(open.app.url, endpoints[id], example));
      open.app.checkSeen();
    }
  } catch (error) {
    await open.close().catch(() => undefined);
    throw error;
  }
  return { answers, open };
}

async function carryOutOne(url: string, endpoint: Endpoint, example: AnyExample): Promise<Answered> {
  const { params = {}, query, body, by = OWNER, headers: sentHeaders = {}, note, refused, meanwhile } = example;
  const paramNames = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const args = [
    ...paramNames.map((name) => params[name]),
    ...(hasBody(endpoint) ? [body ?? {}] : []),
    ...(endpoint.query !== undefined ? [query] : []),
  ];
  const { id, method } = endpoint;
  const operation = { id, method, path: endpoint.path, paramNames, hasBody: hasBody(endpoint), hasQuery: endpoint.query !== undefined };
  const { path } = buildRequest(operation, args);
  const abort = new AbortController();
  const answer = await fetch(`${url}/admin/api${path}`, {
    method,
    headers: {
      ...(by === null ? {} : { authorization: `Bearer ${by.value}` }),
      ...(hasBody(endpoint) && !endpoint.multipart ? { 'content-type': 'application/json' } : {}),
      ...sentHeaders,
    },
    ...(hasBody(endpoint) ? { body: endpoint.multipart ? formOf(body) : JSON.stringify(body ?? {}) } : {}),
    signal: abort.signal,
  });
  await meanwhile?.();
  const content = await contentOf(answer, endpoint);
  abort.abort();
  const { status } = answer;
  if (status >= 400 ? !isRefusal(content, refused) : refused !== undefined || status !== endpoint.status)
    throw new Error(`${id}: ${method} ${path} was answered ${status} ${JSON.stringify(content).slice(0, 1500)}`);
  const rest = { ...(note === undefined ? {} : { note }), ...(refused === undefined ? {} : { refused }) };
  return { endpoint, args, path, body, by, sentHeaders, status, headers: Object.fromEntries(answer.headers), content, ...rest };
}

function isRefusal(content: Content, code: string | undefined): boolean {
  return code !== undefined && content.kind === 'json' && JSON.stringify(content.value).includes(`"code":"${code}"`);
}

function formOf(body: unknown): FormData {
  const form = new FormData();
  if (typeof body !== 'object' || body === null) throw new TypeError('a form has parts');
  const { file, ...fields }: Record<string, unknown> = { ...body };
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  if (!isFile(file)) throw new TypeError('a form has a part "file"');
  form.append('file', new Blob([file.content], { type: file.content_type ?? 'application/octet-stream' }), file.filename);
  return form;
}

type Part = { filename: string; content: string | Uint8Array<ArrayBuffer>; content_type?: string };

function isFile(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && 'filename' in value && 'content' in value;
}

async function contentOf(answer: Response, endpoint: Endpoint): Promise<Content> {
  const type = answer.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) return { kind: 'events', text: await firstEvents(answer, endpoint) };
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (bytes.length === 0) return { kind: 'none' };
  if (/^application\/(problem\+)?json/.test(type) && !endpoint.binary) return { kind: 'json', value: JSON.parse(bytes.toString()) };
  if (type.startsWith('text/')) return { kind: 'text', type, text: bytes.toString() };
  return { kind: 'bytes', type, size: bytes.length };
}

const EVENTS = 3;

/** Reads the stream until it has sent a few events, or has ended. */
async function firstEvents({ body }: Response, { sse }: Endpoint): Promise<string> {
  let text = '';
  const count = sse?.ends ? EVENTS : 1;
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString();
    const whole = text.split('\n\n').slice(0, -1);
    const events = whole.filter((one) => one.includes('data:'));
    if (events.length >= count) return events.slice(0, count).join('\n\n');
  }
  return text.trim();
}

function answerOf<Id extends EndpointId>(id: Id, answered: Answered | undefined): ResponseOf<Endpoints[Id]> {
  const value = answered?.content.kind === 'json' ? answered.content.value : undefined;
  if (!isAnswer(id, value)) throw new Error(`${id} has no answer yet`);
  return value;
}

function isAnswer<Id extends EndpointId>(id: Id, value: unknown): value is ResponseOf<Endpoints[Id]> {
  const endpoint: Endpoint = endpoints[id];
  return endpoint.response?.safeParse(value).success ?? false;
}

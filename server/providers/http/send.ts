import type { LookupFunction } from 'node:net';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { buildConnector } from 'undici';
import type { Span } from '../../../tracing/tracing.ts';
import { noteStatus, outgoingSpan } from '../outgoing-span.ts';
import { isPrivateHost, lookupPublic, PRIVATE } from '../webhooks/addresses.ts';

/** Sends single requests to other systems. It follows no redirect and repeats nothing. */

export type OutgoingRequest = {
  method: string;
  /** `https://host[:port]`. */
  origin: string;
  /** Path and query. */
  target: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer | null;
  /** The most bytes of the answer, where fewer are taken than otherwise. */
  answerMaxBytes?: number;
};
export type OutgoingAnswer = { status: number; headers: Record<string, string>; body: Buffer };
export type Outgoing = { send(request: OutgoingRequest, signal: AbortSignal): Promise<OutgoingAnswer> };

/** Nothing of the request has left this machine. `isFinal`: another try would fail in the same way. */
export class NotSent extends Error {
  readonly isFinal: boolean;
  constructor(message: string, { isFinal = false, ...options }: ErrorOptions & { isFinal?: boolean } = {}) {
    super(message, options);
    this.isFinal = isFinal;
  }
}
/** The other system may have got the request; its answer did not come. */
export class AnswerLost extends Error {}
/** The request was answered, but with more than may be taken. */
export class AnswerTooLarge extends Error {}

type Options = {
  /** Whether private addresses and this machine may be asked. */
  allowPrivate: boolean;
  answerMaxBytes: number;
};

export function createOutgoing({ allowPrivate, answerMaxBytes }: Options): Outgoing {
  const lookup: { lookup?: LookupFunction } = allowPrivate ? {} : { lookup: lookupPublic };
  // undici is loaded by the first request: a shop whose tasks ask no other system needs no memory for it.
  let connector: buildConnector.connector | undefined;
  return {
    send: (request, signal) =>
      outgoingSpan(request.method, request.origin, { 'http.request.method': request.method }, (span) => send(request, signal, span)),
  };

  async function send(
    { origin, target, method, headers, body, answerMaxBytes: mostBytes = answerMaxBytes }: OutgoingRequest,
    signal: AbortSignal,
    span: Span | null,
  ): Promise<OutgoingAnswer> {
    if (!allowPrivate && isPrivateHost(origin)) throw new NotSent(PRIVATE, { isFinal: true });
    const { buildConnector, Client } = await import('undici');
    connector ??= buildConnector({ ...lookup });
    const connect = connector;
    let isConnected = false;
    // A connection of its own for each request: where there is none, nothing was sent.
    const client = new Client(origin, {
      pipelining: 0,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (options, done) =>
        connect(options, (...result) => {
          isConnected ||= result[0] === null;
          done(...result);
        }),
    });
    try {
      const answer = await client.request({ method: method as 'GET', path: target, headers: { ...headers }, body, signal });
      noteStatus(span, answer.statusCode);
      return {
        status: answer.statusCode,
        headers: joined(answer.headers),
        body: await readAll(
          hasNoBody(method, answer.statusCode) ? answer.body : decoded(answer.body, answer.headers['content-encoding']),
          Math.min(mostBytes, answerMaxBytes),
        ),
      };
    } catch (error) {
      if (error instanceof AnswerTooLarge) throw error;
      const reason = reasonOf(error, signal);
      throw isConnected ? new AnswerLost(reason, { cause: error }) : new NotSent(reason, { isFinal: reason === PRIVATE, cause: error });
    } finally {
      await client.destroy().catch(() => undefined);
    }
  }
}

function hasNoBody(method: string, status: number): boolean {
  return method === 'HEAD' || status === 204 || status === 205 || status === 304;
}

/** The body without its compression. An error of either stream is thrown by the loop that reads the last one. */
function decoded(body: Readable, encoding: string | string[] | undefined): Readable {
  const decoder = decoderOf(String(encoding ?? '').toLowerCase());
  return decoder === null ? body : pipeline(body, decoder, () => undefined);
}

function decoderOf(encoding: string): Transform | null {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'deflate') return createInflate();
  return encoding === 'br' ? createBrotliDecompress() : null;
}

/** Stops reading at the limit, which counts what comes out of a compressed body. */
async function readAll(body: Readable, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > maxBytes) throw new AnswerTooLarge(`the answer has more than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const known = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return Object.fromEntries(known.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]));
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'it took too long';
  if (!(error instanceof Error)) return 'the request failed';
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  return `${error.message || error.name}${error.message === PRIVATE ? '' : code}`;
}

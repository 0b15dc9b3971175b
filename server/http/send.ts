import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { StoredAnswer } from '../calls/keys/idempotency.ts';
import type { FileAnswer } from '../verbs/file-answer.ts';
import { isBodySent, type Middleware, type Wire } from './wire.ts';

/** Sends a text, as JSON unless its type is already set; null: no body. */
export function sendText(ctx: Wire, status: number, text: string | null): void {
  ctx.status = status;
  if (text !== null && !ctx.res.hasHeader('Content-Type')) ctx.set('Content-Type', 'application/json; charset=utf-8');
  ctx.body = text;
  // Koa sets 204 for an empty body, so the status is set again.
  ctx.status = status;
}

export function sendAnswer(ctx: Wire, { status, headers, body }: StoredAnswer): void {
  ctx.set(headers);
  const isLarge = ctx.method === 'GET' && status === 200 && body !== null && Buffer.byteLength(body) >= COMPRESS_BYTES;
  if (isLarge) sendLarge(ctx, body);
  else sendText(ctx, status, body);
}

/** Answers to reads are compressed from this size on, for clients that accept it. */
const COMPRESS_BYTES = 64 * 1024;

/**
 * Sends a long JSON text, compressed in threads of zlib while it is sent. The ETag stays that of the record: clients send it in If-Match,
 * and no cache keeps the answer (`Cache-Control: no-store`), so nothing can confuse the two forms.
 */
function sendLarge(ctx: Wire, text: string): void {
  ctx.vary('Accept-Encoding');
  if (ctx.acceptsEncodings('gzip', 'identity') === 'gzip') {
    const packed = createGzip({ level: constants.Z_BEST_SPEED, chunkSize: COMPRESS_BYTES });
    packed.end(text);
    ctx.status = 200;
    ctx.set({ 'Content-Type': 'application/json; charset=utf-8', 'Content-Encoding': 'gzip' });
    ctx.body = packed;
  } else sendText(ctx, 200, text);
}

/**
 * Sends the content of a file as fast as the client takes it; the connection ends if reading fails or the client goes away. Koa's streams
 * are not used because they read ahead; here the memory of a chunk is used again for the next one.
 */
export async function sendFile(ctx: Wire, { status, headers, content }: FileAnswer): Promise<void> {
  const { req, res } = ctx;
  ctx.respond = false;
  ctx.status = status;
  res.writeHead(status, content.sizeBytes === null ? headers : { ...headers, 'Content-Length': content.sizeBytes });
  try {
    if (req.method !== 'HEAD') {
      for await (const chunk of content.chunks()) await write(res, chunk);
    }
    res.end();
  } catch (error) {
    res.destroy();
    ctx.app.emit('error', error);
  } finally {
    await content.close();
  }
}

/** Resolves when the chunk has been handed to the operating system. */
function write(response: ServerResponse, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const gone = (): void => reject(new Error('the client has gone'));
    response.once('close', gone);
    response.write(chunk, (error) => {
      response.off('close', gone);
      if (error) reject(error);
      else resolve();
    });
  });
}

/** Sends Server-Sent Events as they arrive. */
export function sendEvents(ctx: Wire, events: AsyncIterable<string>): void {
  ctx.status = 200;
  ctx.set('Content-Type', 'text/event-stream; charset=utf-8');
  ctx.set('Cache-Control', 'no-cache, no-transform');
  ctx.set('X-Accel-Buffering', 'no');
  ctx.body = Readable.from(events, { highWaterMark: 1 });
}

const LINGER_MS = 2000;

/**
 * Answers a client that is still sending. What it sends is read and thrown away for a moment, because closing a connection with unread
 * bytes would lose the answer.
 */
export const earlyAnswers: Middleware = async (ctx, next) => {
  await next();
  const { req, res, body, method } = ctx;
  if (req.complete || !isBodySent(ctx) || typeof body !== 'string') return;
  ctx.respond = false;
  res.writeHead(ctx.status, { 'Content-Length': Buffer.byteLength(body), Connection: 'close' });
  if (method !== 'HEAD') res.write(body);
  const enough = AbortSignal.timeout(LINGER_MS);
  req.resume();
  await Promise.race([once(req, 'close', { signal: enough }), once(req, 'end', { signal: enough })]).catch(() => undefined);
  res.end();
};

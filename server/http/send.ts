import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { StoredAnswer } from '../calls/idempotency.ts';
import type { FileAnswer } from '../verbs/file-answer.ts';
import { isBodySent, type Middleware, type Wire } from './wire.ts';

/** A text, of JSON where its type is not set already; null: no body. */
export function sendText(ctx: Wire, status: number, text: string | null): void {
  ctx.status = status;
  if (text !== null && !ctx.res.hasHeader('Content-Type')) ctx.set('Content-Type', 'application/json; charset=utf-8');
  ctx.body = text;
  // Koa takes an empty body for 204.
  ctx.status = status;
}

export function sendAnswer(ctx: Wire, { status, headers, body }: StoredAnswer): void {
  ctx.set(headers);
  sendText(ctx, status, body);
}

/**
 * The content of a file goes out as fast as it is taken; where it breaks off, or the client goes away, the connection ends.
 * Past Koa's own way with streams, which reads ahead: the memory of a chunk is used again for the next one.
 */
export async function sendFile(ctx: Wire, { status, headers, content }: FileAnswer): Promise<void> {
  const { req, res } = ctx;
  ctx.respond = false;
  ctx.status = status;
  res.writeHead(status, { ...headers, 'Content-Length': content.sizeBytes });
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

/** Until the chunk has left this process. */
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

/** Server-Sent Events, as they come. */
export function sendEvents(ctx: Wire, events: AsyncIterable<string>): void {
  ctx.status = 200;
  ctx.set('Content-Type', 'text/event-stream; charset=utf-8');
  ctx.set('Cache-Control', 'no-cache, no-transform');
  ctx.set('X-Accel-Buffering', 'no');
  ctx.body = Readable.from(events, { highWaterMark: 1 });
}

const LINGER_MS = 2000;

/**
 * Answers a client that is still sending: what it sends is thrown away for a moment, because a connection that is closed
 * with bytes unread takes the answer with it.
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

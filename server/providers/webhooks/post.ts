import { errorType } from '../../../tracing/current.ts';
import type { Span } from '../../../tracing/tracing.ts';
import { noteStatus, outgoingSpan } from '../outgoing-span.ts';
import { isPrivateHost, lookupPublic, PRIVATE } from './addresses.ts';

export type WebhookRequest = { url: string; headers: Record<string, string>; body: string };
/** `status` is null if there was no answer. */
export type Posting = { status: number | null; error: string | null; retryAfterMs: number | null };

export type Poster = { post(request: WebhookRequest, cutOff: AbortSignal): Promise<Posting>; close(): Promise<void> };

const WITHIN_MS = 15_000;
const ANSWER_MAX_BYTES = 16 * 1024;

/**
 * Sends webhooks: within 15 s, without following redirects, and to private addresses only if that is allowed, whatever a name resolves to.
 */
export function createPoster({ allowPrivate }: { allowPrivate: boolean }): Poster {
  // undici is loaded by the first webhook: a shop without any needs no memory for it.
  const open = async () => {
    const { Agent, request } = await import('undici');
    const agent = new Agent({
      connect: { timeout: WITHIN_MS, ...(allowPrivate ? {} : { lookup: lookupPublic }) },
      headersTimeout: WITHIN_MS,
      bodyTimeout: WITHIN_MS,
      keepAliveTimeout: 1000,
    });
    return { agent, request };
  };
  let opened: ReturnType<typeof open> | undefined;
  async function post({ url, headers, body }: WebhookRequest, cutOff: AbortSignal, span: Span | null): Promise<Posting> {
    if (!allowPrivate && isPrivateHost(url)) return { status: null, error: PRIVATE, retryAfterMs: null };
    try {
      opened ??= open();
      const { agent, request } = await opened;
      const signal = AbortSignal.any([AbortSignal.timeout(WITHIN_MS), cutOff]);
      const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent, signal });
      await answer.body.dump({ limit: ANSWER_MAX_BYTES, signal });
      const { statusCode } = answer;
      noteStatus(span, statusCode);
      const error = statusCode >= 200 && statusCode < 300 ? null : `answered ${statusCode}`;
      return { status: statusCode, error, retryAfterMs: retryAfterOf(answer.headers['retry-after']) };
    } catch (error) {
      span?.fail(errorType(error));
      return { status: null, error: reasonOf(error), retryAfterMs: null };
    }
  }

  return {
    post: (request, cutOff) => outgoingSpan('POST', request.url, { 'http.request.method': 'POST' }, (span) => post(request, cutOff, span)),
    close: async () => (await opened)?.agent.destroy(),
  };
}

function retryAfterOf(header: string | string[] | undefined): number | null {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the request failed';
  if (error.name === 'TimeoutError') return `no answer within ${WITHIN_MS / 1000} s`;
  return error.message.slice(0, 500) || error.name;
}

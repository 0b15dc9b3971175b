import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { errors, Pool } from 'undici';
import { Problem } from '../contract/errors.ts';

export type Request = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to /admin/api. */
  path: string;
  token: string;
  /** JSON text, or a stream of another content type, which can be sent only once. */
  body?: string | Readable;
  contentType?: string;
  idempotencyKey?: string;
  /** The span that the request belongs to. */
  traceparent?: string;
  /** In which order the script got its answers (`Backroom-Answers`). */
  answers?: string;
  /** The script of a replay ended without waiting for this call (`Backroom-Unawaited`). */
  unawaited?: boolean;
  timeoutMs?: number;
  signal?: AbortSignal;
};
export type Reply = {
  status: number;
  /** The body as text; empty for 204 and for the content of a file. */
  text: string;
  /** The body where the answer is the content of a file, else null. */
  bytes: Buffer | null;
  contentRange: string | undefined;
  isJson: boolean;
  /** `Backroom-Time`, in ms since 1970. */
  timeMs: number | null;
  /** `Backroom-Epoch`: the epoch of the run after its checkpoint. */
  epoch: number | null;
  replayed: boolean;
  retryAfterMs: number | null;
};
/** `attempts`: how many times the request was sent until this answer came. */
export type Answered = Reply & { attempts: number };
/** The answer was larger than the client accepts. */
export class AnswerTooLarge extends Error {}

export type ServerClient = {
  /** Sends the request once; throws when no answer came. */
  request(request: Request): Promise<Reply>;
  /** Sends the request until the server answers it; null once `alive()` is false, because nobody waits for the answer any more. */
  requestUntilAnswered(request: Request, alive: () => boolean): Promise<Answered | null>;
  close(): Promise<void>;
};

export const ANSWER_MAX_BYTES = 4 * 1024 * 1024;
const TIMEOUT_MS = 120_000;
const RETRY_FIRST_MS = 50;
const RETRY_MAX_MS = 1000;
const RETRY_AFTER_MAX_MS = 60_000;

/** Makes a client for one server; its connections are kept open. */
export function createServerClient(serverUrl: string, { answerMaxBytes = ANSWER_MAX_BYTES } = {}): ServerClient {
  const { origin, pathname } = new URL(serverUrl);
  const prefix = `${pathname.replace(/\/$/, '')}/admin/api`;
  const pool = new Pool(origin, {
    maxResponseSize: answerMaxBytes,
    keepAliveTimeout: 30_000,
    // The build leaves HTTP/2 out (tools/build-app.ts).
    allowH2: false,
    connectTimeout: 5000,
    bodyTimeout: TIMEOUT_MS,
  });

  async function request(asked: Request): Promise<Reply> {
    const { method, path, token, body, contentType = 'application/json', idempotencyKey, timeoutMs = TIMEOUT_MS, signal } = asked;
    const { traceparent, answers, unawaited = false } = asked;
    const headers: Record<string, string> = { authorization: `Bearer ${token}` };
    if (body !== undefined) headers['content-type'] = contentType;
    if (idempotencyKey !== undefined) headers['idempotency-key'] = `"${idempotencyKey}"`;
    if (traceparent !== undefined) headers['traceparent'] = traceparent;
    if (answers !== undefined) headers['backroom-answers'] = answers;
    if (unawaited) headers['backroom-unawaited'] = '1';
    try {
      const answer = await pool.request({
        method,
        path: prefix + path,
        headers,
        body: body ?? null,
        headersTimeout: timeoutMs,
        ...(signal && { signal }),
      });
      const type = one(answer.headers['content-type']) ?? '';
      const bytes = type === 'application/octet-stream' ? Buffer.from(await answer.body.arrayBuffer()) : null;
      return {
        status: answer.statusCode,
        text: bytes === null ? await answer.body.text() : '',
        bytes,
        contentRange: one(answer.headers['content-range']),
        isJson: /^application\/(problem\+)?json\b/.test(type),
        timeMs: timeOf(one(answer.headers['backroom-time'])),
        epoch: epochOf(one(answer.headers['backroom-epoch'])),
        replayed: one(answer.headers['idempotency-replayed']) === 'true',
        retryAfterMs: retryAfterOf(one(answer.headers['retry-after'])),
      };
    } catch (cause) {
      if (cause instanceof errors.ResponseExceededMaxSizeError) throw new AnswerTooLarge('the answer is too large', { cause });
      throw cause;
    }
  }

  return {
    request,
    async requestUntilAnswered(what, alive) {
      let backoffMs = RETRY_FIRST_MS;
      for (let attempts = 1; alive(); attempts += 1) {
        let waitMs = backoffMs;
        try {
          const reply = await request(what);
          if (!isUnanswered(reply)) return { ...reply, attempts };
          waitMs = reply.retryAfterMs ?? backoffMs;
        } catch (error) {
          if (error instanceof AnswerTooLarge) throw error;
        }
        backoffMs = Math.min(backoffMs * 2, RETRY_MAX_MS);
        // The wait is split into short steps, so that a run that ends meanwhile does not wait for a long Retry-After.
        const until = performance.now() + waitMs;
        for (let leftMs = waitMs; alive() && leftMs > 0; leftMs = until - performance.now()) await delay(Math.min(RETRY_MAX_MS, leftMs));
      }
      return null;
    },
    close: () => pool.destroy(),
  };
}

/** The problem in the body of a refusal; null where the answer is no refusal or does not come from the server itself (a proxy). */
export function problemOf(reply: Reply): Problem | null {
  if (reply.status < 400 || !reply.isJson) return null;
  try {
    const parsed = Problem.safeParse(JSON.parse(reply.text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

const STANDARD_MEMBERS = new Set(['type', 'title', 'status', 'code', 'detail', 'instance', 'request_id', 'errors']);

/** The detail of a `resume_mismatch`, followed by the further members of the problem: the earlier write and the present one. */
export function mismatchMessage(problem: Problem): string {
  const shown = Object.entries(problem).filter(([name]) => !STANDARD_MEMBERS.has(name));
  return shown.length === 0 ? problem.detail : `${problem.detail} ${JSON.stringify(Object.fromEntries(shown))}`;
}

/**
 * Whether the request must be sent again: the server is busy or stops, a proxy could not reach it, it limits the rate of
 * requests, or it is still working on an earlier copy of this request.
 */
export function isUnanswered(reply: Reply): boolean {
  if (reply.status < 400) return false;
  if (reply.status === 503 || reply.status === 429) return true;
  if (reply.status === 502 || reply.status === 504) return problemOf(reply) === null;
  return reply.status === 409 && problemOf(reply)?.code === 'idempotency_in_progress';
}

function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}

function timeOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const ms = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  return Number.isFinite(ms) ? ms : null;
}

function epochOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function retryAfterOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), RETRY_AFTER_MAX_MS) : null;
}

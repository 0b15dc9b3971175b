import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import { z } from 'zod';
import { type AdminApi, ApiError } from '../contract/calls.ts';
import { createClient } from '../contract/client.ts';
import { Problem } from '../contract/errors.ts';
import { filesEndpoints } from '../contract/files.ts';
import { LoggedEvent } from '../contract/run-events.ts';
import { Failure } from './failure.ts';

export type RemoteShop = {
  client: AdminApi;
  /** Uploads a file of this machine and returns its id. `name`: another name for it in the shop. */
  upload(path: string, name?: string): Promise<number>;
  /** Calls `onEvent` with every event of the run from the first on, and resolves with how the run ended. */
  followRun(
    taskId: number,
    runId: number,
    onEvent: (event: LoggedEvent) => Promise<void> | undefined,
    signal?: AbortSignal,
  ): Promise<RunEnd>;
};

const RunEnd = z.object({ status: z.string(), error: z.string().nullable() });
export type RunEnd = z.infer<typeof RunEnd>;

const Uploaded = filesEndpoints['files.create'].response;
const ROUTE = '/admin/api';
const RETRY_MS = 1000;
/** How many times in a row a stream that was cut off is requested again. */
const MAX_RETRIES = 60;

/** Makes a client for the Backroom server at `url`, with the rights of this token. */
export function connectShop(url: string, token: string): RemoteShop {
  const authorization = `Bearer ${token}`;

  async function ask(path: string, { headers, ...init }: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
    return fetch(`${url}${ROUTE}${path}`, { ...init, headers: { authorization, ...headers } }).catch((error) => {
      if (init.signal?.aborted) throw error;
      throw new Unreachable(url, error);
    });
  }

  const client = createClient(async ({ method, path, body, headers }) => {
    const answer = await ask(path, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const parsed = text === '' ? null : parseJson(text);
    if (!answer.ok) refuse(url, answer.status, parsed);
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: parsed };
  });

  return {
    client,
    async upload(path, name = basename(path)) {
      const form = new FormData();
      form.append('file', await openFile(path), name);
      const answer = await ask('/files', { method: 'POST', body: form });
      const text = await answer.text();
      if (!answer.ok) refuse(url, answer.status, parseJson(text));
      return Uploaded.parse(parseJson(text)).id;
    },
    async followRun(taskId, runId, onEvent, signal) {
      let lastId = '';
      let retries = 0;
      for (;;) {
        // Only an error of the stream is kept here and retried; an error of `onEvent` is thrown at once.
        let failure: unknown;
        const messages = readStream(`/ai-tasks/${taskId}/runs/${runId}/stream`, lastId, signal);
        try {
          for (;;) {
            const next = await messages.next().catch((error) => {
              failure = error;
              return { done: true, value: undefined } as const;
            });
            if (next.done) break;
            retries = 0;
            const { id, event, data } = next.value;
            if (event === 'status') return RunEnd.parse(JSON.parse(data));
            lastId = id ?? lastId;
            await onEvent(LoggedEvent.parse(JSON.parse(data)));
          }
        } finally {
          await messages.return(undefined);
        }
        signal?.throwIfAborted();
        // The connection was cut before the run had ended, so the next request continues after the last event.
        if (failure && isFinal(failure, lastId === '' && retries === 0)) throw failure;
        if (++retries > MAX_RETRIES)
          throw failure ?? new Failure(`the stream of run ${runId} was cut off ${MAX_RETRIES + 1} times in a row without an event`);
        await delay(RETRY_MS, undefined, signal ? { signal } : {});
      }
    },
  };

  async function* readStream(path: string, lastId: string, signal?: AbortSignal): AsyncGenerator<EventSourceMessage> {
    const headers = lastId === '' ? {} : { 'last-event-id': lastId };
    const answer = await ask(path, { headers, ...(signal ? { signal } : {}) });
    if (!answer.ok || !answer.body) refuse(url, answer.status, parseJson(await answer.text()));
    yield* answer.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  }
}

class Unreachable extends Failure {
  constructor(url: string, error: unknown) {
    const { cause } = error instanceof Error ? error : {};
    const why = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
    super(`the server ${url} cannot be reached${why}: is it running, and is --server its address?`, { cause: error });
  }
}

/** Whether a stream must not be requested again. A server that is busy or cannot be reached may answer again in a moment. */
function isFinal(failure: unknown, isFirst: boolean): boolean {
  if (failure instanceof ApiError) return failure.status < 500 && failure.status !== 429;
  return failure instanceof Failure && isFirst;
}

function refuse(url: string, status: number, body: unknown): never {
  const problem = Problem.safeParse(body).data;
  if (!problem) throw new Failure(`${url} answered ${status}, but not as a Backroom server does: is --server the address of one?`);
  throw new ApiError(status, problem);
}

async function openFile(path: string): Promise<Blob> {
  try {
    if ((await stat(path)).isFile()) return await openAsBlob(path);
  } catch (error) {
    throw new Failure(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  throw new Failure(`${path} is not a file`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

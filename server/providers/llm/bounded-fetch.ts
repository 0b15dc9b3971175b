import { LlmFailed } from './llm.ts';

type Fetch = typeof fetch;

const ANSWER_MAX_BYTES = 2 * 1024 * 1024;
/** A token of a stream comes with some 300 bytes around it. */
const STREAM_MAX_BYTES = 32 * 1024 * 1024;

/** What the packages say about the machine is left out, and so is what they take from its environment. */
const SENT = new Set(['accept', 'anthropic-version', 'authorization', 'content-type', 'user-agent', 'x-api-key', 'x-request-id']);

/** Reads the whole answer within a size limit, so that the timeout covers the body too. */
export const fetchWhole: Fetch = async (input, init) => {
  const response = await fetch(input, plain(init));
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes = counted(bytes + part.length, ANSWER_MAX_BYTES);
    parts.push(part);
  }
  return sameAnswer(response, bytes === 0 ? null : Buffer.concat(parts));
};

/** Passes the answer on as it comes, within a size limit. It ends where nothing comes for so long. */
export function fetchStream(silentMs: number): Fetch {
  return async (input, init) => {
    const silence = new AbortController();
    const soon = async <T>(awaited: Promise<T>): Promise<T> => {
      const timer = setTimeout(() => silence.abort(new LlmFailed(`nothing came for ${silentMs / 1000} s`)), silentMs);
      try {
        return await awaited;
      } finally {
        clearTimeout(timer);
      }
    };
    const signal = init?.signal ? AbortSignal.any([init.signal, silence.signal]) : silence.signal;
    const response = await soon(fetch(input, { ...plain(init), signal }));
    const reader = response.body?.getReader();
    if (!reader) return response;
    let bytes = 0;
    // The reader is asked only when somebody waits for it: a slow reader is not taken for a silent service.
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(stream) {
          const { done, value } = await soon(reader.read());
          if (done) return stream.close();
          bytes = counted(bytes + value.length, STREAM_MAX_BYTES);
          stream.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
    return sameAnswer(response, body);
  };
}

/** Redirects are refused, so that the key goes nowhere else. */
function plain(init: RequestInit | undefined): RequestInit {
  const headers = [...new Headers(init?.headers)].filter(([name]) => SENT.has(name));
  return { ...init, headers, redirect: 'error' };
}

function counted(bytes: number, most: number): number {
  if (bytes > most) throw new LlmFailed(`the answer has more than ${most} bytes`);
  return bytes;
}

function sameAnswer({ status, headers: given }: Response, body: ReadableStream<Uint8Array> | Buffer<ArrayBuffer> | null): Response {
  const headers = new Headers(given);
  headers.delete('content-encoding');
  headers.delete('content-length');
  return new Response(body, { status, headers });
}

import type { RequestListener, ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { checkHead, type FaultOfBody } from './document-check.ts';

/**
 * Checks every answer of a server against the OpenAPI document, whoever sent the request: a test, a runner, a script or the command
 * line. Answers that Node itself gives, to bytes that are not HTTP, are not seen.
 */
export type SeenAnswers = {
  /** A listener that must be called before the server's own listener. */
  watch: RequestListener;
  /** What was wrong with the answer to the request with this X-Request-Id. */
  faultOf(requestId: string | undefined): string | undefined;
  /** Throws if an answer since the last call was wrong. */
  check(): void;
};

/** How many characters of a body a message shows. */
const SHOWN = 2000;
/** How many wrong answers a message lists. */
const TOLD = 5;

export function watchAnswers(): SeenAnswers {
  const known = new Map<string, string>();
  let untold: string[] = [];

  return {
    watch({ method = 'GET', url = '/' }, response) {
      const path = pathOf(url);
      const note = (fault: string, text: string): void => {
        const answer = `${method} ${url}: ${response.statusCode} ${text.slice(0, SHOWN)}`;
        const told = `The document does not say so: ${fault}\n${answer}`;
        known.set(String(response.getHeader('x-request-id')), told);
        untold.push(told);
      };
      const seeHead = (): FaultOfBody | null => {
        const head = { method, path, status: response.statusCode, headers: response.getHeaders() };
        const { fault, faultOfBody } = checkHead(head);
        if (fault === null) return faultOfBody;
        note(fault, '');
        return null;
      };
      readAnswer(response, seeHead, note);
    },
    faultOf: (requestId) => known.get(requestId ?? ''),
    check() {
      const faults = untold;
      untold = [];
      if (faults.length > 0) throw new Error([`False answers: ${faults.length}`, ...faults.slice(0, TOLD)].join('\n\n'));
    },
  };
}

/**
 * `seeHead` is called when status and headers are fixed, and returns how to check the body, if at all. A body is checked when the
 * server has ended it; a body that broke off, or whose client has gone, is not checked. The check is over before the client
 * receives the end of the answer.
 */
function readAnswer(response: ServerResponse, seeHead: () => FaultOfBody | null, note: (fault: string, text: string) => void): void {
  let faultOfBody: FaultOfBody | null = null;
  let chunks: (string | Uint8Array)[] = [];
  const keep = (chunk: unknown): void => {
    if (faultOfBody && (typeof chunk === 'string' || chunk instanceof Uint8Array)) chunks.push(chunk);
  };
  const readBody = (): void => {
    if (!faultOfBody || !response.socket?.writable) return;
    const text = textOf(chunks, response.getHeader('content-encoding') === 'gzip');
    const fault = faultOfBody(text);
    faultOfBody = null;
    chunks = [];
    if (fault !== null) note(fault, text);
  };
  /** Wraps a function so that `next` is called after it with its first argument. An error of `next` does not reach the server. */
  const followed = <F extends (...args: never[]) => unknown>(original: F, next: (first: unknown) => void): F =>
    new Proxy(original, {
      apply(target, self, args: unknown[]) {
        const result: unknown = Reflect.apply(target, self, args);
        try {
          next(args[0]);
        } catch (error) {
          note(`it could not be checked: ${error}`, '');
        }
        return result;
      },
    });
  // Node calls writeHead for every answer, even if the server does not.
  response.writeHead = followed(response.writeHead, () => {
    faultOfBody = seeHead();
  });
  response.write = followed(response.write, keep);
  response.end = followed(response.end, (chunk) => {
    keep(chunk);
    readBody();
  });
}

function textOf(chunks: readonly (string | Uint8Array)[], isPacked: boolean): string {
  const [only, ...more] = chunks;
  if (typeof only === 'string' && more.length === 0) return only;
  const bytes = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)));
  return (isPacked ? gunzipSync(bytes) : bytes).toString();
}

/** The path as the server reads it: without the origin of an absolute target (RFC 9112), and without needless escapes. */
function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '');
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

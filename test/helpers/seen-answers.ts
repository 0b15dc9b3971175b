import type { RequestListener, ServerResponse } from 'node:http';
import { checkHead, type FaultOfBody } from './document-check.ts';

/**
 * Reads every answer of a server by the document as it leaves, whoever asked: a test, a runner, a script, the command line.
 * What Node itself answers, to what is no HTTP, never comes to a listener of requests.
 */
export type SeenAnswers = {
  /** Stands before the server's own listener. */
  watch: RequestListener;
  /** What was wrong with the answer that has this X-Request-Id. */
  faultOf(requestId: string | undefined): string | undefined;
  /** Throws what was wrong since it was last asked. */
  check(): void;
};

/** Of a body, in a message. */
const SHOWN = 2000;
/** Of answers, in a message. */
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
 * `seeHead` is asked once status and headers are fixed, and says how to read the body, if at all. A body is read when the
 * server has ended it: one that broke off, or whose client has gone, is nobody's answer. All that is done before the client
 * can have the end of it.
 */
function readAnswer(response: ServerResponse, seeHead: () => FaultOfBody | null, note: (fault: string, text: string) => void): void {
  let faultOfBody: FaultOfBody | null = null;
  let chunks: (string | Uint8Array)[] = [];
  const keep = (chunk: unknown): void => {
    if (faultOfBody && (typeof chunk === 'string' || chunk instanceof Uint8Array)) chunks.push(chunk);
  };
  const readBody = (): void => {
    if (!faultOfBody || !response.socket?.writable) return;
    const text = textOf(chunks);
    const fault = faultOfBody(text);
    faultOfBody = null;
    chunks = [];
    if (fault !== null) note(fault, text);
  };
  /** The same function, after which `next` is told its first argument; what goes wrong there is not the server's to answer. */
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
  // Node calls it for every answer, also where the server does not.
  response.writeHead = followed(response.writeHead, () => {
    faultOfBody = seeHead();
  });
  response.write = followed(response.write, keep);
  response.end = followed(response.end, (chunk) => {
    keep(chunk);
    readBody();
  });
}

function textOf(chunks: readonly (string | Uint8Array)[]): string {
  const [only, ...more] = chunks;
  if (typeof only === 'string' && more.length === 0) return only;
  return Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))).toString();
}

/** As the server reads it: an absolute target (RFC 9112) from its path on, letters that need no escape as they are. */
function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '');
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

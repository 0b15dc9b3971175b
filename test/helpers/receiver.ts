import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = { headers: IncomingHttpHeaders; body: string };
export type Receiver = {
  url: string;
  received: Received[];
  /** The answers to the next requests, in order; later requests get 204. */
  answers: { status: number; headers?: Record<string, string> }[];
  /** Resolves when `n` requests have come. */
  count(n: number): Promise<void>;
  close(): Promise<void>;
};

/** A server on the loopback interface that receives webhooks. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const answers: Receiver['answers'] = [];
  const waiting: { n: number; done: () => void }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      const { status, headers = {} } = answers.shift() ?? { status: 204 };
      response.writeHead(status, headers).end();
      for (const { n, done } of waiting) if (received.length >= n) done();
    });
  });
  // Not five seconds: a busy client would send its next request over a connection that is just being closed.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    answers,
    count: (n) => (received.length >= n ? Promise.resolve() : new Promise((done) => waiting.push({ n, done }))),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

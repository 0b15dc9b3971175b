import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Got = { method: string; target: string; headers: IncomingHttpHeaders; body: string };
/** `cut`: the connection is closed after the request has arrived, without an answer. `hang`: nothing is ever answered. */
export type Reply = { status?: number; headers?: Record<string, string>; body?: string | Buffer } | 'cut' | 'hang';

export type OtherSystem = {
  origin: string;
  port: number;
  got: Got[];
  /** Decides the answers from now on. */
  decide(reply: (request: Got) => Reply | Promise<Reply>): void;
  close(): Promise<void>;
};

/** A real HTTP server on the loopback interface, to which tasks send requests. */
export async function openOtherSystem(wanted = 0): Promise<OtherSystem> {
  const got: Got[] = [];
  let reply: (request: Got) => Reply | Promise<Reply> = () => ({});
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', async () => {
      const { method = '', url: target = '', headers } = request;
      const one = { method, target, headers, body: Buffer.concat(parts).toString('utf8') };
      got.push(one);
      const answer = await reply(one);
      if (answer === 'hang') return;
      if (answer === 'cut') return void request.socket.destroy();
      response.writeHead(answer.status ?? 200, answer.headers ?? {}).end(answer.body ?? '');
    });
  });
  // Not five seconds: a busy client would send its next request over a connection that is just being closed.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    got,
    decide: (next) => {
      reply = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

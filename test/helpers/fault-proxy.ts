import { Agent, createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of one request. `cut_before`: it never reaches the server; `cut_after`: its answer is lost on the way back. */
export type Fate = 'pass' | 'cut_before' | 'cut_after';
/** `key`: its Idempotency-Key, as the header has it. */
export type Passing = { method: string; path: string; body: string; key: string };
/** Decides about one request. While the function waits, the request is held. */
export type Decide = (passing: Passing) => Fate | Promise<Fate>;

export type FaultProxy = {
  url: string;
  /** How many requests were cut, for each kind of cut. */
  cuts: Record<Exclude<Fate, 'pass'>, number>;
  /** How many requests are being answered; requests in which a runner waits for work do not count. */
  inFlight(): number;
  decide(decide: Decide): void;
  close(): Promise<void>;
};

export const passAll: Decide = () => 'pass';

/** An HTTP proxy to one server, which may be down, or to several in turn. A cut connection gets no answer, as in a broken network. */
export async function openFaultProxy(serverPort: number | (() => number)): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: true });
  const cuts = { cut_before: 0, cut_after: 0 };
  let decide = passAll;
  let inFlight = 0;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    const body = Buffer.concat(await request.toArray());
    const fate = await decide({ method, path: url, body: body.toString(), key: String(request.headers['idempotency-key'] ?? '') });
    if (fate === 'cut_before') {
      cuts.cut_before += 1;
      return void request.socket.destroy();
    }
    const answer = await forward(request, body, response);
    const text = Buffer.concat(await answer.toArray());
    if (fate === 'cut_after') {
      cuts.cut_after += 1;
      return void request.socket.destroy();
    }
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    response.end(text);
  }

  function forward({ method, url, rawHeaders }: IncomingMessage, body: Buffer, response: ServerResponse): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const port = typeof serverPort === 'number' ? serverPort : serverPort();
      const onward = send({ host: '127.0.0.1', port, method, path: url, headers: [...rawHeaders], agent }, resolve);
      onward.on('error', reject);
      // When the client closes its connection, the proxy closes the one to the server.
      response.once('close', () => response.writableFinished || onward.destroy());
      onward.end(body);
    });
  }

  const proxy = createServer((request, response) => {
    const counted = request.url !== '/admin/api/runner/claims';
    if (counted) inFlight += 1;
    pass(request, response)
      .catch(() => request.socket.destroy())
      .finally(() => {
        if (counted) inFlight -= 1;
      });
  });
  proxy.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    cuts,
    inFlight: () => inFlight,
    decide(next) {
      decide = next;
    },
    close: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        proxy.closeAllConnections();
        agent.destroy();
      }),
  };
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `isReady`: the server answered the last request for work, and the runner has not been told to stop. */
export type Health = { isReady(): boolean; running(): number };

export type HealthServer = { port: number; close(): void };

/**
 * Answers for the runner's health, on the loopback interface alone: `GET /healthz` while the process answers at all, `GET /readyz` with 200
 * or 503. `problem` says why it cannot.
 */
export async function openHealth(port: number, { isReady, running }: Health): Promise<HealthServer | { problem: string }> {
  const server = createServer(({ url }, response) => {
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
    };
    if (url === '/healthz') return answer(200, { status: 'ok' });
    if (url !== '/readyz') return answer(404, { status: 'not found' });
    const ready = isReady();
    answer(ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', running: running() });
  });
  server.listen({ host: '127.0.0.1', port });
  try {
    await once(server, 'listening');
  } catch (error) {
    return { problem: `${port} cannot be used: ${error instanceof Error ? error.message : error}` };
  }
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

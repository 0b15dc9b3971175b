import { createServer, type ServerResponse } from 'node:http';

/** Child process of growth-streams.ts: keeps all GET requests open as streams, and sends the body of each POST to them. */
const streams = new Set<ServerResponse>();
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(': ok\n\n');
    streams.add(response);
    response.once('close', () => streams.delete(response));
    return;
  }
  let text = '';
  request.on('data', (chunk: Buffer) => (text += chunk.toString()));
  request.once('end', () => {
    for (const stream of streams) stream.write(`data: ${text}\n\n`);
    response.writeHead(204).end();
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  process.stdout.write(`"http://127.0.0.1:${address.port}"\n`);
});

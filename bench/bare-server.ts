import { createServer } from 'node:http';

/** Child process of request-path.ts: a server that answers every request with the same bytes. */
const [status = '200', text = ''] = process.argv.slice(2);
const server = createServer((request, response) => {
  request.resume().once('end', () => {
    response.writeHead(Number(status), { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) });
    response.end(text);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  process.stdout.write(`"http://127.0.0.1:${address.port}"\n`);
});

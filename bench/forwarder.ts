import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';

/**
 * Child process of neighbours.ts: a proxy between runner and server. It prints its port; then, for each line of its standard
 * input, the times at which requests for orders passed since the line before.
 */
const [serverPort = ''] = process.argv.slice(2);
const READ = Buffer.from('GET /admin/api/orders');
let times: number[] = [];
const server = createServer({ noDelay: true }, (socket) => {
  const onward = connect({ port: Number(serverPort), host: '127.0.0.1', noDelay: true });
  socket.on('data', (chunk: Buffer) => {
    if (chunk.subarray(0, READ.length).equals(READ)) times.push(performance.timeOrigin + performance.now());
  });
  socket.pipe(onward).pipe(socket);
  for (const end of [socket, onward]) end.on('error', () => socket.destroy() && onward.destroy());
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
process.stdout.write(`${JSON.stringify(address !== null && typeof address === 'object' ? address.port : null)}\n`);
for await (const _ of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(times)}\n`);
  times = [];
}
process.exit();

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Ports below those that the kernel gives to connections and to servers that ask for any: none of these can take one of them. */
const PORTS = { from: 10_000, to: 32_000 };

/**
 * A port for a server that starts later, or again, or for an address where nobody listens. No other process that asks here gets it before
 * this process ends. A server that starts once, and now, asks the kernel for its port (0).
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    if ((await isOurs(port)) && (await isFree(port))) return port;
  }
}

/** Takes the name of the port, which the kernel keeps for this process to its end; on systems without such names, luck must do. */
function isOurs(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return Promise.resolve(true);
  return new Promise((resolve) => {
    const held = createServer().unref();
    held.once('error', () => resolve(false));
    held.listen(`\0backroom-test-port-${port}`, () => resolve(true));
  });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

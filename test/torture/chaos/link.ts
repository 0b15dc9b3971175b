import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A way over TCP that can be disturbed. */
export type Link = {
  port: number;
  /** Ends all connections at once; those who are cut off see a reset. */
  cut(): void;
  /** Whether new connections are ended at once. */
  refuse(on: boolean): void;
  /** Each piece of data takes so much longer in either direction; 0: it does not. */
  slow(ms: number): void;
  /** The share of pieces of answers with which the connection ends instead; 0: none. */
  loseAnswers(share: number): void;
  close(): Promise<void>;
};

/** Opens a way to several ports in turn, as a simple balancer does; a port at which nobody listens is passed over. */
export async function openLink(ports: readonly number[], chance: () => number): Promise<Link> {
  const open = new Set<Socket>();
  let [turn, slowMs, lost, refusing] = [0, 0, 0, false];

  function track(socket: Socket): void {
    open.add(socket);
    socket.setNoDelay(true);
    // What ends a connection is told by its end alone.
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
  }

  const server = createServer({ allowHalfOpen: true }, (near) => {
    track(near);
    if (refusing) return void near.resetAndDestroy();
    pass(near).catch(() => near.destroy());
  });

  async function pass(near: Socket): Promise<void> {
    const far = await reach();
    if (!far) return void near.resetAndDestroy();
    const end = (): void => {
      near.destroy();
      far.destroy();
    };
    near.once('close', end);
    far.once('close', end);
    if (near.destroyed) return end();
    await Promise.all([forward(near, far, () => false), forward(far, near, () => chance() < lost)]).catch(end);
  }

  async function reach(): Promise<Socket | null> {
    for (let tries = 0; tries < ports.length; tries += 1) {
      const port = ports[turn++ % ports.length] ?? 0;
      const far = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
      track(far);
      try {
        await once(far, 'connect');
        return far;
      } catch {
        // Nobody listens there.
      }
    }
    return null;
  }

  async function forward(from: Socket, to: Socket, loses: () => boolean): Promise<void> {
    for await (const piece of from) {
      if (slowMs > 0) await delay(slowMs);
      if (loses()) {
        from.destroy();
        to.resetAndDestroy();
        return;
      }
      if (!to.write(piece)) await once(to, 'drain');
    }
    to.end();
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the link has no port');
  const cut = (): void => {
    for (const socket of open) socket.resetAndDestroy();
  };
  return {
    port: address.port,
    cut,
    refuse(on) {
      refusing = on;
    },
    slow(ms) {
      slowMs = ms;
    },
    loseAnswers(share) {
      lost = share;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
  };
}

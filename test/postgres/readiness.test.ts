import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { startApp } from '../helpers/app.ts';
import { until } from '../helpers/machines.ts';
import { createDatabase, stopPostgres } from '../helpers/stores.ts';

after(stopPostgres);

/** Passes bytes between clients and a PostgreSQL, until it is stalled: then connections stay open and nothing comes through. */
async function openStallingProxy(url: string) {
  const { hostname, port, pathname } = new URL(url);
  const folder = decodeURIComponent(hostname);
  const sockets = new Set<Socket>();
  let isStalled = false;
  const server = createServer((client) => {
    const database = folder.startsWith('/') ? connect(`${folder}/.s.PGSQL.${port}`) : connect(Number(port), hostname);
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from);
      if (isStalled) from.pause();
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    if (isStalled) for (const socket of [client, database]) socket.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `postgres://postgres:secret@127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    stall(stalled: boolean) {
      isStalled = stalled;
      for (const socket of sockets) stalled ? socket.pause() : socket.resume();
    },
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

test('a database that does not answer any more is told within seconds, and so is that it answers again', async () => {
  const database = await createDatabase('postgres');
  const proxy = await openStallingProxy(database.url);
  const app = await startApp('postgres', { databaseUrl: proxy.url });
  const readiness = () => app.request({ path: '/readyz', token: null });
  assert.equal((await readiness()).status, 200);
  proxy.stall(true);
  const stalledAt = performance.now();
  const unready = await until('the server is not ready', async () => {
    const answer = await readiness();
    return answer.status === 503 && answer;
  });
  // Two seconds to the next look, three for its answer; a busy machine takes some more, and the network's own patience minutes.
  const seconds = (performance.now() - stalledAt) / 1000;
  assert.ok(seconds < 60, `told after ${seconds} s`);
  assert.match(unready.text, /"database":"not writable"/);
  proxy.stall(false);
  await until('the server is ready again', async () => (await readiness()).status === 200);
  await app.close();
  await proxy.close();
  await database.drop();
});

test('requests that hold every connection do not make the server unready: the check has one of its own', { timeout: 300_000 }, async () => {
  const app = await startApp('postgres', { env: { DATABASE_POOL: '2' } });
  const { promise: isDone, resolve: finish } = Promise.withResolvers<void>();
  const holding = [1, 2].map(async () => {
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>();
    const done = app.store.write(async () => {
      held();
      await isDone;
    });
    await isHeld;
    return { done };
  });
  const held = await Promise.all(holding);
  assert.equal(await app.store.probe.look(), 'writable');
  finish();
  for (const { done } of held) await done;
  await app.close();
});

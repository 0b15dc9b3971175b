import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { request } from 'undici';
import { type AppOptions, OWNER_TOKEN, STOPPED, startApp, type TestApp } from '../helpers/app.ts';
import { until } from '../helpers/machines.ts';
import { claim, claimRun, emptyQueue, makeTask, openRun } from '../helpers/runs.ts';
import { stopPostgres } from '../helpers/stores.ts';

/** So long that a look which nobody has caused does not come before the test ends. */
const NEVER_MS = 3_600_000;
/** The longest that a runner may wait for work. */
const WAIT_MS = 30_000;

type Hearing = { app: TestApp; heard: number; lines: string[] };

async function start(options: AppOptions = {}): Promise<Hearing> {
  const hearing = { heard: 0, lines: [] as string[] };
  const log = (line: string): void => {
    hearing.lines.push(line);
    if (line.includes('other servers are heard')) hearing.heard += 1;
  };
  return Object.assign(hearing, { app: await startApp('postgres', { lookMs: NEVER_MS, log, ...options }) });
}

/** Waits at this server for a run; resolves when it has looked in vain, with what the waiting gets later. */
async function waitForRun(app: TestApp, name: string): Promise<{ claimed: Promise<number[]> }> {
  const began = performance.now();
  const claimed = claim(app, { name, wait_ms: WAIT_MS }).then((claims) => {
    // At the end of its time, whoever waits looks once more.
    assert.ok(performance.now() - began < WAIT_MS, 'the run was found before the last look');
    return claims.map(({ run }) => run.id);
  });
  const runner = () => app.store.reader.selectFrom('runners').select('name').where('name', '=', name).executeTakeFirst();
  await until('the runner waits', async () => (await runner()) !== undefined);
  return { claimed };
}

async function listeners(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: name });
  await client.connect();
  return client;
}

after(stopPostgres);

describe('what one server tells the other', () => {
  let [a, b]: Hearing[] = [];
  let other: pg.Client;
  const first = (): TestApp => a?.app ?? assert.fail('server A does not run');
  const second = (): TestApp => b?.app ?? assert.fail('server B does not run');
  const allHear = (times: number) => until('both hear', () => (a?.heard ?? 0) >= times && (b?.heard ?? 0) >= times);

  before(async () => {
    const env = { RATE_LIMIT: '0' };
    a = await start({ env });
    b = await start({ env, databaseUrl: first().databaseUrl });
    other = await listeners(first().databaseUrl, 'the test');
    await allHear(1);
  });
  after(async () => {
    await other.end();
    await second().close();
    await first().close();
  });

  test('a run that opens at one is claimed through the other, at once', async () => {
    const { claimed } = await waitForRun(second(), 'waits at B');
    const run = await openRun(first());
    assert.deepEqual(await claimed, [run.runId]);
  });

  test('the place of a run that ends at one goes to the next run of its task through the other', async () => {
    await emptyQueue(first());
    const taskId = await makeTask(first(), {}, { concurrency: { limit: 1, key: null, overflow: 'queue' } });
    const run = await openRun(first(), {}, taskId);
    const side = await claimRun(first(), run);
    const { claimed } = await waitForRun(second(), 'waits for a place at B');
    const next = await openRun(first(), {}, taskId);
    await side.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);
    assert.deepEqual(await claimed, [next.runId]);
  });

  test('lines that are reported at one come through a stream of the other, and the end too', async () => {
    await emptyQueue(first());
    const run = await openRun(first());
    const side = await claimRun(first(), run);
    const stream = await request(`${second().url}${run.path}/stream`, { headers: { authorization: `Bearer ${OWNER_TOKEN}` } });
    let text = '';
    const chunks = stream.body[Symbol.asyncIterator]();
    const read = async (wanted: string): Promise<void> => {
      while (!text.includes(wanted)) {
        const { done, value } = await chunks.next();
        assert.notEqual(done, true, `the stream ended without "${wanted}"`);
        text += String(value);
      }
    };
    // Each waits for the one before, so one look cannot find several.
    for (const line of ['one', 'two', 'three']) {
      await side.report([{ kind: 'log', line }]);
      await read(`"${line}"`);
    }
    await side.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);
    await read('"success"');
  });

  test('a change at one comes through a stream of changes of the other', async () => {
    const stream = await request(`${second().url}/admin/api/changes`, { headers: { authorization: `Bearer ${OWNER_TOKEN}` } });
    const chunks = stream.body[Symbol.asyncIterator]();
    await chunks.next();
    const { id } = await first().client.customers.create({ name: 'Ann', email: 'ann@example.com' });
    let text = '';
    while (!text.includes(`"type":"customer","id":${id}`)) text += String((await chunks.next()).value);
    stream.body.destroy();
  });

  test('connections that listen and are cut are made anew, and what was missed is found', async () => {
    await emptyQueue(first());
    const [heardA, heardB] = [a?.heard ?? 0, b?.heard ?? 0];
    const { claimed } = await waitForRun(second(), 'waits over a cut');
    const cut =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'backroom notices'";
    assert.equal((await other.query(cut)).rowCount, 2);
    const run = await openRun(first());
    assert.deepEqual(await claimed, [run.runId]);
    await allHear(Math.max(heardA, heardB) + 1);
    const again = await waitForRun(first(), 'waits after the cut');
    const next = await openRun(second());
    assert.deepEqual(await again.claimed, [next.runId]);
  });
});

describe('rate limits of two servers that hear each other', () => {
  const LIMIT = 300;
  let [a, b]: Hearing[] = [];
  before(async () => {
    a = await start({ env: { RATE_LIMIT: String(LIMIT) }, rateClock: STOPPED });
    b = await start({ env: { RATE_LIMIT: String(LIMIT) }, databaseUrl: a.app.databaseUrl, rateClock: STOPPED });
    await until('both hear', () => (a?.heard ?? 0) > 0 && (b?.heard ?? 0) > 0);
  });
  after(async () => {
    await b?.app.close();
    await a?.app.close();
  });

  /** How many requests this server lets through until it refuses one. */
  async function letThrough(app: TestApp, token: string): Promise<number> {
    for (let count = 0; ; count += 1) {
      const { status } = await app.request({ path: '/admin/api/me', token });
      if (status === 429) return count;
    }
  }

  test('what a token was given at one is not given again at the other', async () => {
    assert.ok(a && b);
    const told = await listeners(a.app.databaseUrl, 'the test');
    let taken = 0;
    const all = Promise.withResolvers<void>();
    told.on('notification', ({ payload = '' }) => {
      for (const [, count] of payload.matchAll(/^taken \["default","\d+",\d+,(\d+),/gm)) taken += Number(count);
      if (taken >= LIMIT) all.resolve();
    });
    await told.query('LISTEN backroom');
    const given = await letThrough(a.app, OWNER_TOKEN);
    assert.ok(given >= LIMIT, `A gave ${given}`);
    await all.promise;
    const more = await letThrough(b.app, OWNER_TOKEN);
    // B may not have heard all yet. Alone, it would give as many again.
    assert.ok(more < LIMIT / 2, `B gave ${more} more`);
    await told.end();
  });

  test('wrong tokens from one address count together', async () => {
    assert.ok(a && b);
    const told = await listeners(a.app.databaseUrl, 'the test');
    const all = Promise.withResolvers<void>();
    let taken = 0;
    told.on('notification', ({ payload = '' }) => {
      for (const [, count] of payload.matchAll(/^taken \["unauthorized","[^"]+",20,(\d+),/gm)) taken += Number(count);
      if (taken >= 20) all.resolve();
    });
    await told.query('LISTEN backroom');
    await letThrough(a.app, 'wrong-token-0123456789-0123456789-0123');
    await all.promise;
    const more = await letThrough(b.app, 'wrong-token-0123456789-0123456789-0123');
    assert.ok(more < 10, `B let ${more} more through`);
    await told.end();
  });
});

describe('a server behind a pooler that does not pass on what it should hear', () => {
  let deaf: Server;
  let url: string;
  let a: Hearing;
  before(async () => {
    a = await start();
    const port = Number(/:(\d+)\//.exec(a.app.databaseUrl)?.[1]);
    // As with a pooler: the connection works, but the one that gets its LISTEN is another one.
    deaf = createServer((near) => {
      const far = connect({ host: '127.0.0.1', port });
      for (const socket of [near, far]) socket.on('error', () => undefined);
      near.on('data', (data) => far.write(Buffer.from(data.toString('latin1').replace('LISTEN backroom', 'SELECT 12345678'), 'latin1')));
      near.on('close', () => far.destroy());
      far.on('close', () => near.destroy());
      far.pipe(near);
    });
    deaf.listen(0, '127.0.0.1');
    await once(deaf, 'listening');
    const { port: deafPort } = deaf.address() as AddressInfo;
    url = a.app.databaseUrl.replace(/@[^@/]+\//, `@127.0.0.1:${deafPort}/`);
  });
  after(async () => {
    await a.app.close();
    deaf.close();
  });

  test('says so in its log, and looks for changes itself', async () => {
    const b = await start({ databaseUrl: a.app.databaseUrl, env: { DATABASE_LISTEN_URL: url } });
    await until('it says so', () => b.lines.some((line) => line.includes('DATABASE_LISTEN_URL')));
    assert.equal(b.heard, 0);
    const { claimed } = await waitForRun(b.app, 'waits at the deaf');
    const run = await openRun(a.app);
    assert.deepEqual(await claimed, [run.runId]);
    await b.app.close();
  });

  test('with DATABASE_LISTEN_URL=off, a server has no connection that listens, and looks for changes itself', async () => {
    const b = await start({ databaseUrl: a.app.databaseUrl, env: { DATABASE_LISTEN_URL: 'off' } });
    const other = await listeners(a.app.databaseUrl, 'the test');
    const { rowCount } = await other.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'backroom notices'",
    );
    assert.equal(rowCount, 1, 'that of server A');
    await other.end();
    const { claimed } = await waitForRun(b.app, 'waits without listening');
    const run = await openRun(a.app);
    assert.deepEqual(await claimed, [run.runId]);
    await b.app.close();
  });
});

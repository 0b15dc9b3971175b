import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWNER_TOKEN, onBothStores } from '../helpers/app.ts';
import { type OpenRun, openRun } from '../helpers/runs.ts';

const KIB = 1024;

onBothStores('compressed answers', (app) => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(app().url + path, { headers: { authorization: `Bearer ${OWNER_TOKEN}`, ...headers } });
  const gzip = { 'accept-encoding': 'gzip' };

  /** A run whose log has so many lines of a KiB each, with characters of several bytes. */
  async function runWithLog(lines: number): Promise<OpenRun> {
    const run = await openRun(app(), { executor: 'external' });
    const events = Array.from({ length: lines }, (_, n) => ({ kind: 'log' as const, line: `${n} ${'Zoë😀'.repeat(128)}` }));
    await app().client.ai_tasks.append_run_events(run.taskId, run.runId, { events });
    return run;
  }

  test('a long answer to a read is compressed for a client that accepts gzip, and is the same answer', async () => {
    const run = await runWithLog(300);
    for (const path of [run.path, `${run.path}/lines?limit=1000`]) {
      const [packed, plain] = [await get(path, gzip), await get(path, { 'accept-encoding': 'identity' })];
      assert.deepEqual(
        [packed, plain].map(({ status, headers }) => [
          status,
          headers.get('content-encoding'),
          headers.get('vary'),
          headers.get('content-type'),
        ]),
        [
          [200, 'gzip', 'Accept-Encoding', 'application/json; charset=utf-8'],
          [200, null, 'Accept-Encoding', 'application/json; charset=utf-8'],
        ],
      );
      assert.equal(packed.headers.get('content-length'), null);
      const text = await plain.text();
      assert.ok(Buffer.byteLength(text) > 300 * KIB);
      assert.equal(await packed.text(), text);
    }
    assert.equal(
      (await app().request({ path: run.path })).headers['content-encoding'],
      undefined,
      'without the header it is not compressed',
    );
    const refusing = await get(run.path, { 'accept-encoding': 'br, gzip;q=0' });
    assert.equal(refusing.headers.get('content-encoding'), null);
    await refusing.body?.cancel();
  });

  test('both forms have the ETag of the record, which If-None-Match and If-Match accept', async () => {
    const run = await runWithLog(100);
    const [packed, plain] = [await get(run.path, gzip), await get(run.path, { 'accept-encoding': 'identity' })];
    const etag = packed.headers.get('etag') ?? '';
    assert.equal(packed.headers.get('content-encoding'), 'gzip');
    assert.match(etag, /^"run-\d+-\d+/);
    assert.equal(plain.headers.get('etag'), etag);
    await Promise.all([packed.text(), plain.text()]);
    const unchanged = await get(run.path, { ...gzip, 'if-none-match': etag });
    assert.deepEqual([unchanged.status, unchanged.headers.get('content-encoding'), await unchanged.text()], [304, null, '']);
    const weak = await get(run.path, { ...gzip, 'if-none-match': `W/${etag}` });
    assert.equal(weak.status, 304, 'a proxy may have made it weak');
    const patch = (ifMatch: string) =>
      app().request({ method: 'PATCH', path: run.path, body: { events: [{ kind: 'log', line: 'x' }] }, headers: { 'if-match': ifMatch } });
    assert.equal((await patch(etag)).status, 204);
    assert.equal((await patch(etag)).status, 412);
  });

  test('a short answer, a refusal and a stream of events are never compressed', async () => {
    const short = await runWithLog(10);
    const long = await runWithLog(100);
    await app().client.ai_tasks.cancel_run(long.taskId, long.runId);
    for (const path of [short.path, `${long.path}/lines?limit=0`, `${long.path}/stream`]) {
      const answer = await get(path, gzip);
      assert.equal(answer.headers.get('content-encoding'), null, path);
      assert.ok(!answer.headers.get('vary')?.includes('Accept-Encoding'), path);
      await answer.text();
    }
  });
});

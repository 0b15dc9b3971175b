import assert from 'node:assert/strict';
import { test } from 'node:test';
import { request } from 'undici';
import { RUNNER_PERMISSION } from '../../contract/permissions.ts';
import { OWNER_TOKEN, onBothStores } from '../helpers/app.ts';
import { until } from '../helpers/machines.ts';
import { type Person, person } from '../helpers/people.ts';
import { codeOf, type OpenRun, openRun } from '../helpers/runs.ts';
import { deactivateElsewhere, expireToken, revokeElsewhere } from '../helpers/stored-rows/people.ts';

onBothStores('run event stream', (app) => {
  type Message = { id: string; event: string; data: string };
  const log = (line: string) => ({ kind: 'log' as const, line });
  const open = () => openRun(app(), { executor: 'external' });
  const report = (run: OpenRun, events: Parameters<ReturnType<typeof app>['client']['ai_tasks']['append_run_events']>[2]['events']) =>
    app().client.ai_tasks.append_run_events(run.taskId, run.runId, { events });
  const end = (status = 'success', error_message: string | null = null) => ({ kind: 'finalize' as const, status, error_message });

  async function follow(run: OpenRun, headers: Record<string, string> = {}) {
    const stopped = new AbortController();
    const answer = await request(`${app().url}${run.path}/stream`, {
      headers: { authorization: `Bearer ${OWNER_TOKEN}`, ...headers },
      signal: stopped.signal,
    });
    let text = '';
    const chunks = answer.body[Symbol.asyncIterator]();
    return {
      answer,
      stop: () => stopped.abort(),
      /** Reads until so many messages have come or the stream has ended. */
      async messages(count = Number.POSITIVE_INFINITY): Promise<Message[]> {
        for (;;) {
          const parsed = parse(text);
          if (parsed.length >= count) return parsed;
          const { done, value } = await chunks.next();
          if (done) return parse(text);
          text += String(value);
        }
      },
      text: () => text,
    };
  }

  function parse(text: string): Message[] {
    const blocks = text
      .split('\n\n')
      .slice(0, -1)
      .map((block) =>
        Object.fromEntries(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])),
      );
    return blocks.flatMap(({ id, event, data }) =>
      id !== undefined && event !== undefined && data !== undefined ? [{ id, event, data }] : [],
    );
  }

  test('SS1: a stream has its headers and begins with a comment at once', async () => {
    const stream = await follow(await open());
    const { headers } = stream.answer;
    assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8');
    assert.equal(headers['cache-control'], 'no-cache, no-transform');
    assert.equal(headers['x-accel-buffering'], 'no');
    const chunks = stream.answer.body[Symbol.asyncIterator]();
    assert.equal(String((await chunks.next()).value), 'retry: 2000\n: ok\n\n');
    stream.stop();
  });

  test('SS2, SS3: a stream sends all lines so far, then new ones, then the status, and ends', async () => {
    const run = await open();
    const odd = { kind: 'log' as const, line: ' leading \r\n\u2028 \u0000 "quoted" 😀' };
    await report(run, [odd, { kind: 'progress', current: 1, total: 2, label: 'l' }, { kind: 'checkpoint', state: {} }]);
    const stream = await follow(run);
    assert.deepEqual(
      (await stream.messages(2)).map(({ id, event, data }) => [id, event, JSON.parse(data)]),
      [
        ['1', 'event', odd],
        ['2', 'event', { kind: 'progress', current: 1, total: 2, label: 'l' }],
      ],
    );
    await report(run, [log('later'), end('failed', 'because')]);
    const all = await stream.messages();
    assert.deepEqual(
      all.slice(2).map(({ id, event, data }) => [id, event, JSON.parse(data)]),
      [
        ['3', 'event', log('later')],
        ['end', 'status', { status: 'failed', error: 'because' }],
      ],
    );
  });

  test('SS4: no line is lost and the status comes last, while events are being reported', async () => {
    const runs = await Promise.all(Array.from({ length: 6 }, open));
    await Promise.all(
      runs.map(async (run, i) => {
        const stream = await follow(run);
        for (let batch = 0; batch < 5; batch++)
          await report(
            run,
            Array.from({ length: 300 }, (_, n) => log(`${batch} ${n}`)),
          );
        await new Promise((resolve) => setImmediate(resolve, i));
        await report(run, [log('last'), end()]);
        const messages = await stream.messages();
        assert.deepEqual(
          messages.map(({ id }) => id),
          [...Array.from({ length: 1501 }, (_, n) => String(n + 1)), 'end'],
        );
      }),
    );
  });

  test('SS2: Last-Event-ID continues after that line; an invalid one, or end of an open run, starts at the first line', async () => {
    const run = await open();
    await report(run, [log('a'), log('b'), log('c')]);
    const early = await follow(run, { 'last-event-id': 'end' });
    assert.deepEqual(
      (await early.messages(3)).map(({ id }) => id),
      ['1', '2', '3'],
    );
    early.stop();
    await report(run, [end()]);
    const ids = async (id: string) => (await (await follow(run, { 'last-event-id': id })).messages()).map((message) => message.id);
    assert.deepEqual(await ids('2'), ['3', 'end']);
    assert.deepEqual(await ids('3'), ['end']);
    assert.deepEqual(await ids('999'), ['end']);
    for (const bad of ['x', '-1', '1.5', '']) assert.deepEqual(await ids(bad), ['1', '2', '3', 'end'], bad);
  });

  test('SS3: after the end of the run Last-Event-ID: end answers 204, which stops an EventSource', async () => {
    const run = await open();
    await report(run, [end()]);
    const answer = await app().request({ path: `${run.path}/stream`, headers: { 'last-event-id': 'end' } });
    assert.deepEqual([answer.status, answer.text, answer.headers['content-type']], [204, '', undefined]);
  });

  test('SS5: a request that is refused gets an ordinary error', async () => {
    const run = await open();
    assert.equal((await app().request({ path: `${run.path}/stream`, token: null })).status, 401);
    assert.deepEqual(codeOf(await app().request({ path: `${run.path}/stream`, token: (await person(app())).token })), [403, 'forbidden']);
    assert.deepEqual(codeOf(await app().request({ path: `/admin/api/ai-tasks/${run.taskId}/runs/999999/stream` })), [404, 'not_found']);
  });

  test('SS5: a stream ends without a status when its token or admin loses access, in any way and at any server', async () => {
    const run = await open();
    const permissions = ['admin_api.ai_tasks.read', 'admin_api.orders.read'] as const;
    const { client, store } = app();
    const ways: Record<string, (one: Person) => Promise<unknown>> = {
      'its token is revoked': ({ tokenId, token }) => app().request({ method: 'DELETE', path: `/admin/api/me/tokens/${tokenId}`, token }),
      'its admin is deactivated': ({ adminId }) => client.admins.update(adminId, { active: false }),
      'its admin is removed': ({ adminId }) => client.admins.delete(adminId),
      'its admin may no longer read tasks': ({ adminId }) => client.admins.update(adminId, { permissions: ['admin_api.orders.read'] }),
      'its admin may no longer read what the script tells of': ({ adminId }) =>
        client.admins.update(adminId, { permissions: ['admin_api.ai_tasks.read'] }),
      'another server revokes it': ({ tokenId }) => revokeElsewhere(store, tokenId),
      'it expires': ({ tokenId }) => expireToken(store, tokenId),
      'another server deactivates its admin': ({ adminId }) => deactivateElsewhere(store, adminId),
    };
    const stays = await person(app(), { permissions: [...permissions] });
    const staying = await follow(run, { authorization: `Bearer ${stays.token}` });
    for (const [way, take] of Object.entries(ways)) {
      const one = await person(app(), { permissions: [...permissions] });
      const stream = await follow(run, { authorization: `Bearer ${one.token}` });
      await take(one);
      assert.deepEqual(
        (await stream.messages()).filter(({ id }) => id === 'end'),
        [],
        way,
      );
    }
    await client.admins.update(stays.adminId, { name: 'Still here' });
    await report(run, [end()]);
    assert.equal((await staying.messages()).at(-1)?.id, 'end', 'other streams continue');
  });

  test('a waiting runner whose token is revoked is answered without a run', async () => {
    const { id: tokenId, token } = await app().client.me.create_token({ name: 'waits', permissions: [RUNNER_PERMISSION] });
    const asked = app().request({
      method: 'POST',
      path: '/admin/api/runner/claims',
      body: { runner: { name: 'waits', version: '1', isolation: [] }, slots: 1, wait_ms: 30_000 },
      token,
    });
    await until('it waits', async () => (await app().client.runner.status()).runners.some(({ name }) => name === 'waits'));
    await revokeElsewhere(app().store, tokenId);
    const began = performance.now();
    assert.deepEqual((await asked).body, { claims: [] });
    assert.ok(performance.now() - began < 25_000, 'it is answered before wait_ms is over');
  });

  test('SS3: a stream tells the details as they are, and whenever they change, without moving its place in the log', async () => {
    const run = await open();
    await report(run, [{ kind: 'details', markdown: 'first' }, log('a'), { kind: 'details', markdown: 'one\n\ntwo' }]);
    const stream = await follow(run);
    const has = (text: string) => until(`the stream says ${text}`, () => stream.text().includes(text));
    const reading = stream.messages();
    await has('one');
    await report(run, [{ kind: 'details', markdown: '' }]);
    await has('"markdown":""');
    await report(run, [log('b'), end()]);
    await reading;
    const details = (markdown: string) => `event: details\ndata: ${JSON.stringify({ markdown })}`;
    assert.deepEqual(stream.text().split('\n\n').slice(1, -1), [
      `id: 1\nevent: event\ndata: ${JSON.stringify(log('a'))}`,
      details('one\n\ntwo'),
      details(''),
      `id: 2\nevent: event\ndata: ${JSON.stringify(log('b'))}`,
      'id: end\nevent: status\ndata: {"status":"success","error":null}',
    ]);
  });

  test('SS5: a token may have 50 open streams; a closed one makes room', async () => {
    const run = await open();
    const streams = await Promise.all(Array.from({ length: 50 }, () => follow(run)));
    const refused = await app().request({ path: `${run.path}/stream` });
    assert.deepEqual(codeOf(refused), [429, 'rate_limited']);
    assert.ok(Number(refused.headers['retry-after']) >= 1);
    await report(run, [end()]);
    for (const stream of streams) assert.equal((await stream.messages()).at(-1)?.id, 'end');
    const again = await follow(run);
    assert.equal(again.answer.statusCode, 200);
    assert.equal((await again.messages()).at(-1)?.event, 'status');
  });
});
